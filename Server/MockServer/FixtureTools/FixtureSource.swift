package import Fixtures
import SocketTransport

/// Fixtures for tools that play them: by name or path, examples included.
package enum FixtureSource {
    /// The fixture of that name in the folder, else inside the binary; or the file of that path.
    package static func find(_ wanted: String, folder: String?) throws(ServerError) -> CompiledFixture {
        try FixtureFiles.find(wanted, folder: folder)
    }

    /// Every name that ``find(_:folder:)`` knows, sorted.
    package static func names(in folder: String?) -> [String] {
        let files = folder.map { Files.list($0) } ?? []
        return Set(Embedded.names + files.compactMap { FixtureLoader.name(ofFile: $0) }).sorted()
    }
}
