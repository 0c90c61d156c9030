import Clocks
import ConversationEngine
import Expectations
import TestSupport
import Testing

@Suite("Taking over and handing back")
struct TakeoverTests {
    /// Talks of the tour, long enough to pass through every state of the script.
    static let talks = ["pool", "manager", "person"]

    /// The talk after `opening` was said and `moment` has passed.
    static func talk(_ opening: String, isStreaming: Bool, after moment: Interval) throws -> Talk {
        var talk = try Talk.joined(try Script.tour(), isStreaming: isStreaming)
        talk.say(opening)
        talk.wait(moment)
        return talk
    }

    @Test(
        "Whenever a human sits down, the rest of the run is the untouched one, later by their stay",
        arguments: talks, [false, true] as [Bool])
    func anyMoment(opening: String, isStreaming: Bool) throws {
        let stay = Interval.seconds(3)
        var untouched = try Self.talk(opening, isStreaming: isStreaming, after: .zero)
        untouched.wait(.seconds(20))
        let interval = Strength.of(2, full: 1)
        for step in stride(from: 0, to: 60, by: interval) {
            var talk = try Self.talk(
                opening, isStreaming: isStreaming, after: .milliseconds(Int64(step) * 17))
            let seated = talk.now
            expectEqual(talk.act(.takeOver), nil)
            talk.act(.typing(.started))
            talk.wait(.seconds(1))
            talk.act(.send(text: "A human here", pieces: 2))
            talk.wait(.seconds(2))
            expectEqual(talk.act(.handBack()), nil)
            talk.wait(.seconds(20))
            expectEqual(talk.unpushed.map(\.event), untouched.unpushed.map(\.event))
            let times = untouched.unpushed.map { $0.time <= seated ? $0.time : $0.time + stay }
            expectEqual(talk.unpushed.map(\.time), times)
            #expect(talk.journal.enumerated().allSatisfy { $1.sequence == UInt64($0) + 1 })
            expectEqual(talk.lines(1), talk.lines)
        }
    }

    @Test("Thinking goes on where it stood: it is shown once, and takes what was left of it")
    func thinking() throws {
        var talk = try Talk.joined(.plain)
        let lines = talk.lines { talk in
            talk.say("Hi")
            talk.wait(.milliseconds(200))
            talk.act(.takeOver)
            talk.wait(.seconds(60))
            talk.act(.send(text: "Hello, I am a human"))
            talk.act(.handBack())
            talk.wait(.milliseconds(99))
        }
        expectEqual(lines, ["5 USER Hi", "- THINKING", "6 MESSAGE Hello, I am a human"])
        expectEqual(talk.lines { $0.wait(.milliseconds(1)) }, ["7 MESSAGE Yes"])
    }

    @Test("A half-streamed reply goes on with its next chunk; the human's own words are another message")
    func streaming() throws {
        var script = Script.plain
        script.otherwise = [anything(says("one two three four"))]
        var talk = try Talk.joined(script, isStreaming: true)
        talk.say("Hi")
        talk.wait(.milliseconds(300))
        let lines = talk.lines { talk in
            talk.act(.takeOver)
            talk.wait(.seconds(5))
            talk.act(.send(text: "ab👩‍👩‍👧c", pieces: 2))
            talk.act(.handBack())
            talk.wait(.seconds(5))
        }
        expectEqual(lines, ["7 CHUNK 1 ab", "8 CHUNK 2 👩‍👩‍👧c|", "9 CHUNK 2 three four|"])
        #expect(
            talk.notes.contains(
                .takeover(action: "send", by: "Olga", unusual: "a streamed reply is half sent")))
    }

    @Test("A queue stands still while a human sits, and goes on with the next position")
    func queue() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk()))
        talk.say("person")
        talk.wait(.seconds(1))
        talk.act(.takeOver)
        expectEqual(talk.lines { $0.wait(.seconds(30)) }, [])
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.milliseconds(999)) }, [])
        expectEqual(talk.lines { $0.wait(.milliseconds(1)) }, ["10 QUEUE 2"])
    }

    @Test("As a live agent the human types and writes as that live agent")
    func liveAgentTalking() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk(queue: nil)))
        talk.ask("person")
        talk.act(.takeOver)
        expectEqual(talk.takeover?.seat, .liveAgent(SpeakerProfile(id: "p1", name: "Marta")))
        let lines = talk.lines { talk in
            talk.act(.typing(.started))
            talk.act(.send(text: "It is me"))
            talk.say("thanks")
            talk.act(.send(text: "With pleasure"))
            talk.act(.typing(.started))
            talk.act(.handBack())
            talk.wait(.seconds(5))
        }
        expectEqual(
            lines,
            [
                "- TYPING", "- TYPING_STOPPED", "11 Marta It is me", "12 USER thanks",
                "13 Marta With pleasure", "- TYPING", "- TYPING_STOPPED",
            ])
        expectEqual(talk.lines { $0.ask("my room") }.last, "15 Marta Let me look")
    }

    @Test("What the user says meanwhile is echoed and not answered")
    func unanswered() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.takeOver)
        expectEqual(talk.lines { $0.ask("Hi") }, ["5 USER Hi"])
        expectEqual(talk.takeover?.unanswered, "Hi")
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.seconds(20)) }, [])
        expectEqual(talk.lines { $0.ask("And now") }, ["6 USER And now", "- THINKING", "7 MESSAGE Yes"])
    }

    @Test("Handing back with `answersLast`, the script answers the last message that nobody answered")
    func answersLast() throws {
        var talk = try Talk.joined(try Script.tour())
        talk.act(.takeOver)
        talk.ask("nonsense")
        talk.say("pool", metadata: "{}")
        expectEqual(talk.act(.handBack(answersLast: true)), nil)
        let lines = talk.lines { $0.wait(.seconds(20)) }
        #expect(talk.lines.contains("- THINKING"))
        expectEqual(lines.first, "7 MESSAGE The pool opens at nine and closes at ten")
        #expect(talk.journalLines.filter { $0.contains("Say that again") }.isEmpty)
        expectEqual(talk.unpushed.count, talk.lines.count)
    }

    @Test("A message that the human answered is not answered again")
    func answeredByHuman() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.takeOver)
        talk.say("Hi")
        talk.act(.send(text: "Hello"))
        expectEqual(talk.takeover?.unanswered, nil)
        expectEqual(
            talk.lines { talk in
                talk.act(.handBack(answersLast: true))
                talk.wait(.seconds(20))
            }, [])
    }

    @Test("A fault that makes the agent fail hits the message when the script answers it, not before")
    func faultOnAnswer() throws {
        let fault = Fault(name: "busy", moment: .userMessage(1), effect: .agentError(.highLoad))
        var talk = try Talk.joined(.plain, faults: [fault])
        talk.act(.takeOver)
        expectEqual(talk.lines { $0.ask("Hi") }, ["5 USER Hi"])
        expectEqual(
            talk.lines { talk in
                talk.act(.handBack(answersLast: true))
                talk.wait(.seconds(20))
            }, ["- error high load"])
    }

    @Test("A human may sit down before the join; the greeting waits for the handing back")
    func beforeJoin() throws {
        var talk = try Talk(.plain)
        talk.connect()
        talk.act(.takeOver)
        expectEqual(talk.lines { $0.send(.join(greeting: nil)) }, ["2 JOIN", "3 JOINED Juno"])
        expectEqual(talk.lines { $0.wait(.seconds(5)) }, [])
        talk.act(.send(text: "Good evening"))
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.seconds(5)) }, ["5 MESSAGE Welcome"])
    }

    @Test("A join repeated while a human sits is echoed, and greets nobody again")
    func joinWhileSeated() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.takeOver)
        talk.send(.join(greeting: nil))
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.seconds(20)) }, [])
        expectEqual(talk.journalLines.last, "5 JOIN")
    }

    /// protocol.md#session-idle
    @Test("A silent client ends the session under a human too")
    func idleEnd() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.takeOver)
        talk.wait(.minutes(9))
        talk.act(.send(text: "Still there?"))
        talk.wait(.minutes(1))
        expectEqual(talk.journalLines.suffix(2), ["5 MESSAGE Still there?", "6 SESSION_END abandoned"])
        expectEqual(talk.takeover, nil)
        expectEqual(talk.act(.handBack()), .sessionOver)
    }

    @Test("A delayed echo keeps its moment while a human sits")
    func echoDelay() throws {
        var options = EngineOptions()
        options.echoDelay = .milliseconds(500)
        var talk = try Talk.joined(.plain, options: options)
        talk.say("Hi")
        talk.act(.takeOver)
        expectEqual(talk.lines { $0.wait(.milliseconds(500)) }, ["5 USER Hi"])
        expectEqual(talk.takeover?.unanswered, "Hi")
    }

    @Test("Entries say who pushed them; the script's and the clients' are told apart")
    func authors() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.takeOver)
        talk.act(.send(text: "Hello"), by: "Ida")
        talk.push(.languageChanged(code: "fr"))
        expectEqual(
            talk.journal.map(\.author),
            [
                .script, .client, .script, .script, .pushed(by: "Ida"), .pushed(by: "controls"),
            ])
        var effects: [Effect] = []
        talk.engine.push(.sessionEnded(.natural), in: talk.handle, by: "a test", at: talk.now, into: &effects)
        expectEqual(talk.journal.last?.author, .pushed(by: "a test"))
    }

    @Test("What is pushed shifts no id of the script")
    func ids() throws {
        var untouched = try Talk.joined(.plain)
        untouched.ask("Hi")
        var talk = try Talk.joined(.plain)
        talk.push(.languageChanged(code: "fr"))
        talk.push(.agentThinking)
        talk.ask("Hi")
        expectEqual(talk.unpushed.map(\.id), untouched.unpushed.map(\.id))
        expectEqual(talk.unpushed.map(\.event), untouched.unpushed.map(\.event))
    }

    @Test("A takeover says who speaks and since when")
    func state() throws {
        var talk = try Talk.joined(.plain)
        expectEqual(talk.takeover, nil)
        talk.act(.takeOver, by: "Ida")
        expectEqual(
            talk.takeover,
            Takeover(seat: .agent, by: "Ida", since: talk.now, isTyping: false, unanswered: nil))
        expectEqual(talk.conversation?.isScriptPaused, true)
        talk.act(.handBack())
        expectEqual(talk.takeover, nil)
        expectEqual(talk.conversation?.isScriptPaused, false)
    }
}
