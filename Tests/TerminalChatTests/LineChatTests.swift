import ChatPresentation
import Clocks
import Expectations
import PolyMessaging
import Testing

@testable import TerminalChat

@Suite("Lines and scripts")
struct LineChatTests {
    var talk = Talk()

    func chat(_ words: String..., json: Bool = false, asks: Bool = false) throws -> LineChat {
        let options = try ChatOptions(words)
        let style: LineChat.Style = json ? .json(JSONRenderer()) : .text(LineRenderer())
        return LineChat(options, script: Script(options.steps), style: style, asks: asks, at: talk.now)
    }

    @Test("The next message waits while the server's script has more of the reply, and not for ever")
    mutating func rest() throws {
        var chat = try chat("--say", "a", "--say", "b", "--say", "c", "--expect-timeout", "2", asks: true)
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.wait(&talk)
        let question = [ChatOutput.askForRest(session: "0123456789")]
        for reply in ["first half", "second half"] {
            _ = chat.handle(talk.agent(reply), at: talk.now)
            expectEqual(chat.wait(&talk), question)
            expectEqual(chat.handle(.tick, at: talk.now), [])
            expectEqual(chat.handle(.rest(isDue: true), at: talk.now), [])
        }
        expectEqual(chat.wait(&talk), question)
        expectEqual(chat.handle(.rest(isDue: false), at: talk.now).said, ["b"])
        _ = chat.handle(talk.agent("a pause of an hour"), at: talk.now)
        expectEqual(chat.wait(&talk), question)
        _ = chat.handle(.rest(isDue: true), at: talk.now)
        talk.pass(.seconds(2))
        expectEqual(chat.handle(.tick, at: talk.now).said, ["c"])
    }

    @Test("At the keyboard /help and /quit are obeyed, from a pipe they are said")
    mutating func commands() throws {
        let options = try ChatOptions(["--plain"])
        var (person, pipe) = (
            LineChat(
                options, script: Script(options.steps), style: .text(LineRenderer(isForPerson: true)),
                at: talk.now), try chat("--plain", "--no-wait")
        )
        _ = person.handle(talk.opening(), at: talk.now)
        _ = pipe.handle(talk.opening(), at: talk.now)
        let help = person.handle(.input(Array("/help\n".utf8)), at: talk.now)
        #expect(
            help.contains { if case .talk(let line) = $0 { line.hasPrefix("/help  /quit") } else { false } })
        expectEqual(help.said, [])
        expectEqual(person.handle(.input(Array("/quit\n".utf8)), at: talk.now), [.exit(ExitCode.done)])
        expectEqual(pipe.handle(.input(Array("/quit\n".utf8)), at: talk.now).said, ["/quit"])
    }

    @Test("A script speaks when the greeting is over, not before")
    mutating func greeting() throws {
        var chat = try chat("--say", "hi")
        expectEqual(chat.handle(talk.opening(), at: talk.now).said, [])
        expectEqual(chat.handle(talk.thinking(), at: talk.now).said, [])
        talk.pass(.seconds(3))
        expectEqual(chat.handle(.tick, at: talk.now).said, [])
        expectEqual(chat.handle(talk.agent("Hello"), at: talk.now).text, "Ada: Hello\n")
        talk.pass(.milliseconds(249))
        expectEqual(chat.handle(.tick, at: talk.now).said, [])
        talk.pass(.milliseconds(1))
        expectEqual(chat.handle(.tick, at: talk.now).said, ["hi"])
    }

    @Test("Receipts are lines of the JSON style, once for each farther one")
    mutating func receipts() throws {
        var chat = try chat("--say", "hi", "--timeout", "5", json: true)
        let receipts: [ChatInput] = [
            .receipt(messageID: "u-1", .delivered), .receipt(messageID: "u-1", .delivered),
            .receipt(messageID: "u-1", .read), .receipt(messageID: "u-1", .delivered),
        ]
        let sent = [talk.pending("hi", draft: "1"), talk.confirmed("1")]
        let late = chat.handle(talk.opening() + sent + receipts, at: talk.now).text
        expectEqual(
            late.split(separator: "\n").filter { $0.contains("\"delivery\",") }.map {
                $0.contains("\"read\"")
            }, [false, false, true])
        let early = chat.handle(
            [.receipt(messageID: "u-2", .read), talk.pending("again", draft: "2"), talk.confirmed("2")],
            at: talk.now
        ).text
        #expect(early.contains("\"state\":\"sent\"") && early.contains("\"state\":\"read\""))
    }

    @Test("Whoever leaves without a connection hears how the last one ended")
    mutating func lastClose() throws {
        var chat = try chat("--say", "hi", "--timeout", "5")
        _ = chat.handle(talk.opening(), at: talk.now)
        let event = ConnectionCloseEvent(code: 1011, reason: "oops", wasClean: true)
        _ = chat.handle([.connectionOver(event), .update(.status(.reconnecting(attempt: 1)))], at: talk.now)
        talk.pass(.seconds(5))
        let outputs = chat.handle(.tick, at: talk.now)
        let words = "there is no connection: the last connection ended with 1011: oops"
        #expect(outputs.contains(.talk("polymock chat: the time is up, and " + words)))
    }

    @Test("What was not delivered is told on standard error, in lines and in JSON", arguments: [true, false])
    mutating func notDelivered(_ isJSON: Bool) throws {
        var chat = try chat("--say", "hi", json: isJSON)
        _ = chat.handle(talk.opening(), at: talk.now)
        let failure = ChatInput.update(.event(.messageFailed(draftId: "1")))
        let outputs = chat.handle([talk.pending("hi", draft: "1"), failure], at: talk.now)
        #expect(outputs.contains(.talk("not delivered: hi")))
    }

    @Test("A refused token is told with the SDK's sentence, and below it the server's")
    mutating func refusedToken() throws {
        var chat = try chat("--say", "hi")
        var state = SessionState(
            sessionId: nil, status: .unknown, isReady: false, isLoading: false, error: .unknown)
        state.hasInvalidApiKey = true
        state.serverMessage = "did you mean \"booking\"?\u{7}"
        let end = chat.handle(.update(.sessionState(state)), at: talk.now)
        let lines = end.talk.flatMap { $0.split(separator: "\n") }
        #expect(end.exit == 1 && lines.count == 2)
        expectEqual(lines.last, "  the server says: did you mean \"booking\"?\\u{7}")
    }

    @Test("News for the author of a fixture are a line on standard error")
    mutating func news() throws {
        var chat = try chat("--say", "hi")
        expectEqual(chat.handle(.news("x\u{7}"), at: talk.now), [.talk("polymock chat: x\\u{7}")])
    }

    @Test("Without a greeting a script speaks after a while")
    mutating func silence() throws {
        var chat = try chat("--say", "hi")
        _ = chat.handle(talk.opening(), at: talk.now)
        expectEqual(chat.wait(&talk)?.said, ["hi"])
    }

    @Test("The second turn waits until the first reply is whole, and the end for the second (T-03)")
    mutating func turns() throws {
        var chat = try chat("--say", "a", "--say", "b")
        _ = chat.handle(talk.opening(), at: talk.now)
        expectEqual(chat.wait(&talk)?.said, ["a"])
        expectEqual(chat.handle([talk.pending("a", draft: "1"), talk.confirmed("1")], at: talk.now).said, [])
        expectEqual(chat.handle(talk.agent("first half"), at: talk.now).said, [])
        expectEqual(chat.handle(talk.thinking(), at: talk.now).said, [])
        talk.pass(.seconds(1))
        expectEqual(chat.handle([.tick, talk.agent("second half")], at: talk.now).said, [])
        let next = chat.wait(&talk)
        #expect(next?.said == ["b"] && next?.exit == nil)
        expectEqual(chat.handle(talk.agent("done"), at: talk.now).exit, nil)
        expectEqual(chat.wait(&talk)?.exit, 0)
    }

    @Test(
        "An expectation decides the exit code (T-04)",
        arguments: [("^You", 0), ("^Hello", 3), ("said: h", 0)] as [(String, Int32)])
    mutating func expectation(pattern: String, code: Int32) throws {
        var chat = try chat("--say", "hi", "--expect", pattern)
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.wait(&talk)
        _ = chat.handle(talk.agent("You said: hi"), at: talk.now)
        let waited = chat.wait(&talk)
        let end = try #require(waited)
        expectEqual(end.exit, code)
        #expect(code == 0 || end.talk.contains { $0.contains(pattern) && $0.contains("You said: hi") })
    }

    @Test("An error of the agent is a reply: it can be expected")
    mutating func agentError() throws {
        var chat = try chat("--say", "two", "--expect", "high load")
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.wait(&talk)
        let text = "Our system is experiencing high load"
        let payload = SystemMessagePayload(message: text, level: .error)
        _ = chat.handle(.update(.event(.systemMessage(talk.envelope(), payload))), at: talk.now)
        let waited = chat.wait(&talk)
        expectEqual(waited?.exit, 0)
    }

    @Test("What is expected and nothing is said before it is not met")
    mutating func expectedOfNothing() throws {
        var chat = try chat("--expect", "hello")
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.handle(.input([]), at: talk.now)
        let waited = chat.wait(&talk)
        let end = try #require(waited)
        #expect(end.exit == 3 && end.talk.contains { $0.contains("expected hello, but nothing was said") })
    }

    @Test("A reply that does not come ends with 4, and with 3 where one was expected")
    mutating func patience() throws {
        for (words, code) in [(["--say", "hi"], 4), (["--say", "hi", "--expect", "x"], 3)]
            as [([String], Int32)]
        {
            let options = try ChatOptions(words)
            var chat = LineChat(
                options, script: Script(options.steps), style: .text(LineRenderer()), at: talk.now)
            _ = chat.handle(talk.opening(), at: talk.now)
            _ = chat.wait(&talk)
            talk.pass(.milliseconds(29_999))
            expectEqual(chat.handle(.tick, at: talk.now).exit, nil)
            talk.pass(.milliseconds(1))
            expectEqual(chat.handle(.tick, at: talk.now).exit, code)
        }
    }

    @Test("A connection that is given up ends with 2 and the reason (T-05)")
    mutating func noConnection() throws {
        var chat = try chat("--say", "hi")
        let reason = PolyError.transport(.networkError("nothing listens"))
        let end = chat.handle(.update(.status(.failed(reason: reason))), at: talk.now)
        expectEqual(end.exit, 1)
        #expect(end.talk.contains { $0.contains("nothing listens") })
        var slow = try self.chat("--say", "hi")
        talk.pass(.seconds(15))
        expectEqual(slow.handle(.tick, at: talk.now).exit, 1)
    }

    @Test("The end of standard input waits for the reply (T-13)")
    mutating func endOfInput() throws {
        var chat = try chat()
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.handle([.input(Array("h".utf8)), .input(Array("i".utf8)), .input([])], at: talk.now)
        expectEqual(chat.wait(&talk)?.said, ["hi"])
        expectEqual(chat.handle(talk.agent("You said: hi"), at: talk.now).exit, nil)
        expectEqual(chat.wait(&talk)?.exit, 0)
    }

    @Test("Until the end means until the conversation has ended")
    mutating func untilEnded() throws {
        var chat = try chat("--say", "bye", "--until", "ended")
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.wait(&talk)
        _ = chat.handle(talk.agent("Good bye"), at: talk.now)
        expectEqual(chat.wait(&talk)?.exit, nil)
        expectEqual(chat.handle(talk.ended("natural"), at: talk.now).exit, 0)
    }

    @Test(
        "A conversation that does not end is given up when nothing happens for long, unless a time-out was given"
    )
    mutating func neverEnded() throws {
        var chat = try chat("--say", "hi", "--until", "ended")
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.wait(&talk)
        _ = chat.handle(talk.agent("Hello"), at: talk.now)
        expectEqual(chat.wait(&talk)?.exit, nil)
        talk.pass(.seconds(29))
        _ = chat.handle(talk.agent("Still there?"), at: talk.now)
        let news = talk.now
        expectEqual(chat.wait(&talk)?.exit, 4)
        expectEqual(talk.now - news, .seconds(30))

        var patient = try self.chat("--say", "hi", "--until", "ended", "--timeout", "600")
        var other = Talk()
        other.now = talk.now
        _ = patient.handle(other.opening(), at: other.now)
        _ = patient.wait(&other)
        _ = patient.handle(other.agent("Hello"), at: other.now)
        expectEqual(patient.wait(&other)?.exit, nil)
        expectEqual(patient.wait(&other)?.exit, 4)
        expectEqual(other.now - talk.now, .seconds(600))
    }

    @Test("A timeout ends with 4, an interrupt with 130, a reader that left with 0")
    mutating func otherEnds() throws {
        var late = try chat("--timeout", "5")
        _ = late.handle(talk.opening(), at: talk.now)
        var stopped = try chat()
        expectEqual(stopped.handle(.interrupted, at: talk.now).exit, 130)
        expectEqual(stopped.handle(.tick, at: talk.now), [])
        var unread = try chat()
        expectEqual(unread.handle(.brokenPipe, at: talk.now), [.exit(0)])
        talk.pass(.seconds(5))
        expectEqual(late.handle(.tick, at: talk.now).exit, 4)
    }

    @Test("--end ends the conversation on the way out, and only then")
    mutating func ending() throws {
        var chat = try chat("--end")
        _ = chat.handle(talk.opening(), at: talk.now)
        _ = chat.handle(.input([]), at: talk.now)
        expectEqual(chat.wait(&talk), [.call(.end), .exit(0)])
    }

    @Test("Every fact is one JSON object on one line (T-02)")
    mutating func json() throws {
        var chat = try chat("--say", "hi", json: true)
        var lines = chat.handle(talk.opening(), at: talk.now).text
        lines += chat.wait(&talk)?.text ?? ""
        lines += chat.handle(talk.pending("hi", draft: "1"), at: talk.now).text
        talk.pass(.milliseconds(42))
        lines += chat.handle(talk.agent("a \"quote\"\n\u{1B}[2J\u{202E}"), at: talk.now).text
        expectEqual(
            lines.split(separator: "\n").last,
            """
            {"t":"2026-01-15T09:30:01.542Z","ev":"agent","session":"0123456789","messageId":"m","kind":"poly",\
            "name":"Ada","text":"a \\"quote\\"\\n\\u001b[2J\\u202e","attachments":[],"suggestions":[],\
            "callActions":[],"latencyMs":42}
            """)
    }

    @Test("Text of a server cannot act on a terminal (T-14)")
    mutating func hostile() throws {
        var chat = try chat()
        _ = chat.handle(talk.opening(), at: talk.now)
        let line = chat.handle(talk.agent("a\u{7}b\u{1B}[2Jc\u{202E}d\r\ne\u{9B}f"), at: talk.now).text
        expectEqual(line, "Ada: a\\u{7}b\\u{1B}[2Jc\\u{202E}d\\ne\\u{9B}f\n")
    }

    @Test("Who waits in a queue is told that a person will come, then the places, then who has come")
    mutating func queue() throws {
        let events: [SystemEvent] = [
            .handoffStarted, .handoffAccepted, .queueStatus(position: 3, displayMessage: nil),
            .liveAgentJoined(name: "Robin"),
        ]
        expectEqual(
            events.map { Notice($0).text },
            [
                "Transferring you to a person", "A person will join soon", "Position 3 in line",
                "Robin joined",
            ])
    }
}
