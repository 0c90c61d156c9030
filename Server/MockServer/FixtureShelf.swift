import ConversationEngine
import EmbeddedFixtures
import Fixtures
import SocketTransport

/// The fixtures a server can play: those of a folder, else those inside the binary.
struct FixtureShelf: Sendable {
    /// What sessions play unless their token names something else.
    let standard: Script

    init(_ configuration: Configuration) throws(ServerError) {
        let source = try Self.source(configuration)
        let compiled = FixtureLoader.compile(bytes: source.bytes, fileName: source.file, name: source.name)
        guard let script = compiled.script else {
            throw .fixture(compiled.findings.map(\.description).joined(separator: "\n"))
        }
        standard = script
    }

    private struct Source {
        var name: String
        var file: String
        var bytes: [UInt8]
    }

    private static func source(_ configuration: Configuration) throws(ServerError) -> Source {
        let wanted = configuration.fixture
        if let text = configuration.fixtureText {
            return Source(name: wanted, file: wanted + ".json5", bytes: Array(text.utf8))
        }
        return try find(wanted, folder: configuration.fixturesFolder)
    }

    private static func find(_ wanted: String, folder: String?) throws(ServerError) -> Source {
        if wanted.hasSuffix(".json5") {
            guard let bytes = Files.read(wanted, atMost: ServerLimits.fileBytes) else {
                throw .fixture("the fixture \(wanted) cannot be read; check that the file exists")
            }
            return Source(name: FixtureLoader.name(ofFile: wanted) ?? wanted, file: wanted, bytes: bytes)
        }
        var names = Embedded.names
        if let folder {
            let file = folder + "/" + wanted + ".json5"
            if let bytes = Files.read(file, atMost: ServerLimits.fileBytes) {
                return Source(name: wanted, file: file, bytes: bytes)
            }
            names = Set(names + Files.list(folder).compactMap { FixtureLoader.name(ofFile: $0) }).sorted()
        }
        if let bytes = Embedded.fixture(wanted) {
            return Source(name: wanted, file: wanted + ".json5", bytes: bytes)
        }
        throw .fixture("\(UnknownFixture(name: wanted, among: names))")
    }
}
