import Fixtures
import SocketTransport
import Texts

/// `polymock schema` and `polymock show`: print the schema of fixtures, or the source text of a fixture.
package enum FixtureText: Equatable, Sendable {
    /// JSON schema of fixtures, for editors.
    case schema
    /// Source text of a fixture: its file in `folder` if there is one, otherwise the text embedded in the program.
    case fixture(String, folder: String?)

    package func run() -> ToolAnswer {
        switch self {
        case .schema: return ToolAnswer(file: Array(FixtureSchema.text.utf8))
        case .fixture(let name, let folder):
            if let folder, !name.contains("/"),
                let bytes = Files.read(folder + "/" + name + ".json5", atMost: FixtureLoader.fileBytes)
            {
                return ToolAnswer(file: bytes)
            }
            if let bytes = Embedded.fixture(name) { return ToolAnswer(file: bytes) }
            return .misuse(
                "\(UnknownFixture(name: name, among: FixtureSource.names(in: folder), isFile: Files.exists))")
        }
    }

    /// Returns advice if the schema file that `$schema` names does not exist.
    static func advice(onSchemaOf path: String) -> String? {
        guard let bytes = Files.read(path, atMost: FixtureLoader.fileBytes) else { return nil }
        let root = JSON5Document(reading: bytes).root
        guard case .text(let named)? = root?["$schema"]?.content, !named.holds("://"), !named.isEmpty
        else { return nil }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let base = folder.isEmpty ? "" : folder.joined(separator: "/") + "/"
        let file =
            named.hasPrefix("/") ? named : base + (named.hasPrefix("./") ? String(named.dropFirst(2)) : named)
        guard Files.read(file, atMost: 0) == nil else { return nil }
        return "\(path): your editor finds no schema at \(named); to put it there: polymock schema > \(file)"
    }
}
