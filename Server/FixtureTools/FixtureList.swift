import ConversationEngine
import Fixtures
import SocketTransport
import Texts

/// `polymock list`: lists the available fixtures with one-line descriptions.
package struct FixtureList: Equatable, Sendable {
    /// Folder to list. Nil lists only embedded fixtures.
    package var folder: String?
    package var isJSON = false

    package init(folder: String? = nil) { self.folder = folder }

    package func run() -> ToolAnswer {
        var fixtures: [String: CompiledFixture] = [:]
        for name in Embedded.names { fixtures[name] = try? FixtureSource.find(name, folder: nil) }
        let inside = Set(fixtures.keys)
        var files: [String: String] = [:]
        for file in folder.map({ Files.list($0) }) ?? [] {
            guard let name = FixtureLoader.name(ofFile: file), let folder else { continue }
            files[name] = folder + "/" + file
            fixtures[name] = FixtureSource.compile(folder + "/" + file)
        }
        let names = fixtures.keys.sorted()
        let width = names.map(\.count).max() ?? 0
        let lines = names.compactMap { name -> String? in
            guard let fixture = fixtures[name] else { return nil }
            let errors = fixture.findings.count { $0.severity == .error }
            if isJSON {
                return JSONWriter.line([
                    ("name", .string(name)), ("title", fixture.script.map { .string($0.title) }),
                    ("about", fixture.script.map { .string($0.about) }),
                    ("file", files[name].map { .string($0) }),
                    ("embedded", .bool(inside.contains(name))), ("errors", .integer(Int64(errors))),
                ])
            }
            return name + String(repeating: " ", count: width - name.count + 3) + about(fixture, errors)
        }
        return ToolAnswer(lines: lines)
    }

    private func about(_ fixture: CompiledFixture, _ errors: Int) -> String {
        guard let script = fixture.script else {
            let mistakes = Counted.text(errors, "error")
            return "does not load: \(mistakes); \"polymock check \(fixture.fileName)\" shows where"
        }
        let about = script.about.isEmpty ? script.title : script.about
        return String(about.prefix(120).map { $0.isNewline ? " " : $0 })
    }
}
