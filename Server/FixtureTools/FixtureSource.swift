import ConversationEngine
package import Fixtures
import SocketTransport

/// Look-up of fixtures for the command-line tools, by name or path.
package enum FixtureSource {
    private static let folderDepth = 4

    /// Returns the file itself, or the fixture files in the folder, up to four levels deep. Nil if the path does not
    /// exist.
    static func paths(of path: String) -> [String]? {
        guard Files.isFolder(path) else { return Files.exists(path) ? [path] : nil }
        return inside(path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0)
    }

    private static func inside(_ folder: String, depth: Int) -> [String] {
        var paths: [String] = []
        for name in Files.list(folder) where !name.hasPrefix(".") {
            let path = folder + "/" + name
            if FixtureLoader.name(ofFile: name) != nil {
                paths.append(path)
            } else if depth < folderDepth, Files.isFolder(path) {
                paths += inside(path, depth: depth + 1)
            }
        }
        return paths
    }

    /// Compiles a file, or returns nil if it is unreadable. With `mayWait`, reads pipes too, which may block.
    static func compile(_ path: String, mayWait: Bool = false) -> CompiledFixture? {
        guard let bytes = Files.read(path, atMost: FixtureLoader.fileBytes, mayWait: mayWait) else {
            return nil
        }
        return FixtureLoader.compile(
            bytes: bytes, fileName: path, name: FixtureLoader.name(ofFile: path) ?? path)
    }

    struct Refusal: Error {
        var answer: ToolAnswer
    }

    /// Returns a fixture's script, or a refusal. For a fixture with errors, the refusal's text ends with `consequence`.
    static func playable(_ wanted: String, folder: String?, else consequence: String) -> Result<
        Script, Refusal
    > {
        do throws(ScenarioProblem) {
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

    /// Finds a fixture by path, or by name: first in the folder, then among the embedded fixtures.
    package static func find(_ wanted: String, folder: String?) throws(ScenarioProblem) -> CompiledFixture {
        if wanted.hasSuffix(".json5") {
            guard let fixture = compile(wanted) else {
                throw ScenarioProblem("the fixture \(wanted) cannot be read: \(Files.readFault(wanted))")
            }
            return fixture
        }
        if let folder, !wanted.contains("/"), let fixture = compile(folder + "/" + wanted + ".json5") {
            return fixture
        }
        guard let bytes = Embedded.fixture(wanted) else {
            throw ScenarioProblem(
                "\(UnknownFixture(name: wanted, among: names(in: folder), isFile: Files.exists))")
        }
        return FixtureLoader.compile(bytes: bytes, fileName: wanted + ".json5", name: wanted)
    }

    /// Name of the folder's fixture, if the folder has exactly one.
    package static func onlyName(in folder: String) -> String? {
        let names = Files.list(folder).compactMap { FixtureLoader.name(ofFile: $0) }
        return names.count == 1 ? names[0] : nil
    }

    package static func names(in folder: String?) -> [String] {
        let files = folder.map { Files.list($0) } ?? []
        return Set(Embedded.names + files.compactMap { FixtureLoader.name(ofFile: $0) }).sorted()
    }
}
