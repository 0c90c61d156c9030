import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Overrides: code next to fixtures")
struct ReplyOverrideTests {
    static func says(_ text: String) -> [Step] { [Step(.say(SayStep(texts: [Template(literal: text)])))] }

    /// A rule that catches a number, one that moves on, and two texts that take turns.
    static func script() throws -> Script {
        var script = Script.plain
        var book = try rule("table for {people: number}", ConversationEngineTests.says("Booked"))
        book.name = "book"
        book.limit = 2
        book.then = 1
        script.memory = [MemorySlot(name: "people")]
        script.stages = [
            Stage(name: "start", rules: [book]),
            Stage(name: "done", rules: [try rule("thanks", ConversationEngineTests.says("Welcome"))]),
        ]
        script.otherwise = [anything(ConversationEngineTests.says("first", "second", "third"))]
        return script
    }

    static func answer(_ talk: inout Talk, _ text: String) -> String? {
        talk.lines { $0.ask(text) }.last
    }

    @Test("A rule of that name answers with the code's steps inside a block, and with its own after it")
    func blockAndBack() throws {
        var talk = try Talk.joined(try Self.script())
        expectEqual(Self.answer(&talk, "x"), "6 MESSAGE first")
        let id = talk.engine.override(ReplyOverride(rule: "otherwise 1") { Self.says("not \($0.text)") })
        expectEqual(Self.answer(&talk, "x"), "8 MESSAGE not x")
        let wasStopped = talk.engine.stopOverriding(id)
        #expect(wasStopped)
        expectEqual(Self.answer(&talk, "x"), "10 MESSAGE second")
        let wasStoppedAgain = talk.engine.stopOverriding(id)
        #expect(!wasStoppedAgain)
    }

    @Test("The code is told the text, what was caught, the number, the stage and the session")
    func said() throws {
        var talk = try Talk.joined(try Self.script())
        let heard = Locked<[UnansweredMessage]>([])
        _ = talk.engine.override(
            ReplyOverride(rule: "book") { said in
                heard.withLock { $0.append(said) }
                return nil
            })
        talk.ask("x")
        talk.ask("a table for 5")
        let said = try #require(heard.withLock { $0 }.first)
        expectEqual(said.text, "a table for 5")
        expectEqual(said.memory, ["people": "5"])
        expectEqual(said.number, 2)
        expectEqual(said.stage, "start")
        expectEqual(said.sessionID, talk.conversation?.id)
        expectEqual(said.rule, "book")
        expectEqual(talk.journalLines.last, "8 MESSAGE Booked", "nil keeps the fixture's own words")
    }

    @Test("The rest of the rule holds: what it catches, its limit, and the stage it leads to")
    func restOfRule() throws {
        var talk = try Talk.joined(try Self.script())
        _ = talk.engine.override(ReplyOverride(rule: "book") { _ in Self.says("Full") })
        expectEqual(Self.answer(&talk, "table for 2"), "6 MESSAGE Full")
        expectEqual(talk.conversation?.memory["people"], "2")
        expectEqual(talk.conversation?.stageName, "done")
    }

    @Test("The one registered last wins; taking it back uncovers the one before")
    func latestWins() throws {
        var talk = try Talk.joined(try Self.script())
        _ = talk.engine.override(ReplyOverride(rule: "otherwise 1") { _ in Self.says("one") })
        let second = talk.engine.override(ReplyOverride(rule: "otherwise 1") { _ in Self.says("two") })
        expectEqual(Self.answer(&talk, "x"), "6 MESSAGE two")
        talk.engine.stopOverriding(second)
        expectEqual(Self.answer(&talk, "x"), "8 MESSAGE one")
    }

    @Test("`*` answers what no rule heard, with or without an `otherwise`; then it counts as heard")
    func unmatched() throws {
        for hasOtherwise in [true, false] {
            var script = try Self.script()
            if !hasOtherwise { script.otherwise = [] }
            var talk = try Talk.joined(script)
            _ = talk.engine.override(ReplyOverride(rule: "*") { _ in Self.says("caught") })
            expectEqual(Self.answer(&talk, "x"), "6 MESSAGE caught")
            expectEqual(Self.answer(&talk, "table for 3"), "8 MESSAGE Booked")
            #expect(!talk.notes.contains { if case .unmatched = $0 { true } else { false } })
        }
    }

    @Test("In one session only, or in sessions to come as well")
    func scope() throws {
        var talk = try Talk.joined(try Self.script())
        var effects: [Effect] = []
        let other = try #require(
            talk.engine.open(
                ConversationEngine.Opening(script: try Self.script()), at: talk.now, into: &effects)
        ).handle
        let only = talk.engine.override(
            ReplyOverride(rule: "*", scope: .session(other)) { _ in Self.says("there") })
        expectEqual(Self.answer(&talk, "x"), "6 MESSAGE first")
        talk.engine.stopOverriding(only)
        _ = talk.engine.override(ReplyOverride(rule: "*") { _ in [Step(.language("fr"))] })
        let later = try #require(
            talk.engine.open(
                ConversationEngine.Opening(script: try Self.script()), at: talk.now, into: &effects)
        ).handle
        for handle in [other, later] {
            _ = talk.engine.attach(
                ConnectionID(9), to: handle, cursor: 0, firstFrameAt: talk.now, at: talk.now, into: &effects)
            for word in [ClientInput.Word.join(greeting: nil), .say("x")] {
                talk.engine.handle(
                    ClientInput(word), from: ConnectionID(9), in: handle, at: talk.now, into: &effects)
            }
            talk.wait(.seconds(5))
            let journal = talk.engine.withJournal(of: handle) { $0 } ?? []
            expectEqual(journal.last?.event, .languageChanged(code: "fr"))
        }
    }

    @Test("Steps that name a handoff or fault which no fixture has are left out, with a note")
    func missingParts() throws {
        var talk = try Talk.joined(try Self.script())
        _ = talk.engine.override(
            ReplyOverride(rule: "*") { _ in [Step(.handoff(3)), Step(.fault(-1))] + Self.says("safe") })
        expectEqual(Self.answer(&talk, "x"), "6 MESSAGE safe")
        #expect(talk.notes.contains(.ignored(reason: "a step names a handoff or fault of no fixture")))
    }

    @Test("An answer by hand asks the code too")
    func answersLast() throws {
        var talk = try Talk.joined(try Self.script())
        _ = talk.engine.override(ReplyOverride(rule: "*") { _ in Self.says("code") })
        talk.act(.takeOver)
        talk.say("x")
        talk.act(.handBack(answersLast: true))
        talk.wait(.seconds(5))
        expectEqual(talk.journalLines.last, "6 MESSAGE code")
    }
}
