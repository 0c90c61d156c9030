import Clocks
import ConversationEngine
import Expectations
import Matching
import Testing

@Suite("Pending timers and rule uses")
struct PendingTimerTests {
    static func scriptTimers(_ talk: Talk) -> [String] {
        talk.engine.pendingTimers().filter(\.isScript).map(\.name)
    }

    static let quiet = ["idle timeout", "connection idle"]

    @Test("Timers have names, and come by deadline")
    func names() throws {
        var options = EngineOptions()
        options.connectionAge = .minutes(5)
        options.sessionIdle = .minutes(9)
        var talk = try Talk.joined(.plain, options: options)
        talk.say("Hi")
        let timers = talk.engine.pendingTimers()
        expectEqual(
            timers.map(\.name),
            [
                "thinking before reply 2", "connection age", "idle timeout",
                "connection idle",
            ])
        expectEqual(timers.map(\.isScript), [true, false, false, false])
        expectEqual(timers.first?.deadline, talk.now + .milliseconds(300))
        #expect(timers.allSatisfy { $0.sessionID == talk.conversation?.id })
        expectEqual(talk.engine.pendingTimers(limit: 2), Array(timers.prefix(2)))
        #expect(talk.engine.pendingTimers(limit: -1).isEmpty)
    }

    @Test(
        "A streamed reply, a pause, a queue, a live agent's typing and a delayed echo go by their own names")
    func activities() throws {
        var script = try HandoffTests.script(HandoffTests.desk())
        script.otherwise = [anything(says("one two three four"), .wait(.seconds(1)))]
        var options = EngineOptions()
        options.echoDelay = .milliseconds(10)
        var talk = try Talk.joined(script, isStreaming: true, options: options)
        talk.say("Hi")
        expectEqual(Self.scriptTimers(talk), ["echo delay"])
        talk.wait(.milliseconds(310))
        expectEqual(Self.scriptTimers(talk), ["next chunk of reply 2"])
        talk.wait(.milliseconds(100))
        expectEqual(Self.scriptTimers(talk), ["pause"])
        talk.wait(.seconds(2))
        talk.say("person")
        talk.wait(.milliseconds(10))
        expectEqual(Self.scriptTimers(talk), ["queue update 2"])
        talk.wait(.seconds(4))
        expectEqual(Self.scriptTimers(talk), ["outcome of handoff desk"])
        talk.wait(.seconds(2))
        expectEqual(Self.scriptTimers(talk), ["typing before reply 3"])
    }

    @Test("Every deadline of the engine is the first pending timer's, through a whole talk")
    func agreesWithDeadlines() throws {
        var talk = try Talk.joined(try Script.tour(), isStreaming: true)
        talk.connect(2, historyAfter: .milliseconds(40))
        for text in ["pool", "manager", "person", "thanks"] {
            talk.say(text)
            for _ in 0..<40 {
                let conversation = try #require(talk.conversation)
                let timers = talk.engine.pendingTimers()
                expectEqual(timers.first?.deadline, conversation.nextDeadline)
                expectEqual(timers.first { $0.isScript }?.deadline, talk.engine.nextScriptDeadline)
                talk.wait(.milliseconds(50))
            }
        }
        #expect(talk.hasEnded)
    }

    @Test("When all is quiet, no deadline is the script's, and idle timeouts are left alone")
    func quiet() throws {
        var talk = try Talk.joined(.plain)
        expectEqual(talk.engine.nextScriptDeadline, nil)
        expectEqual(talk.engine.pendingTimers().map(\.name), Self.quiet)
        talk.say("Hi")
        while let deadline = talk.engine.nextScriptDeadline {
            talk.now = deadline
            talk.advance()
        }
        expectEqual(talk.journalLines.last, "6 MESSAGE Yes")
        #expect(!talk.hasEnded)
    }

    @Test("A paused script has no timer")
    func paused() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.act(.takeOver)
        expectEqual(talk.engine.nextScriptDeadline, nil)
        talk.act(.handBack())
        expectEqual(talk.engine.nextScriptDeadline, talk.now + .milliseconds(300))
    }

    @Test("A history that has no moment yet has no timer; one that has belongs to the script")
    func history() throws {
        var talk = try Talk(.plain)
        var effects: [Effect] = []
        _ = talk.engine.attach(
            ConnectionID(1), to: talk.handle, cursor: 0, firstFrameAt: .distantFuture, at: talk.now,
            into: &effects)
        expectEqual(talk.engine.nextScriptDeadline, nil)
        expectEqual(talk.engine.pendingTimers().map(\.name), Self.quiet)
        talk.expectHistory(after: .milliseconds(20))
        expectEqual(Self.scriptTimers(talk), ["history due"])
        expectEqual(talk.engine.nextScriptDeadline, talk.now + .milliseconds(20))
    }

    @Test("After the end come the closing and the forgetting")
    func ended() throws {
        var talk = try Talk.joined(.plain)
        talk.end(.natural)
        expectEqual(talk.engine.pendingTimers().map(\.name), ["close delay", "session cleanup"])
        expectEqual(talk.engine.nextScriptDeadline, nil)
        talk.wait(.seconds(2))
        expectEqual(talk.engine.pendingTimers().map(\.name), ["session cleanup"])
        talk.wait(.minutes(10))
        #expect(talk.engine.pendingTimers().isEmpty)
    }

    // MARK: - Facts

    @Test("Messages, replies and queue updates are counted")
    func counts() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk()))
        talk.ask("Hi")
        talk.ask("person")
        let conversation = try #require(talk.conversation)
        expectEqual(conversation.userMessageCount, 2)
        expectEqual(conversation.replyCount, 3)
        expectEqual(conversation.queueUpdateCount, 3)
    }

    @Test("Uses of rules add up over sessions, forgotten ones too, and name those never used")
    func ruleUses() throws {
        var script = try Script.tour()
        script.file = "tour.json5"
        script.anywhere[0].name = "pool"
        script.anywhere[0].place = SourcePlace(line: 4, column: 3)
        var talk = try Talk.joined(script)
        #expect(talk.engine.ruleUses.isEmpty)
        talk.ask("pool")
        talk.ask("nonsense")
        let expected = [
            RuleUse(file: "tour.json5", place: SourcePlace(), name: "otherwise 1", count: 1),
            RuleUse(file: "tour.json5", place: SourcePlace(line: 4, column: 3), name: "pool", count: 1),
        ]
        expectEqual(talk.engine.ruleUses, expected)
        expectEqual(talk.conversation?.ruleUses, [expected[1], expected[0]])
        talk.ask("goodbye")
        talk.wait(.minutes(11))
        #expect(talk.conversation == nil)
        expectEqual(talk.engine.ruleUses.filter { $0.name != "anywhere 4" }, expected)

        var effects: [Effect] = []
        let second = try #require(
            talk.engine.open(ConversationEngine.Opening(script: script), at: talk.now, into: &effects)
        ).handle
        _ = talk.engine.attach(
            ConnectionID(5), to: second, cursor: 0, firstFrameAt: talk.now, at: talk.now, into: &effects)
        for word in [ClientInput.Word.join(greeting: nil), .say("pool")] {
            talk.engine.handle(
                ClientInput(word), from: ConnectionID(5), in: second, at: talk.now, into: &effects)
        }
        expectEqual(talk.engine.ruleUses.first { $0.name == "pool" }?.count, 2)
        let used = Set(talk.engine.ruleUses.map(\.name))
        expectEqual(
            script.rules.map(\.name).filter { !used.contains($0) },
            [
                "anywhere 2", "anywhere 3", "desk 1", "desk otherwise 1",
            ])
        expectEqual(script.rules.count, 7)
    }

    @Test("Of many sessions, the earliest script deadline is found wherever it is")
    func manySessions() throws {
        var talk = try Talk.joined(.plain)
        var effects: [Effect] = []
        for number in 2...20 as ClosedRange<UInt64> {
            let other = try #require(
                talk.engine.open(ConversationEngine.Opening(script: .plain), at: talk.now, into: &effects)
            ).handle
            _ = talk.engine.attach(
                ConnectionID(number), to: other, cursor: 0,
                firstFrameAt: talk.now + .milliseconds(Int64(1_000 - number)), at: talk.now, into: &effects)
        }
        expectEqual(talk.engine.nextScriptDeadline, talk.now + .milliseconds(980))
        expectEqual(talk.engine.pendingTimers().first?.deadline, talk.engine.nextScriptDeadline)
        talk.say("Hi")
        expectEqual(talk.engine.nextScriptDeadline, talk.now + .milliseconds(300))
    }

    @Test("A list of timers ends at its limit, the earliest kept")
    func timerLimit() throws {
        var talk = try Talk(.plain)
        var effects: [Effect] = []
        for _ in 0..<EngineLimits.listedTimers {
            talk.now = talk.now + .microseconds(1)
            _ = talk.engine.open(ConversationEngine.Opening(script: .plain), at: talk.now, into: &effects)
        }
        let timers = talk.engine.pendingTimers()
        expectEqual(timers.count, EngineLimits.listedTimers)
        expectEqual(timers.first?.deadline, Talk.start + .minutes(10))
        expectEqual(timers.last?.deadline, talk.now + .minutes(10) - .microseconds(1))
    }

    @Test("A shorter list of timers is the beginning of a longer one, where deadlines are equal too")
    func shorterLists() throws {
        var talk = try Talk(.plain)
        var effects: [Effect] = []
        let second = try #require(
            talk.engine.open(ConversationEngine.Opening(script: .plain), at: talk.now, into: &effects)
        ).handle
        _ = talk.engine.attach(
            ConnectionID(2), to: second, cursor: 0, firstFrameAt: talk.now + .seconds(1), at: talk.now,
            into: &effects)
        let all = talk.engine.pendingTimers()
        expectEqual(all.prefix(3).map(\.name), ["history due", "idle timeout", "idle timeout"])
        expectEqual(all[1].deadline, all[2].deadline)
        expectEqual(all[1].sessionID, talk.conversation?.id)
        for limit in 1...all.count {
            expectEqual(talk.engine.pendingTimers(limit: limit), Array(all.prefix(limit)))
        }
    }

    @Test("Uses of more rules than the limit are not kept; those known already go on counting")
    func ruleLimit() throws {
        let count = EngineLimits.countedRules + 1
        var script = Script.plain
        script.stages = (1...count).map { number in
            Stage(name: "s\(number)", rules: [Rule(steps: [], then: number == count ? 0 : number)])
        }
        var talk = try Talk.joined(script)
        for _ in 0..<count { talk.say("x") }
        talk.end(.natural)
        talk.wait(.minutes(11))
        let uses = talk.engine.ruleUses
        expectEqual(uses.count, EngineLimits.countedRules)
        #expect(uses.allSatisfy { $0.count == 1 })
    }
}
