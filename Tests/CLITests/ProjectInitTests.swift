import Expectations
import FixtureTools
import Testing

@testable import CLI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("A new project")
struct ProjectInitTests {
    private func files(in folder: String) -> [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: folder))?.filter { !$0.hasSuffix("/") }.sorted()
            ?? []
    }

    @Test(
        "A folder gets a fixture without findings, its schema, editor settings and a test",
        arguments: ProjectInit.Language.allCases)
    func made(_ language: ProjectInit.Language) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let root = scratch.path
        let folder = root + "/demo/agent"
        let answer = ProjectInit(
            folder: folder, language: language, package: language == .swift ? "../polymock" : nil,
            program: "/opt/polymock"
        ).run()
        expectEqual(answer.code, 0, "\(answer.talk)")
        let made = files(in: folder)
        for path in [".vscode/settings.json", "fixtures/agent.json5", "fixtures/fixture-1.schema.json"] {
            #expect(made.contains(path))
        }
        var check = FixtureCheck(paths: [folder + "/fixtures"])
        check.isStrict = true
        let findings = check.run()
        expectEqual(findings.code, 0, "\(findings.lines) \(findings.talk)")
        let test = [
            "swift": "Tests/AgentTests.swift", "python": "tests/test_agent.py",
            "node": "tests/agent.test.mjs",
        ]
        let text = try String(
            contentsOfFile: folder + "/" + #require(test[language.rawValue]), encoding: .utf8)
        #expect(text.contains("from nine to five"))
        let advice = "python3 -m pip install pytest"
        expectEqual(text.contains(advice), language == .python)
        expectEqual(answer.lines.contains { $0.contains(advice) }, language == .python)
        #expect(language == .swift || text.contains("\"/opt/polymock\""))
    }

    @Test("A folder with files, a file, and a place without rights are refused in a sentence")
    func refused() throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let root = scratch.path
        try "x".write(toFile: root + "/file", atomically: true, encoding: .utf8)
        for (folder, code) in [(root, 2), (root + "/file", 2), (root + "/file/demo", 1)] as [(String, Int32)]
        {
            let answer = ProjectInit(folder: folder, language: .python, program: "polymock").run()
            #expect(answer.code == code && answer.talk.count == 1, "\(answer.talk)")
        }
        expectEqual(files(in: root), ["file"])
        let outside = ProjectInit(folder: root + "/demo", language: .swift, program: "/opt/polymock").run()
        expectEqual(
            outside.talk,
            [
                "polymock: this program is outside of its checkout; say where the package is: --package ../polymock"
            ])
    }

    @Test("Without a folder, it is this one: an empty one or a repository without files; another is refused")
    func here() throws {
        let here = ProjectInit(folder: ".", language: .python)
        expectEqual(
            Invocation(["init", "--language", "python"], environment: { _ in nil }), .fixtures(.begin(here))
        )
        // The tests run in this repository's folder.
        let answer = here.run()
        expectEqual(answer.code, 2)
        expectEqual(
            answer.talk,
            [
                "polymock: this folder is not empty; name a new one, such as: polymock init demo"
            ])
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let git = scratch.path + "/.git"
        try FileManager.default.createDirectory(atPath: git, withIntermediateDirectories: false)
        let made = ProjectInit(folder: scratch.path, language: .python, program: "polymock").run()
        expectEqual(made.code, 0)
    }

    @Test(
        "Words that make no sense are answered in a sentence",
        arguments: [
            (["init", "a", "b"], "\"polymock init\" takes one folder, such as: polymock init demo"),
            (["init", ""], "\"polymock init\" takes one folder, such as: polymock init demo"),
            (["init", "a", "--language", "ruby"], "--language is swift, python or node, not \"ruby\""),
            (["init", "a", "--language", "node", "--package", "b"], "--package goes with --language swift"),
        ] as [([String], String)])
    func misuse(_ words: [String], _ sentence: String) {
        expectEqual(Invocation(words, environment: { _ in nil }), .misuse(sentence))
    }
}
