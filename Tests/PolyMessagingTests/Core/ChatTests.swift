import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

@Suite("Chat")
struct ChatTests {
    @Test("CHAT-103 SESSION_START brings one join, starts the chat and sets the limit")
    func sessionStart() {
        var bench = Bench()
        bench.startAndOpen()
        let capabilities = WireCapabilities(maxMessageSizeBytes: 200)
        let outputs = bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        expectEqual(outputs.joinCount, 1)
        #expect(bench.transcript.hasStarted)
        let call = bench.call()
        bench.give(.send(text: String(repeating: "x", count: 200), metadata: [:], call))
        expectEqual(bench.outputs.result(call), .message(.payloadTooLarge(maxBytes: 200)))
    }

    @Test(
        "CHAT-104 After a replayed POLY_AGENT_JOINED nobody is asked to join, also in a later batch",
        arguments: [1, 2] as [Int])
    func replayedJoin(_ batches: Int) {
        var bench = Bench()
        bench.give(.start(stored: SessionTests.record(in: bench)))
        bench.open()
        let start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        let joined = bench.journaled(.agentJoined(name: "Juno", avatarURL: nil))
        if batches == 1 {
            bench.batch([start, joined])
        } else {
            bench.batch([start])
            bench.advance(.milliseconds(400))
            bench.batch([joined])
        }
        bench.advance(.seconds(5))
        expectEqual(bench.outputs.joinCount, 0)
    }

    @Test("CHAT-104 A resumed session nobody joined is joined after its history")
    func resumedWithoutAgent() {
        var bench = Bench()
        bench.give(.start(stored: SessionTests.record(in: bench)))
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        bench.send("Hi")
        #expect(bench.outputs.frames.isEmpty)
        bench.advance(.milliseconds(500))
        expectEqual(bench.outputs.sent.map(\.content), [.join(greeting: nil), .message(text: "Hi")])
    }

    @Test("CHAT-105, CHAT-106 SESSION_END ends the chat; a second one changes nothing")
    func sessionEnd() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        let count = bench.outputs.count
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_USER_END")))
        expectEqual(bench.outputs.ends, ["REASON_NATURAL_END"])
        expectEqual(bench.outputs.count, count)
        #expect(bench.transcript.hasEnded)
    }

    @Test(
        "CHAT-107, CHAT-108 The end flag of a message ends the chat, and the record of it",
        arguments: [true, false] as [Bool])
    func endFlag(_ ends: Bool) {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.receive(bench.message("Bye", ends: ends))
        expectEqual(bench.transcript.hasEnded, ends)
        expectEqual(outputs.ends, ends ? ["agent_ended"] : [])
        expectEqual(outputs.stores.contains(nil), ends)
        expectEqual(bench.texts, ["Bye"])
    }

    @Test("CHAT-107 After the agent's end the server has two seconds to close")
    func agentEndGrace() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.message("Bye", ends: true))
        let early = bench.advance(.milliseconds(1_999))
        #expect(early.closes.isEmpty)
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        expectEqual(bench.outputs.closes.map(\.code), [1000])
        expectEqual(bench.outputs.ends, ["agent_ended"])
        expectEqual(bench.pills, [.conversationEnded(reason: "agent_ended")])
    }

    @Test("CHAT-107 A connection that breaks after the end is not made anew")
    func breaksAfterEnd() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.message("Bye", ends: true))
        bench.close(1006)
        let later = bench.advance(.minutes(5))
        #expect(later.dialled.isEmpty)
        expectEqual(bench.transcript.connection, .closed(bench.outputs.rawCloses.last))
    }

    @Test("CHAT-109 A message of nothing is not emitted, though its end flag acts")
    func emptyMessage() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.message(""))
        #expect(bench.outputs.agentMessages.isEmpty)
        bench.receive(bench.message("", id: "n", ends: true))
        #expect(bench.outputs.agentMessages.isEmpty)
        #expect(bench.transcript.hasEnded)
    }

    @Test("CHAT-110 A message of call actions only is emitted")
    func callActions() {
        var bench = Bench()
        bench.startAndJoin()
        let action = WireCallAction(title: "Call us", contactNumber: "+15550100")
        bench.receive(
            bench.journaled(
                .agentMessage(WireMessage(messageID: "m", text: "", parts: WireParts(callActions: [action]))))
        )
        expectEqual(bench.outputs.agentMessages.map { $0.chatCallActions.map(\.title) }, [["Call us"]])
    }

    @Test("CHAT-120 A clean close without SESSION_END ends the chat")
    func cleanClose() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.close(1000)
        #expect(bench.transcript.hasEnded)
        #expect(bench.pills.isEmpty)
        expectEqual(outputs.disconnections, [nil])
        expectEqual(outputs.stores, [nil])
        let call = bench.call()
        bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(bench.outputs.result(call), .session(.sessionEnded(reason: nil)))
    }

    @Test("CHAT-121 A clean close after SESSION_END only closes")
    func cleanCloseAfterEnd() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.journaled(.sessionEnd(reason: nil)))
        let outputs = bench.close(1000)
        #expect(outputs.ends.isEmpty && outputs.states.isEmpty)
        expectEqual(outputs.disconnections, [nil])
    }

    @Test("CHAT-122, CHAT-123 A new session is not ended, and keeps the size limit until it says its own")
    func reset() {
        var bench = Bench()
        bench.startAndOpen()
        let small = WireCapabilities(maxMessageSizeBytes: 300)
        bench.batch([bench.journaled(.sessionStart(small, contextID: nil))])
        bench.receive(bench.journaled(.sessionEnd(reason: nil)))
        bench.give(.startNewSession(bench.call()))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        bench.open()
        #expect(!bench.transcript.hasEnded)
        let text = String(repeating: "x", count: 301)
        let early = bench.call()
        bench.give(.send(text: text, metadata: [:], early))
        expectEqual(bench.outputs.result(early), .message(.payloadTooLarge(maxBytes: 300)))
        bench.sequence = 0
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        let late = bench.call()
        let outputs = bench.give(.send(text: text, metadata: [:], late))
        expectEqual(outputs.pending.count, 1)
    }

    @Test("CHAT-124, CHAT-125, CHAT-137 Of 200 thoughts and messages each arrives, and typing ends false")
    func thinking() {
        var bench = Bench()
        bench.startAndJoin()
        for index in 1...200 {
            bench.receive(bench.transient(.agentThinking))
            #expect(bench.transcript.isAgentTyping)
            bench.receive(bench.message("\(index)", id: "\(index)"))
            #expect(!bench.transcript.isAgentTyping)
        }
        expectEqual(bench.texts, (1...200).map { "\($0)" })
        bench.receive(bench.transient(.agentThinking))
        #expect(bench.transcript.isAgentTyping)
    }

    @Test("CHAT-141 A live agent who left ends neither session nor connection, but nobody resumes it")
    func liveAgentLeft() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.receive(bench.journaled(.liveAgentLeft(WirePerson(), reason: nil)))
        expectEqual(bench.core.sessionState.status, .active)
        #expect(outputs.closes.isEmpty)
        expectEqual(outputs.stores, [nil])
        bench.advance(.seconds(5))
        let later = bench.send("Hi")
        #expect(later.stores.isEmpty)
    }

    /// protocol.md#join-invitations
    @Test(
        "CHAT-143 Three error texts bring a join, after 1 s; at another level they do not",
        arguments: [
            "Error: Conversation not found", "Error: Conversation ID not found in session",
            "Sorry, I'm unable to start a conversation right now. Please try again later.",
        ] as [String])
    func recovery(_ text: String) {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.transient(.systemMessage(.info, message: text)))
        bench.advance(.seconds(10))
        expectEqual(bench.outputs.joinCount, 1)
        bench.receive(bench.transient(.systemMessage(.error, message: text)))
        let early = bench.advance(.milliseconds(999))
        let due = bench.advance(.milliseconds(1))
        expectEqual(early.joinCount, 0)
        expectEqual(due.joinCount, 1)
    }

    @Test("CHAT-143 Other errors bring no join")
    func otherErrors() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.transient(.systemMessage(.error, message: "Error: Session not found")))
        bench.advance(.seconds(10))
        expectEqual(bench.outputs.joinCount, 1)
        let isAnnounced = bench.outputs.contains { output in
            if case .log(_, let text) = output {
                text.contains("asking the agent to join again")
            } else {
                false
            }
        }
        #expect(!isAnnounced)
    }

    @Test("CHAT-143 At most three joins in a row, after 1, 2 and 4 s; an agent's message starts anew")
    func boundedRecovery() {
        var bench = Bench()
        bench.startAndJoin()
        let text = "Error: Conversation not found"
        var pauses: [Int64] = []
        for _ in 1...5 {
            bench.receive(bench.transient(.systemMessage(.error, message: text)))
            let asked = bench.now
            let before = bench.outputs.joinCount
            for _ in 1...100 where bench.outputs.joinCount == before { bench.advance(.milliseconds(100)) }
            if bench.outputs.joinCount > before { pauses.append((bench.now - asked).milliseconds) }
        }
        expectEqual(pauses, [1_000, 2_000, 4_000])
        bench.receive(bench.message("Back"))
        bench.receive(bench.transient(.systemMessage(.error, message: text)))
        let again = bench.advance(.seconds(1))
        expectEqual(again.joinCount, 1)
    }

    @Test("CHAT-143 An agent's message ends the recovery also while it is held after a hole")
    func heldWords() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.transient(.systemMessage(.error, message: "Error: Conversation not found")))
        _ = bench.message("Lost")
        bench.receive(bench.message("Back"))
        let later = bench.advance(.milliseconds(1_500))
        expectEqual(later.joinCount, 0)
    }

    @Test("CHAT-143 A second copy of an agent's message ends no recovery, also while there is a hole")
    func repeatedWords() {
        var bench = Bench()
        bench.startAndJoin()
        let known = bench.message("Hello")
        bench.receive(known)
        bench.receive(bench.transient(.systemMessage(.error, message: "Error: Conversation not found")))
        _ = bench.message("Lost")
        bench.receive(bench.journaled(.userMessage(messageID: "u", text: "from elsewhere")))
        bench.receive(known)
        let later = bench.advance(.milliseconds(1_500))
        expectEqual(later.joinCount, 1)
    }

    @Test("LOG-275 Nothing of a conversation reaches a log, at any level")
    func logs() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("my secret text")
        bench.receive(bench.message("an answer in confidence"))
        bench.receiveText([UInt8]("garbage in confidence".utf8))
        bench.close(4001)
        bench.advance(.seconds(1))
        bench.reply(401, "{\"message\":\"garbage in confidence\"}")
        let lines = bench.outputs.compactMap { if case .log(_, let text) = $0 { text } else { nil } }
        #expect(!lines.isEmpty)
        for secret in ["secret", "confidence", Bench.token, "s-1"] {
            let leaks = lines.filter { $0.contains(secret) }
            #expect(leaks.isEmpty)
        }
    }
}
