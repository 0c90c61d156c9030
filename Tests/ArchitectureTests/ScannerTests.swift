import Expectations
import Testing

/// The scanners see what they should: without this, a check that never fails would look like a clean repository.
@Suite("Architecture scanners")
struct ScannerTests {
    @Test("Comments and strings are not code, interpolations are")
    func stripping() {
        let source = #"""
            let a = "try! // no" // try!
            /* as! /* nested */ still */ let b = 1
            let c = "\(try! f("as!")) as!"
            """#
        let code = SwiftCode(source)
        expectEqual(code.lines.count, 3)
        expectEqual(code.occurrences(of: "try!"), [3])
        expectEqual(code.occurrences(of: "as!"), [])
        expectEqual(code.occurrences(of: "let b"), [2])
    }

    @Test("Words are found with their lines, at both ends of a text and as often as they are there")
    func words() {
        let text = ByteText("one\n\nan one, anyone ones\none one")
        expectEqual(text.words("one"), [0, 8, 25, 29])
        expectEqual(text.words("one", endsAnywhere: true), [0, 8, 20, 25, 29])
        #expect(text.places(of: "one").count == 6 && text.places(of: "two") == [])
        expectEqual(text.lines(at: text.words("one")).map(\.number), [1, 3, 4])
        expectEqual(text.lines(at: text.words("one")).map(\.text), ["one", "an one, anyone ones", "one one"])
        #expect(text.lineCount == 3 && !ByteText("").contains("a"))
    }

    @Test("Raw and multi-line strings end where Swift ends them")
    func rawStrings() {
        let source = ##"""
            let a = #"a " \(b) as! "# as! Int
            let c = """
                as! " quote \" \(d as! E)
                """
            let f = "\\" as! Int
            """##
        let lines = SwiftCode(source).occurrences(of: "as!")
        expectEqual(lines, [1, 3, 5])
    }

    @Test("Import lines are read with access level, attribute, kind and submodule")
    func imports() {
        let source = """
            import A
            package import B
            @testable import C
            import struct D.E
            @_exported public import F.G
              import H; import A
            // import No
            let important = 1
            """
        expectEqual(SwiftCode(source).imports.map(\.module), ["A", "B", "C", "D", "F", "H", "A"])
        expectEqual(SwiftCode(source).imports.map(\.number), [1, 2, 3, 4, 5, 6, 6])
    }

    @Test(
        "An import that the table does not have is reported with its line",
        arguments: [
            ("Shared/HTTPCore/A.swift", "import Foundation"),
            ("Shared/HTTPCore/A.swift", "package import Clocks"),
            ("Shared/WebSocketCore/A.swift", "#if canImport(Glibc)\nimport Glibc\n#endif"),
            ("Server/ConversationEngine/Sub/A.swift", "import HTTPCore"),
            ("Server/Dialects/PolyDialect/A.swift", "@preconcurrency import SocketTransport"),
            ("Server/CLI/A.swift", "import ConversationEngine"),
            ("Server/MockServer/A.swift", "import Dispatch"),
            ("Server/Nowhere/A.swift", "import Clocks"),
            ("Client/PolyMessaging/A.swift", "import MockServer"),
        ] as [(String, String)])
    func forbiddenImport(path: String, source: String) {
        expectEqual(ImportTable.current.violations(path: path, code: SwiftCode(source)).count, 1)
    }

    @Test("An import that the table or an exception allows is not reported")
    func allowedImport() {
        let table = ImportTable.current
        expectEqual(
            table.violations(path: "Shared/SocketTransport/A.swift", code: SwiftCode("import Dispatch")), []
        )
        expectEqual(
            table.violations(
                path: "Server/Dialects/PolyDialect/A.swift", code: SwiftCode("import DialectKit")), [])
        expectEqual(
            table.violations(path: "Server/CLI/A.swift", code: SwiftCode("import Glibc"), extra: ["Glibc"]),
            [])
    }

    @Test("Every forbidden call is found where it is forbidden", arguments: SourceRule.calls)
    func forbiddenCall(_ rule: SourceRule) {
        let path = "Tests/SomeTests/A.swift"
        expectEqual(rule.violations(path: path, code: SwiftCode("let a = 1\n\(rule.needle) b\n")).count, 1)
        #expect(rule.violations(path: path, code: SwiftCode("// \(rule.needle)\n")).isEmpty)
        for file in rule.except.keys {
            #expect(rule.violations(path: file, code: SwiftCode(rule.needle)).isEmpty)
        }
    }

    @Test("Every newer name is found, as a whole word and outside #if", arguments: SourceRule.newerNames)
    func newerName(_ rule: SourceRule) {
        let path = "Shared/Clocks/A.swift"
        expectEqual(rule.violations(path: path, code: SwiftCode("let a: \(rule.needle)<Int>")).count, 1)
        #expect(rule.violations(path: path, code: SwiftCode("let a: My\(rule.needle)s")).isEmpty)
        #expect(rule.violations(path: path, code: SwiftCode("#if X\nlet a: \(rule.needle)\n#endif")).isEmpty)
        expectEqual(
            rule.violations(path: path, code: SwiftCode("#if X\n#endif\nlet a: \(rule.needle)")).count, 1)
        #expect(rule.violations(path: "Server/CLI/A.swift", code: SwiftCode("let a: \(rule.needle)")).isEmpty)
    }

    @Test("Sleeping is found in tests, in every spelling, and nowhere else")
    func sleeping() {
        let rules = SourceRule.calls
        for source in ["try await Task.sleep(nanoseconds: 1)", "usleep(1)", "clock.sleep(until: x)"] {
            #expect(
                rules.contains { !$0.violations(path: "Tests/A/A.swift", code: SwiftCode(source)).isEmpty })
        }
        let own = "func sleep(until: Instant) {}"
        #expect(
            rules.allSatisfy {
                $0.violations(path: "Client/PolyMessaging/A.swift", code: SwiftCode(own)).isEmpty
            })
    }

    @Test("A fixed port is found, port 0 and variables are not")
    func fixedPorts() {
        let bad =
            "listen(port: 80)\nlet u = \"http://127.0.0.1:8787/\"\nrun(\"--port\", \"9\")\npolymock --port 1"
        expectEqual(TextRules.fixedPortLines(ByteText(bad)), [1, 2, 3, 4])
        let good = "listen(port: 0)\n\"http://127.0.0.1:\\(port)/\"\nport: free\n--port 0\nimport: 5x"
        expectEqual(TextRules.fixedPortLines(ByteText(good)), [])
    }

    @Test("A machine's path is found, a folder of the same name inside a longer path is not")
    func machinePaths() {
        func lines(_ text: String) -> [Int] { TextRules.machinePathLines(ByteText(text)) }
        expectEqual(lines("a\nsee " + TextRules.machinePaths[0] + "main\n"), [2])
        expectEqual(lines(TextRules.machinePaths[1]), [1])
        expectEqual(lines("frame" + TextRules.machinePaths[0] + "x"), [])
    }

    @Test("A decision record without one of its sections is reported by that section")
    func decisionSections() {
        let record = "# 1. T\n## Context\n## Options weighed\n## Choice\n## Price paid\n## When to revisit\n"
        expectEqual(TextRules.missingSections(record), [])
        expectEqual(
            TextRules.missingSections("## CONTEXT\nprice\n## choice"), ["options", "price", "revisit"])
    }

    @Test("Lines are counted as an editor counts them")
    func lineCount() {
        expectEqual(ByteText("1\n2\n3\n").lineCount, 3)
        expectEqual(TextRules.maxLines("Tests/A/A.swift"), 600)
        expectEqual(TextRules.maxLines("Server/A/A.swift"), 500)
    }
}
