import Clocks
import ConversationEngine
import Expectations
import Matching
import Testing

/// fixtures/README.md#what-is-heard
@Suite("Files of the user")
struct FileTests {
    private static let picture = UserFile(name: "cat.png", type: "image/png; q=1", byteCount: 4)
    private static let text = UserFile(name: "menu.txt", type: "Text/Plain", byteCount: 4)

    private func script() -> Script {
        var script = Script.plain
        script.anywhere = [
            Rule(name: "once", limit: 1, steps: [Step(says("A picture"))]),
            Rule(name: "text", steps: [Step(says("A text"))]),
        ]
        script.anywhere[0].answers = .file("image/*")
        script.anywhere[1].answers = .file("text/plain")
        return script
    }

    @Test("The first rule for the type of a file answers it; its name is the message")
    func heard() throws {
        var talk = try Talk.joined(script())
        let lines = talk.lines { talk in
            talk.send(.file(Self.picture))
            talk.wait(.seconds(1))
            talk.send(.file(Self.text))
            talk.wait(.seconds(1))
        }
        expectEqual(
            lines,
            [
                "5 FILE cat.png", "- THINKING", "6 MESSAGE A picture", "7 FILE menu.txt", "- THINKING",
                "8 MESSAGE A text",
            ])
    }

    @Test("A file that no rule hears is unmatched, and nothing answers it; words are no files")
    func unmatched() throws {
        var talk = try Talk.joined(script())
        let lines = talk.lines { talk in
            for _ in 0..<2 {
                talk.send(.file(Self.picture))
                talk.wait(.seconds(1))
            }
            talk.say("image/png")
            talk.wait(.seconds(1))
        }
        expectEqual(lines.filter { $0.contains("MESSAGE") }, ["6 MESSAGE A picture", "9 MESSAGE Yes"])
        let unmatched = talk.notes.compactMap {
            if case .unmatched(let message) = $0 { message.text } else { nil }
        }
        expectEqual(unmatched, ["[cat.png]", "image/png"])
    }

    @Test("The report on a file names the rules for files, the nearest first, and what would let one hear it")
    func report() throws {
        var script = script()
        script.anywhere.append(Rule(name: "words", hears: .anything, steps: [Step(says("Words"))]))
        script.anywhere.append(Rule(name: "pdf", steps: [Step(says("A form"))]))
        script.anywhere[3].answers = .file("application/pdf")
        var talk = try Talk.joined(script)
        let table = UserFile(name: "a.csv", type: "text/csv; x=1", byteCount: 1)
        for file in [Self.picture, Self.picture, table] {
            talk.send(.file(file))
            talk.wait(.seconds(1))
        }
        let unmatched = talk.notes.compactMap {
            if case .unmatched(let message) = $0 { message } else { nil }
        }
        let reports = unmatched.compactMap { talk.conversation?.report(on: $0) }
        let names = reports.map { $0.misses.map(\.name) }
        expectEqual(names, [["once", "text", "pdf"], ["text", "once", "pdf"]])
        expectEqual(reports[0].misses[0].explanation, "would fit, but has answered 1 time already")
        expectEqual(reports[1].misses[0].explanation, "hears files of text/plain, not of text/csv; x=1")
        expectEqual(reports[1].advice, ["let \"text\" hear { file: \"text/csv\" }"])
    }

    @Test("A file sent while someone is at the controls is answered once the script has the talk again")
    func takenOver() throws {
        var talk = try Talk.joined(script())
        let lines = talk.lines { talk in
            talk.act(.takeOver)
            talk.say("Hello?")
            talk.send(.file(Self.picture))
            talk.wait(.seconds(1))
            talk.act(.handBack(answersLast: true))
            talk.wait(.seconds(1))
            talk.act(.takeOver)
            talk.send(.file(Self.text))
            talk.act(.handBack())
            talk.wait(.seconds(1))
        }
        expectEqual(lines.filter { $0.contains("MESSAGE") }, ["7 MESSAGE A picture"])
    }

    @Test(
        "A media type, its kind or any file",
        arguments: [
            ("*", true), ("image/*", true), ("IMAGE/png", true), ("image/jpeg", false), ("text/*", false),
            ("image", false),
        ] as [(String, Bool)])
    func types(_ pattern: String, _ fits: Bool) {
        expectEqual(Self.picture.matches(pattern), fits)
    }
}
