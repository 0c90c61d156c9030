import Expectations
import Testing

@Suite("Architecture")
struct ArchitectureTests {
    let repository = Repository.current

    @Test("The repository is found, so that the checks below look at something")
    func repositoryIsFound() {
        #expect(repository.file("Package.swift") != nil)
        #expect(repository.file("Tests/ArchitectureTests/ArchitectureTests.swift") != nil)
        #expect(repository.swift(in: "Shared", "Server").count > 20)
    }

    @Test("Exceptions of the leak checker and of mutations name what is in the sources")
    func namesOfExceptions() throws {
        let sources = repository.swift(in: "Shared", "Server", "Client", "Tests").map(\.text)
        let leaks = try #require(repository.file(".ci/lsan.supp")).text
        // Mangled names: the length of a word stands before it.
        let words = leaks.split(separator: "\n").filter { $0.hasPrefix("leak:") && !$0.hasSuffix(".so") }
            .flatMap { $0.dropFirst(5).split { $0.isNumber } }.map { $0.hasSuffix("V") ? $0.dropLast() : $0 }
        // Functions of Foundation and of Swift's runtime.
        let foreign: Set<Substring> = ["readBytesFromFile", "formWeakReference"]
        for word in words where !foreign.contains(word) {
            #expect(sources.contains { $0.contains(word) }, "nothing is called \(word)")
        }
        #expect(words.count >= 6)
        let known = try #require(repository.file(".ci/mutations-known")).text
        for row in known.split(separator: "\n") where !row.hasPrefix("#") {
            let cells = row.split(separator: "\t")
            let file = repository.file(String(cells[0]))
            expectEqual(file?.text.contains(cells[1]), true, "\(cells[0]) has no line \(cells[1])")
        }
    }

    @Test("Each folder imports only what the table allows it")
    func imports() {
        for file in repository.swift(in: "Shared", "Server", "Client") {
            let extra = ImportTable.exceptions[file.path]?.modules ?? []
            let found = ImportTable.current.violations(path: file.path, code: file.code, extra: extra)
            expectEqual(found, [])
        }
    }

    @Test("Every exception to the import table names a file that exists and still needs it")
    func exceptionsAreAlive() {
        for (path, exception) in ImportTable.exceptions {
            let modules = Set(repository.file(path)?.code.imports.map(\.module) ?? [])
            #expect(modules.isSuperset(of: exception.modules), "\(path): \(exception.reason)")
        }
    }

    @Test("The package has no dependencies")
    func noDependencies() throws {
        let manifest = try #require(repository.file("Package.swift"))
        expectEqual(manifest.code.occurrences(of: ".package("), [])
        expectEqual(repository.files.filter { $0.name == "Package.resolved" }.map(\.path), [])
    }

    @Test("No Swift file is longer than 500 lines, no test longer than 600")
    func fileSizes() {
        let long = repository.files.filter {
            $0.kind == "swift" && $0.bytes.lineCount > TextRules.maxLines($0.path)
        }
        expectEqual(long.map { "\($0.path): \($0.bytes.lineCount)" }, [])
    }

    /// What has to be known about sockets to change anything about them. The number gets smaller, but for new duties of the
    /// loop: long work away from it, refusals before a body, a budget for inflating, and a watch over output not taken.
    @Test("The server's loop is one file, and has no more lines than it had")
    func serverLoopSize() {
        let files = repository.swift(in: "Server").filter { file in
            ["extension ServerLoop", "final class ServerLoop"].contains {
                !file.code.occurrences(of: $0).isEmpty
            }
        }
        expectEqual(files.count, 1)
        #expect(files.reduce(0) { $0 + $1.bytes.lineCount } <= 400)
    }

    @Test("The server and its control API know neither sockets nor the loop")
    func controls() {
        let folders = ["Server", "Control"].map { "Server/MockServer/\($0)/" }
        let files = repository.files.filter { file in folders.contains { file.path.hasPrefix($0) } }
        #expect(files.count >= 50)
        let found = files.flatMap { file in
            ["ServerLoop", "SocketPool", "loop", "unowned"].flatMap { word in
                file.code.occurrences(of: word).map { _ in "\(file.path): \(word)" }
            }
        }
        expectEqual(found, [])
    }

    @Test("Time, traps and unchecked promises stay where they belong", arguments: SourceRule.calls)
    func forbiddenCalls(_ rule: SourceRule) {
        let found = repository.swift(in: "Shared", "Server", "Client", "Tests").flatMap {
            rule.violations(path: $0.path, code: $0.code)
        }
        expectEqual(found, [])
    }

    @Test("No switch over effects or moments of faults has a default: a new one has to be thought of")
    func faults() {
        let files = repository.swift(in: "Server").filter { !$0.code.occurrences(of: "default").isEmpty }
        let found = files.flatMap { file in
            let isTable = ["Fault.swift", "FaultWords.swift", "FaultPlan.swift"].contains(file.name)
            return TextRules.faultDefaults(
                file.code.lines.map(\.text), besides: isTable ? ["effect", "kind", "self"] : []
            ).map { "\(file.path):\($0)" }
        }
        expectEqual(found, [])
        let bad = ["  switch firing.effect {", "  case .drop: return", "  default: break", "  }"]
        expectEqual(TextRules.faultDefaults(bad), [3])
    }

    @Test("Shared and Client use no name newer than iOS 15", arguments: SourceRule.newerNames)
    func newerNames(_ rule: SourceRule) {
        let found = repository.swift(in: "Shared", "Client").flatMap {
            rule.violations(path: $0.path, code: $0.code)
        }
        expectEqual(found, [])
    }

    @Test("Tests that open sockets take a free port")
    func fixedPorts() {
        let openers: Set<String> = ["HTTPClient", "MockServer", "PolyMessaging", "SocketTransport"]
        let suspects = repository.files.filter { file in
            guard file.isIn("Tests"), !file.isIn("Tests/ArchitectureTests") else { return false }
            guard TextRules.portsAsValues[file.path] == nil else { return false }
            guard file.kind == "swift" else { return file.isIn("Tests/interop") && file.kind != "md" }
            return !openers.isDisjoint(with: file.code.imports.map(\.module))
        }
        let found = suspects.flatMap { file in
            TextRules.fixedPortLines(file.bytes).map { "\(file.path):\($0)" }
        }
        expectEqual(found, [])
    }

    @Test("No file names a path of somebody's machine")
    func machinePaths() {
        let found = repository.files.flatMap { file in
            TextRules.machinePathLines(file.bytes).map { "\(file.path):\($0)" }
        }
        expectEqual(found, [])
    }

    @Test("The README is at most 150 lines long")
    func readme() {
        #expect((repository.file("README.md")?.bytes.lineCount ?? 0) <= 150)
    }

    @Test("Every decision record has context, options, choice, price and when to revisit")
    func decisions() {
        let records = repository.files.filter { file in
            file.isIn("Shared/Docs/decisions") && file.kind == "md" && file.name.first?.isNumber == true
        }
        let found = records.flatMap { file in
            TextRules.missingSections(file.text).map { "\(file.path): no \($0)" }
        }
        expectEqual(found, [])
    }
}
