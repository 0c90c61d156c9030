import Expectations
import Testing

/// A protocol is a folder: outside of it few files know that there is one of this name.
@Suite("Names of dialects")
struct DialectNameTests {
    /// Files that name a dialect, each with its dialects and its reason. It only gets shorter.
    private static let allowed: [String: (dialects: Set<String>, reason: String)] = [
        "Server/FixtureTools/FixtureCheck.swift": (["PolyDialect"], "prints the catalogue of error texts"),
        "Server/MockServer/Configuration/Configuration.swift": (
            ["AGUIDialect", "ConnectDialect", "PolyDialect"], "their settings have public names there"
        ),
        "Server/MockServer/Control/ControlAPI+Runs.swift": (
            ["AGUIDialect"], "asks for runs as a client of that protocol does"
        ),
        "Server/MockServer/Server/Server+Inspection.swift": (
            ["PolyDialect"], "words of notices and names of events for the test kit"
        ),
    ]

    /// Where any dialect is made known to the server.
    private static let registration = "Server/MockServer/ServerDependencies.swift"

    private let repository = Repository.current

    @Test(
        "Outside of its folder a dialect is named by the files of the list, and each of them still names it")
    func names() {
        let found = DialectNames.current.places(
            in: repository.swift(in: "Client", "Server", "Shared").map { ($0.path, $0.bytes) })
        #expect(DialectNames.current.folders.count >= 3)
        var expected = Self.allowed.mapValues(\.dialects)
        expected[Self.registration] = found[Self.registration]
        expectEqual(found, expected)
    }

    @Test(
        "A name is found in an import and in code; in comments and inside of longer words it is none",
        arguments: [
            ("import PolyDialect", true), ("@_exported public import ConnectDialect", true),
            ("let options = AGUIOptions()", true), ("    _ = ConnectProtocolRules()", true),
            ("/// ``PolyOptions``", false), ("import PolyMessaging", false),
            ("let a = MyPolyOptions()", false),
            ("let c = ConnectCore.Contact()", false),
        ] as [(String, Bool)])
    func reading(_ line: String, _ isName: Bool) {
        let found = DialectNames.current.places(in: [("Server/ServerCore/A.swift", ByteText(line))])
        #expect(found.isEmpty != isName)
        let own = ["PolyDialect", "ConnectDialect", "AGUIDialect"].allSatisfy { dialect in
            let place = "Server/Dialects/\(dialect)/A.swift"
            return DialectNames.current.places(in: [(place, ByteText(line))])[place]?.contains(dialect)
                != true
        }
        #expect(own)
    }

    @Test("Engine, contract, timeline and what the server decides use neither a dialect nor a wire")
    func uses() throws {
        let manifest = Manifest(try #require(repository.file("Package.swift")).text)
        let wires = DialectNames.current.folders.union(["MessagingWire", "RunWire"])
        for name in ["ConversationEngine", "DialectKit", "ServerCore", "Timeline"] {
            let target = try #require(manifest.targets.first { $0.name == name })
            #expect(!target.uses.isEmpty && target.uses.isDisjoint(with: wires), "\(name)")
        }
        for wire in ["MessagingWire", "RunWire"] {
            let users = manifest.targets.filter { $0.uses.contains(wire) }.map(\.name)
            expectEqual(DialectNames.current.folders.filter { users.contains($0) }.count, 1, "\(wire)")
        }
    }
}

/// The dialects there are, with the names by which others can know them: their modules, and the types that are called after
/// them.
struct DialectNames: Sendable {
    static let current = DialectNames(Repository.current)
    private static let parent = "Server/Dialects/"

    /// Names by dialect.
    private let names: [String: Set<String>]
    var folders: Set<String> { Set(names.keys) }

    init(_ repository: Repository) {
        var names: [String: Set<String>] = [:]
        for file in repository.files where file.path.hasPrefix(Self.parent) && file.kind == "swift" {
            let folder = String(file.path.dropFirst(Self.parent.count).prefix { $0 != "/" })
            guard folder != "DialectKit" else { continue }
            let stem = folder.replacing("Dialect", with: "")
            let types = file.text.matches(of: /(?:^|\n)(?:package|public) [a-z ]*(?:struct|enum|class) (\w+)/)
            names[folder, default: [folder]].formUnion(
                types.map { String($0.1) }.filter { $0.hasPrefix(stem) })
        }
        self.names = names
    }

    /// By path, the dialects that a file outside of their folder names.
    func places(in files: [(path: String, bytes: ByteText)]) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for (path, bytes) in files {
            for (dialect, words) in names where !path.hasPrefix(Self.parent + dialect + "/") {
                let lines = bytes.lines(at: words.flatMap { bytes.words($0) }).filter { line in
                    !line.bytes.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
                }
                if !lines.isEmpty { found[path, default: []].insert(dialect) }
            }
        }
        return found
    }
}
