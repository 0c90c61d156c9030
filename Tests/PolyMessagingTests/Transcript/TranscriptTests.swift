import Clocks
import Expectations
import Foundation
import MessagingWire
import PolyMessaging
import Testing

@Suite("Chat transcript")
struct TranscriptTests {
    /// A bench in a chat, with the agent's name known.
    func joined(progressive: Bool = false) -> Bench {
        var bench = Bench(progressive: progressive)
        bench.startAndJoin()
        return bench
    }

    @Test("UI-220 An open socket is an open connection without a failure")
    func open() {
        var bench = Bench()
        bench.startAndOpen()
        expectEqual(bench.transcript.connection, .open)
        #expect(bench.transcript.isReady)
        expectEqual(bench.transcript.failureReason, nil)
        expectEqual(bench.core.openSince, bench.now)
        bench.fail()
        #expect(!bench.transcript.isReady)
    }

    @Test("UI-221 SESSION_START starts the chat")
    func started() {
        let bench = joined()
        #expect(bench.transcript.hasStarted)
        #expect(!bench.transcript.hasEnded)
    }

    @Test(
        "UI-222 An end by the server has a pill",
        arguments: ["REASON_NATURAL_END", "REASON_USER_END"] as [String])
    func endedByServer(_ reason: String) {
        var bench = joined()
        bench.receive(bench.journaled(.sessionEnd(reason: reason)))
        #expect(bench.transcript.hasEnded)
        expectEqual(bench.pills, [.conversationEnded(reason: reason)])
    }

    @Test("UI-223, UI-246 An end by the user has none, also when the server confirms it")
    func endedByUser() {
        var bench = joined()
        bench.give(.end(reason: "user_ended", bench.call()))
        #expect(bench.transcript.hasEnded)
        bench.receive(bench.journaled(.userEndSession))
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_USER_END")))
        bench.close(1000)
        #expect(bench.pills.isEmpty)
        expectEqual(bench.outputs.count(.end), 1)
    }

    @Test("UI-224, UI-226, UI-245 The agent's message is one bubble with its suggestions in order")
    func agentMessage() {
        var bench = joined()
        bench.receive(bench.message("Welcome", suggestions: ["a", "b"]))
        expectEqual(bench.agentBubbles.map(\.agentKind), [.poly])
        expectEqual(bench.agentBubbles.map(\.agentName), ["Juno"])
        expectEqual(bench.agentBubbles.first?.suggestions.map(\.messageText), ["a", "b"])
        #expect(bench.transcript.connection == .open && !bench.transcript.hasEnded)
        expectEqual(bench.transcript.failureReason, nil)
    }

    @Test("UI-225, UI-227, UI-228 Attachments, call actions and the avatar surface")
    func parts() throws {
        var bench = joined()
        let message = WireMessage(
            messageID: "m", text: "Look",
            parts: WireParts(
                attachments: [
                    WireAttachment(contentType: .image, contentURL: "https://assets.test/plan.png")
                ],
                callActions: [WireCallAction(title: "Call", contactNumber: "1")]),
            sender: WirePerson(name: "Ada", avatarURL: "https://assets.test/ada.png"))
        bench.receive(bench.journaled(.agentMessage(message)))
        let bubble = try #require(bench.agentBubbles.last)
        expectEqual(bubble.attachments.map(\.contentType), [.image])
        expectEqual(bubble.callActions.map(\.contactNumber), ["1"])
        expectEqual(bubble.agentName, "Ada")
        expectEqual(bench.transcript.agentAvatarUrl, URL(string: "https://assets.test/ada.png"))
    }

    @Test("UI-229, UI-230, UI-263 Dots come with thinking and typing, and go with words, STOPPED or 10 s")
    func dots() {
        var bench = joined()
        bench.receive(bench.transient(.agentThinking))
        bench.advance(.milliseconds(9_999))
        #expect(bench.transcript.isAgentTyping)
        bench.advance(.milliseconds(1))
        #expect(!bench.transcript.isAgentTyping)
        bench.receive(bench.transient(.liveAgentTyping(.started, WirePerson())))
        #expect(bench.transcript.isAgentTyping)
        bench.receive(bench.transient(.liveAgentTyping(.stopped, WirePerson())))
        #expect(!bench.transcript.isAgentTyping)
    }

    @Test("UI-263 Chunks keep the dots on in completed mode, and take them off in progressive mode")
    func dotsOfChunks() {
        var completed = joined()
        completed.receive(completed.transient(.agentThinking))
        completed.advance(.seconds(9))
        completed.receive(completed.chunk("a", 1))
        completed.advance(.seconds(9))
        #expect(completed.transcript.isAgentTyping)
        completed.receive(completed.chunk("", 2, last: true))
        #expect(!completed.transcript.isAgentTyping)
        var progressive = joined(progressive: true)
        progressive.receive(progressive.transient(.agentThinking))
        progressive.receive(progressive.chunk("a", 1))
        #expect(!progressive.transcript.isAgentTyping)
    }

    @Test(
        "UI-263 Handoffs, failures, joins, leavings and ends take the dots off",
        arguments: [
            .agentTriggeredHandoff, .clientHandoffRequired(reason: nil, queueName: nil, route: nil),
            .handoffFailed(reason: nil), .handoffTimeout(reason: nil), .liveAgentJoined(WirePerson()),
            .liveAgentLeft(WirePerson(), reason: nil), .agentLeft(reason: nil), .sessionEnd(reason: nil),
        ] as [WirePayload])
    func dotsOff(_ payload: WirePayload) {
        var bench = joined()
        bench.receive(bench.transient(.agentThinking))
        bench.receive(bench.journaled(payload))
        #expect(!bench.transcript.isAgentTyping)
    }

    @Test("UI-231, UI-232 A sent message is pending at once, and sent with its echo")
    func delivery() {
        var bench = joined()
        bench.send("Hi")
        expectEqual(bench.userBubbles.map(\.text), ["Hi"])
        expectEqual(bench.userBubbles.map(\.delivery), [.pending])
        bench.receive(bench.echo())
        expectEqual(bench.userBubbles.map(\.delivery), [.sent])
    }

    @Test("UI-233, UI-234, UI-269 Live agent: pill, avatar, bubbles of their kind with the joined name")
    func liveAgent() {
        var bench = joined()
        let person = WirePerson(id: "7", name: "Grace", avatarURL: "https://assets.test/grace.png")
        bench.receive(bench.journaled(.liveAgentJoined(person)))
        bench.receive(bench.journaled(.liveAgentMessage(WireMessage(messageID: "m", text: "Hi"))))
        expectEqual(bench.pills, [.liveAgentJoined(name: "Grace")])
        expectEqual(bench.agentBubbles.map(\.agentKind), [.live])
        expectEqual(bench.agentBubbles.map(\.agentName), ["Grace"])
        expectEqual(bench.agentBubbles.first?.avatarUrl, bench.transcript.agentAvatarUrl)
        expectEqual(bench.transcript.agentAvatarUrl, URL(string: "https://assets.test/grace.png"))
    }

    @Test("UI-235, UI-262 A live agent who left ends the chat, and one pill says so")
    func liveAgentLeft() {
        var bench = joined()
        bench.receive(bench.journaled(.liveAgentLeft(WirePerson(), reason: "done")))
        #expect(bench.transcript.hasEnded)
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        expectEqual(bench.pills, [.conversationEnded(reason: "done")])
    }

    @Test(
        "UI-236 to UI-239, UI-247, UI-264, UI-265 Each kind of notice has its pill",
        arguments: [
            (.agentTriggeredHandoff, .handoffStarted),
            (
                .handoffQueueStatus(WireQueueStatus(position: 2)),
                .queueStatus(position: 2, displayMessage: nil)
            ),
            (.handoffFailed(reason: "busy"), .handoffFailed(reason: "busy")),
            (.handoffTimeout(reason: nil), .handoffTimeout),
            (.handoffAccepted(queueName: nil), .handoffAccepted),
            (.systemMessage(.warning, message: "slow"), .serverMessage(text: "slow", level: .warning)),
            (
                .clientHandoffRequired(reason: "POLICY", queueName: nil, route: "tel:1"),
                .handoffRequired(reason: "tel:1")
            ),
            (
                .clientHandoffRequired(reason: "POLICY", queueName: nil, route: nil),
                .handoffRequired(reason: "POLICY")
            ), (.sessionIdleWarning, .idleWarning),
        ] as [(WirePayload, SystemEvent)])
    func pills(_ payload: WirePayload, _ pill: SystemEvent) {
        var bench = joined()
        bench.receive(bench.journaled(payload))
        expectEqual(bench.pills, [pill])
    }

    @Test("UI-240 A replayed user message is a sent bubble, once for each id")
    func replayedUserMessage() {
        var transcript = ChatTranscript(isProgressive: false, generator: SeededGenerator(seed: 1))
        let date = Date(nanosecondsSince1970: 5_000_000_000)
        let envelope = Envelope(id: "e-1", sequence: 4, timestamp: date)
        let event = ClientUpdate.event(
            .userMessage(envelope, UserMessageEchoPayload(messageId: "m", text: "Hi")))
        transcript.apply(event, at: Instant(secondsSince1970: 9))
        transcript.apply(event, at: Instant(secondsSince1970: 9))
        expectEqual(transcript.messages.map(\.text), ["Hi"])
        expectEqual(transcript.messages.map(\.delivery), [.sent])
        expectEqual(transcript.messages.map(\.timestamp), [date])
    }

    @Test("UI-241, UI-256, UI-257 Progressive bubbles grow under one id; completed ones come whole")
    func rendering() throws {
        var progressive = joined(progressive: true)
        var completed = joined()
        let first = progressive.chunk("Hel", 1)
        progressive.receive(first)
        completed.receive(first)
        expectEqual(progressive.texts, ["Hel"])
        #expect(completed.texts.isEmpty)
        let id = try #require(progressive.agentBubbles.first?.id)
        let date = progressive.agentBubbles.first?.timestamp
        completed.sequence = progressive.sequence
        let lasts = [progressive.chunk("lo", 2), progressive.chunk(nil, 3, last: true, suggestions: ["yes"])]
        progressive.advance(.seconds(1))
        for last in lasts {
            progressive.receive(last)
            completed.receive(last)
        }
        expectEqual(progressive.texts, ["Hello"])
        expectEqual(completed.texts, ["Hello"])
        expectEqual(progressive.agentBubbles.map(\.id), [id])
        expectEqual(progressive.agentBubbles.first?.timestamp, date)
        expectEqual(progressive.agentBubbles.first?.suggestions.map(\.messageText), ["yes"])
        expectEqual(progressive.agentBubbles.first?.agentName, "Juno")
    }

    @Test("UI-256 A stream of nothing leaves no bubble")
    func emptyStream() {
        var bench = joined(progressive: true)
        bench.receive(bench.chunk("", 1))
        bench.receive(bench.chunk("", 2, last: true))
        #expect(bench.transcript.messages.isEmpty)
    }

    @Test("UI-256 An abandoned stream keeps its bubble before the next one")
    func abandonedStream() {
        var bench = joined(progressive: true)
        bench.receive(bench.chunk("one", 1, id: "a"))
        bench.receive(bench.chunk("two", 1, id: "b"))
        bench.receive(bench.chunk("!", 2, id: "b", last: true))
        expectEqual(bench.texts, ["one", "two!"])
    }

    @Test(
        "CHAT-136 A late chunk finds the row of any reply that is kept for it, and starts no row of its own")
    func lateChunk() {
        var bench = joined(progressive: true)
        let replies = (0...MessagingLimits.maxEndedStreams).map { "\($0)" }
        for id in replies { bench.receive(bench.chunk("b", 2, id: id, last: true)) }
        let rows = bench.transcript.messages.map(\.id)
        bench.receive(bench.chunk("a", 1, id: replies[0]))
        expectEqual(bench.transcript.messages.map(\.id), rows)
    }

    @Test("UI-242 removeMessage takes the draft's bubble away")
    func removeMessage() {
        var bench = joined()
        bench.send("one")
        bench.send("two")
        bench.transcript.removeMessage(draftID: bench.outputs.pending[0])
        expectEqual(bench.texts, ["two"])
    }

    @Test("UI-243 clearSuggestions empties those of one message")
    func clearSuggestions() throws {
        var bench = joined()
        bench.receive(bench.message("a", id: "a", suggestions: ["x"]))
        bench.receive(bench.message("b", id: "b", suggestions: ["y"]))
        let id = try #require(bench.agentBubbles.first?.id)
        bench.transcript.clearSuggestions(of: id)
        expectEqual(bench.agentBubbles.map(\.suggestions.count), [0, 1])
    }

    @Test("UI-244 clearChat empties messages and flags")
    func clearChat() {
        var bench = joined()
        bench.receive(bench.message("a"))
        bench.receive(bench.journaled(.sessionEnd(reason: nil)))
        bench.transcript.clearChat()
        #expect(bench.transcript.messages.isEmpty)
        #expect(!bench.transcript.hasStarted && !bench.transcript.hasEnded)
    }

    @Test("UI-248 The whole ladder of a handoff shows in order")
    func ladder() {
        var bench = joined()
        bench.receive(bench.journaled(.agentTriggeredHandoff))
        bench.receive(bench.journaled(.handoffAccepted(queueName: nil)))
        bench.receive(bench.journaled(.handoffQueueStatus(WireQueueStatus(position: 2))))
        bench.receive(bench.journaled(.liveAgentJoined(WirePerson(name: "Grace"))))
        bench.receive(bench.transient(.liveAgentTyping(.started, WirePerson())))
        bench.receive(bench.journaled(.liveAgentMessage(WireMessage(messageID: "m", text: "Hi"))))
        bench.receive(bench.journaled(.liveAgentLeft(WirePerson(), reason: nil)))
        expectEqual(
            bench.pills,
            [
                .handoffStarted, .handoffAccepted, .queueStatus(position: 2, displayMessage: nil),
                .liveAgentJoined(name: "Grace"), .conversationEnded(reason: nil),
            ])
        expectEqual(bench.texts, ["Hi"])
        #expect(!bench.transcript.isAgentTyping)
        #expect(bench.transcript.hasEnded)
    }

    @Test(
        "UI-249, UI-250 A failed or timed-out handoff neither ends nor fails the chat",
        arguments: [.handoffFailed(reason: nil), .handoffTimeout(reason: nil)] as [WirePayload])
    func handoffFailure(_ payload: WirePayload) {
        var bench = joined()
        bench.receive(bench.journaled(.handoffQueueStatus(WireQueueStatus(position: 2))))
        bench.receive(bench.journaled(payload))
        #expect(!bench.transcript.hasEnded)
        expectEqual(bench.transcript.failureReason, nil)
    }

    @Test("UI-251 A drop shows as reconnecting, never as closed, and keeps the messages")
    func drop() {
        var bench = joined()
        bench.receive(bench.message("a"))
        bench.close(1006)
        expectEqual(bench.transcript.connection, .reconnecting(attempt: 1))
        bench.reconnect()
        expectEqual(bench.texts, ["a"])
        expectEqual(bench.transcript.connection, .open)
        expectEqual(bench.transcript.failureReason, nil)
        let closed = bench.outputs.statuses.filter { if case .closed = $0 { true } else { false } }
        #expect(closed.isEmpty)
    }

    @Test("UI-252, UI-261 A new session clears messages, flags, avatar and dots; the first clears nothing")
    func newSession() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.send("early")
        bench.answer()
        bench.answer()
        expectEqual(bench.texts, ["early"])
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        bench.receive(bench.journaled(.agentJoined(name: "Juno", avatarURL: "https://assets.test/j.png")))
        bench.receive(bench.transient(.agentThinking))
        bench.give(.startNewSession(bench.call()))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        #expect(bench.transcript.messages.isEmpty)
        #expect(!bench.transcript.hasStarted && !bench.transcript.isAgentTyping)
        expectEqual(bench.transcript.agentAvatarUrl, nil)
        bench.open()
        bench.sequence = 0
        var start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        start.id = "start-2"
        var greeting = bench.message("Hello again", id: "g")
        greeting.id = "greeting-2"
        bench.batch([start, greeting])
        expectEqual(bench.texts, ["Hello again"])
        #expect(bench.transcript.hasStarted)
    }

    @Test("UI-258 An invalid token is the failure")
    func invalidToken() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(401)
        expectEqual(bench.transcript.failureReason, .auth(.unauthorized))
        expectEqual(bench.transcript.connection, .failed(reason: .auth(.unauthorized)))
    }

    @Test("UI-259 A failed connection shows, without dots; the next open one clears the failure")
    func failed() {
        var bench = Bench { $0.reconnectAttempts = 1 }
        bench.startAndJoin()
        bench.receive(bench.transient(.agentThinking))
        bench.close(1006)
        bench.advance(.seconds(2))
        bench.fail()
        expectEqual(bench.transcript.failureReason, .session(.maxReconnectAttemptsExceeded))
        #expect(bench.transcript.connection.isFailed && !bench.transcript.isAgentTyping)
        bench.give(.foregrounded)
        bench.open()
        expectEqual(bench.transcript.failureReason, nil)
    }

    @Test("UI-260 An expired session ends the chat and is the failure, without a pill")
    func expired() {
        var bench = joined()
        bench.advance(.seconds(601))
        #expect(bench.transcript.hasEnded)
        expectEqual(bench.transcript.failureReason, .session(.sessionExpired))
        #expect(bench.pills.isEmpty)
    }

    @Test("UI-262 There is one pill for the end of a conversation")
    func oneEndPill() {
        var transcript = ChatTranscript(isProgressive: false, generator: SeededGenerator(seed: 1))
        for reason in ["agent_ended", "REASON_NATURAL_END"] {
            let envelope = Envelope(id: reason, sequence: nil, timestamp: Date(nanosecondsSince1970: 0))
            transcript.apply(
                .event(.sessionEnd(envelope, SessionEndPayload(reason: reason))),
                at: Instant(secondsSince1970: 0))
        }
        expectEqual(transcript.messages.count, 1)
    }

    @Test("UI-266 An agent who left only takes the dots off")
    func agentLeft() {
        var bench = joined()
        bench.receive(bench.journaled(.agentLeft(reason: nil)))
        #expect(bench.transcript.messages.isEmpty && !bench.transcript.hasEnded)
    }

    @Test("UI-267 Connecting and closing show, too")
    func everyStatus() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        expectEqual(bench.transcript.connection, .connecting)
        bench.answer()
        bench.answer()
        bench.open()
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        expectEqual(bench.transcript.connection, .closing)
        bench.close(1000)
        let event = ConnectionCloseEvent(code: 1000, reason: "", wasClean: true)
        expectEqual(bench.transcript.connection, .closed(event))
        #expect(!bench.transcript.hasEnded)
    }

    @Test("UI-268 A resumed chat has the order and the times of the conversation")
    func resumedChat() {
        var bench = Bench()
        let start = bench.now
        bench.give(.start(stored: SessionTests.record(in: bench)))
        bench.open()
        var history = [
            bench.journaled(.sessionStart(WireCapabilities(), contextID: nil)),
            bench.journaled(.agentJoined(name: nil, avatarURL: nil)), bench.message("Hello", id: "a"),
            bench.journaled(.userMessage(messageID: "u", text: "Hi")), bench.message("How are you?", id: "b"),
        ]
        for index in history.indices { history[index].at = start - .seconds(Int64(100 - index)) }
        bench.batch(history.reversed())
        expectEqual(bench.texts, ["Hello", "Hi", "How are you?"])
        let dates = (2...4).map {
            Date(nanosecondsSince1970: (start - .seconds(Int64(100 - $0))).nanoseconds)
        }
        expectEqual(bench.transcript.messages.map(\.timestamp), dates)
        expectEqual(bench.outputs.joinCount, 0)
    }

    @Test("UI-270 After a failure resume comes back to the same session with its messages")
    func resumeAfterFailure() {
        var bench = Bench { $0.reconnectAttempts = 1 }
        bench.startAndJoin()
        bench.receive(bench.message("a"))
        bench.close(1006)
        bench.advance(.seconds(2))
        bench.fail()
        let call = bench.call()
        bench.give(.resume(call))
        expectEqual(bench.outputs.result(call), nil)
        bench.open()
        expectEqual(bench.outputs.result(call), .some(nil))
        expectEqual(bench.texts, ["a"])
        expectEqual(bench.outputs.sessions, ["s-1"])
        expectEqual(bench.outputs.queries.last?.hasSuffix("session_id=s-1&cursor=4"), true)
    }

    @Test(
        "UI-270 Resume does nothing to a healthy connection, starts again after a failed start, and fails after the end"
    )
    func resumeOtherwise() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(400)
        let again = bench.call()
        bench.give(.resume(again))
        bench.answer()
        bench.answer()
        bench.open()
        expectEqual(bench.outputs.result(again), .some(nil))
        let healthy = bench.call()
        let outputs = bench.give(.resume(healthy))
        expectEqual(outputs, [.finished(healthy, nil)])
        bench.give(.end(reason: "user_ended", bench.call()))
        let late = bench.call()
        bench.give(.resume(late))
        expectEqual(bench.outputs.result(late), .session(.sessionEnded(reason: "user_ended")))
    }
}
