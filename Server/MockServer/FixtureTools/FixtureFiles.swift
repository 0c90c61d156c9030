import ConversationEngine
import Fixtures
import SocketTransport

/// Finds and compiles fixture files for the verbs of the command line.
enum FixtureFiles {
    /// The fixture files of a file or folder, sorted; nil when there is no such thing.
    static func paths(of path: String) -> [String]? {
        guard Files.isFolder(path) else {
            return Files.read(path, atMost: 0) == nil ? nil : [path]
        }
        return inside(path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0)
    }

    private static func inside(_ folder: String, depth: Int) -> [String] {
        var paths: [String] = []
        for name in Files.list(folder) where !name.hasPrefix(".") {
            let path = folder + "/" + name
            if FixtureLoader.name(ofFile: name) != nil {
                paths.append(path)
            } else if depth < ServerLimits.folderDepth, Files.isFolder(path) {
                paths += inside(path, depth: depth + 1)
            }
        }
        return paths
    }

    /// nil when the file cannot be read.
    static func compile(_ path: String) -> CompiledFixture? {
        guard let bytes = Files.read(path, atMost: ServerLimits.fileBytes) else { return nil }
        return FixtureLoader.compile(
            bytes: bytes, fileName: path, name: FixtureLoader.name(ofFile: path) ?? path)
    }

    /// Why a verb has no script to work with: what it prints in place of its own answer.
    struct Refusal: Error {
        var answer: ToolAnswer
    }

    /// The script of ``find(_:folder:)``; `consequence` ends the sentence about a fixture with errors.
    static func playable(_ wanted: String, folder: String?, else consequence: String) -> Result<
        Script, Refusal
    > {
        do throws(ServerError) {
            let compiled = try find(wanted, folder: folder)
            if let script = compiled.script { return .success(script) }
            let errors = compiled.findings.filter { $0.severity == .error }
            return .failure(
                Refusal(
                    answer: ToolAnswer(
                        lines: errors.map(\.description),
                        talk: ["polymock: the fixture has errors, \(consequence)"], code: 1)))
        } catch {
            return .failure(Refusal(answer: .misuse("\(error)")))
        }
    }

    /// The fixture of that name in the folder, else inside the binary; or the file of that path.
    static func find(_ wanted: String, folder: String?) throws(ServerError) -> CompiledFixture {
        if wanted.hasSuffix(".json5") {
            guard let fixture = compile(wanted) else {
                throw .fixture("the fixture \(wanted) cannot be read; check that the file exists")
            }
            return fixture
        }
        var names = Embedded.names
        if let folder {
            if !wanted.contains("/"), let fixture = compile(folder + "/" + wanted + ".json5") {
                return fixture
            }
            names += Files.list(folder).compactMap { FixtureLoader.name(ofFile: $0) }
        }
        guard let bytes = Embedded.fixture(wanted) else {
            throw .fixture("\(UnknownFixture(name: wanted, among: Set(names).sorted()))")
        }
        return FixtureLoader.compile(bytes: bytes, fileName: wanted + ".json5", name: wanted)
    }
}
