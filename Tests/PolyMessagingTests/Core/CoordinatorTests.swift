import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

@Suite("Client as a whole")
struct CoordinatorTests {
    @Test("CO-196, CO-197 A start is one token, one session, one dial, also when started twice")
    func start() {
        var bench = Bench()
        bench.start()
        bench.give(.start(stored: nil))
        expectEqual(bench.requests.map(\.endpoint), [.accessToken, .sessions])
        expectEqual(bench.dialled.count, 1)
        expectEqual(bench.outputs.sessions, ["s-1"])
    }

    @Test("CO-198 A message reaches the transport once, with its text")
    func send() {
        var bench = Bench()
        bench.startAndJoin()
        let call = bench.call()
        bench.give(.send(text: " Hi \n", metadata: ["page": "home"], call))
        bench.advance(.seconds(11))
        expectEqual(bench.sentMessages.map(\.text), ["Hi"])
        expectEqual(bench.outputs.result(call), .some(nil))
        expectEqual(bench.outputs.sent.last?.customMetadata?.contains("\"page\":\"home\""), true)
    }

    @Test("CO-199 The end sends one end event, waits for its echo, and disconnects once")
    func end() {
        var bench = Bench()
        bench.startAndJoin()
        let call = bench.call()
        let outputs = bench.give(.end(reason: "user_ended", call))
        expectEqual(outputs.count(.end), 1)
        expectEqual(outputs.ends, ["user_ended"])
        expectEqual(outputs.stores, [nil])
        #expect(outputs.closes.isEmpty)
        bench.receive(bench.journaled(.userEndSession))
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_USER_END")))
        expectEqual(bench.outputs.closes.map(\.code), [1000])
        expectEqual(bench.outputs.result(call), .some(nil))
        expectEqual(bench.outputs.ends, ["user_ended"])
        bench.close(1000)
        bench.give(.end(reason: "user_ended", bench.call()))
        expectEqual(bench.outputs.count(.end), 1)
        expectEqual(bench.outputs.closes.count, 1)
    }

    @Test("CO-199 Without an echo the end closes after a second")
    func endWithoutEcho() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.end(reason: "user_ended", bench.call()))
        let early = bench.advance(.milliseconds(999))
        let due = bench.advance(.milliseconds(1))
        #expect(early.closes.isEmpty)
        expectEqual(due.closes.map(\.code), [1000])
    }

    @Test("CO-199 An end without a connection says so, and never fails")
    func endOffline() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        let call = bench.call()
        let outputs = bench.give(.end(reason: nil, call))
        let error = PolyError.session(.sessionEnded(reason: "Connection closed abnormally"))
        expectEqual(outputs.disconnections.first, error)
        expectEqual(outputs.ends, [nil])
        expectEqual(outputs.result(call), .some(nil))
        let later = bench.advance(.minutes(5))
        #expect(later.dialled.isEmpty)
    }

    @Test("CO-200, UI-271 After a shutdown calls are answered with an error and streams are finished once")
    func shutdown() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("lost")
        let outputs = bench.give(.shutdown)
        expectEqual(outputs.last, .finishStreams)
        let late = bench.give(.shutdown) + bench.give(.networkRestored)
        #expect(late.isEmpty)
        #expect(!bench.outputs.stores.contains(nil))
        let call = bench.call()
        bench.send("late")
        bench.give(.resume(call))
        #expect(bench.outputs.result(call) != .some(nil))
        expectEqual(bench.outputs.sentMessages.count, 1)
    }

    @Test("CO-201 An open socket is a connected event")
    func connected() {
        var bench = Bench()
        bench.startAndOpen()
        expectEqual(bench.outputs.events, [.connected])
    }

    @Test("CO-202 An agent's message reaches the events")
    func agentMessage() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.message("Hello"))
        expectEqual(bench.outputs.agentMessages.map(\.text), ["Hello"])
    }

    /// protocol.md#join-once
    @Test("CO-203 SESSION_START brings one join, also over reconnects")
    func join() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        bench.reconnect()
        bench.batch([])
        bench.advance(.seconds(5))
        expectEqual(bench.outputs.joinCount, 1)
    }

    @Test("CO-203 A join the server never got is sent again after the replay")
    func lostJoin() {
        var bench = Bench()
        bench.startAndOpen()
        let start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        bench.batch([start])
        bench.close(1006)
        bench.reconnect()
        bench.batch([start])
        expectEqual(bench.outputs.joinCount, 1)
        bench.advance(.milliseconds(500))
        expectEqual(bench.outputs.joinCount, 2)
    }

    @Test("CO-203 A join the server never got is sent again where nothing is told again, after 3 s, once")
    func lostJoinInSilence() {
        var bench = Bench()
        bench.startAndOpen()
        bench.receive(bench.journaled(.sessionStart(WireCapabilities(), contextID: nil)))
        expectEqual(bench.outputs.joinCount, 1)
        bench.close(1006)
        bench.reconnect()
        bench.advance(.milliseconds(2_900))
        expectEqual(bench.outputs.joinCount, 1)
        bench.advance(.milliseconds(100))
        expectEqual(bench.outputs.joinCount, 2)
        bench.receive(bench.journaled(.joinRequest))
        bench.advance(.seconds(30))
        expectEqual(bench.outputs.joinCount, 2)
    }

    @Test("CO-203 A join the server got although its echo was lost is not sent again")
    func unechoedJoin() {
        var bench = Bench()
        bench.startAndOpen()
        let start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        bench.batch([start])
        bench.close(1006)
        bench.reconnect()
        bench.batch([start])
        bench.batch([bench.journaled(.joinRequest)])
        bench.advance(.seconds(3))
        expectEqual(bench.outputs.joinCount, 1)
    }

    @Test("CO-203 The greeting of the configuration goes with the join")
    func greeting() {
        var bench = Bench { $0.greeting = "Welcome back" }
        bench.startAndOpen()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        expectEqual(bench.outputs.count(.join(greeting: "Welcome back")), 1)
    }

    @Test("CO-204 A new session ends the old one, dials again and joins again")
    func newSession() {
        var bench = Bench()
        bench.startAndJoin()
        let call = bench.call()
        let outputs = bench.give(.startNewSession(call))
        expectEqual(outputs.count(.end), 1)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        expectEqual(bench.outputs.result(call), .some(nil))
        bench.open()
        bench.sequence = 0
        var start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        start.id = "other"
        bench.batch([start])
        expectEqual(bench.outputs.joinCount, 2)
        expectEqual(bench.dialled.count, 2)
    }

    @Test("CO-204 Late words of the old session do not touch the new one")
    func lateWords() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.startNewSession(bench.call()))
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_USER_END")))
        bench.close(1000)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        bench.open()
        expectEqual(bench.core.sessionState.sessionId, "s-2")
        #expect(bench.outputs.ends.isEmpty)
        #expect(!bench.transcript.hasEnded)
    }

    @Test("CO-204 A new session that cannot be made is thrown, and told")
    func newSessionFails() {
        var bench = Bench()
        bench.startAndJoin()
        let call = bench.call()
        bench.give(.startNewSession(call))
        bench.advance(.milliseconds(300))
        for _ in 1...4 {
            bench.replyNothing()
            bench.advance(.seconds(1))
        }
        let error = PolyError.transport(.networkError("no network"))
        expectEqual(bench.outputs.result(call), error)
        expectEqual(bench.outputs.disconnections, [.session(.sessionCreationFailed(.unknown))])
        expectEqual(bench.transcript.failureReason, error)
    }

    @Test("CO-205, UI-253 Offline at the start fails; the network's return makes one session and one dial")
    func offlineStart() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        let call = bench.call()
        bench.give(.send(text: "Hi", metadata: [:], call))
        for _ in 1...4 {
            bench.replyNothing()
            bench.advance(.seconds(1))
        }
        expectEqual(bench.outputs.result(call), .transport(.networkError("no network")))
        expectEqual(bench.requestCount(.sessions), 0)
        #expect(bench.dialled.isEmpty)
        expectEqual(bench.transcript.messages.map(\.delivery), [.failed])
        bench.give(.networkRestored)
        bench.give(.networkRestored)
        bench.answer()
        bench.answer()
        bench.open()
        expectEqual(bench.requestCount(.sessions), 1)
        expectEqual(bench.dialled.count, 1)
        let later = bench.call()
        bench.give(.send(text: "Hi again", metadata: [:], later))
        expectEqual(bench.outputs.result(later), .some(nil))
    }

    @Test("CO-206 A lost network drops the socket at once with 1006, and is looked for every 3 s")
    func networkLost() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.give(.networkLost)
        expectEqual(outputs.closes.map(\.code), [1006])
        expectEqual(outputs.statuses, [.reconnecting(attempt: 1)])
        let polls = bench.advance(.seconds(9)).filter { $0 == .checkNetwork }
        expectEqual(polls.count, 3)
    }

    @Test("CO-207 A network that returns dials at once")
    func networkRestored() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.networkLost)
        let outputs = bench.give(.networkRestored)
        expectEqual(outputs.dialled.count, 1)
        bench.open()
        expectEqual(bench.transcript.connection, .open)
        let later = bench.advance(.seconds(30))
        #expect(!later.contains(.checkNetwork))
    }

    @Test("CO-207 A network that returns revives even a failed connection")
    func networkRevives() {
        var bench = Bench.failed()
        #expect(bench.transcript.connection.isFailed)
        bench.give(.networkRestored)
        bench.open()
        expectEqual(bench.transcript.connection, .open)
        expectEqual(bench.transcript.failureReason, nil)
    }

    @Test("CO-208 Close 4001 brings a second session and a second dial")
    func unknownSession() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(4001)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        expectEqual(bench.requestCount(.sessions), 2)
        expectEqual(bench.dialled.count, 2)
    }

    @Test("CO-209 Coming to the front dials when the session has no connection")
    func foreground() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        let outputs = bench.give(.foregrounded)
        expectEqual(outputs.dialled.count, 1)
        bench.open()
        let again = bench.give(.foregrounded)
        #expect(again.dialled.isEmpty)
    }

    @Test("CO-210 After refused handshakes one later event is delivered once")
    func refusedHandshakes() {
        var bench = Bench()
        bench.start()
        for round in 2...4 {
            bench.close(1006)
            bench.advance(.milliseconds(300))
            bench.answer()
            bench.answer(session: "s-\(round)")
        }
        bench.open()
        let event = bench.message("at last")
        bench.receive(event)
        bench.receive(event)
        expectEqual(bench.outputs.agentMessages.count, 1)
        expectEqual(bench.outputs.sessions, ["s-1", "s-2", "s-3", "s-4"])
    }

    @Test("CO-211 The fourth 4001 in a row is final", arguments: [true, false] as [Bool])
    func fourRefusals(_ opens: Bool) {
        var bench = Bench()
        bench.start()
        for round in 2...5 {
            if opens { bench.open() }
            bench.close(4001)
            bench.advance(.milliseconds(300))
            if round < 5 {
                bench.answer()
                bench.answer(session: "s-\(round)")
            }
        }
        let later = bench.advance(.minutes(5))
        expectEqual(bench.requestCount(.sessions), 4)
        expectEqual(bench.dialled.count, 4)
        expectEqual(bench.transcript.connection, .failed(reason: .session(.sessionExpired)))
        #expect(later.requests.isEmpty && later.dialled.isEmpty)
    }

    @Test("CO-212 Expiry ends the chat: socket closed, drafts failed, failure visible")
    func expiry() {
        var bench = Bench()
        bench.startAndJoin()
        bench.advance(.seconds(595))
        let outputs = bench.advance(.seconds(6))
        expectEqual(outputs.closes.map(\.code), [1000])
        expectEqual(outputs.disconnections, [.session(.sessionExpired)])
        expectEqual(outputs.stores, [nil])
        #expect(bench.transcript.hasEnded)
        expectEqual(bench.transcript.failureReason, .session(.sessionExpired))
        let call = bench.call()
        bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(bench.outputs.result(call), .session(.sessionExpired))
        let later = bench.advance(.hours(1))
        expectEqual(later.count(.heartbeat), 0)
    }

    @Test("CO-212 The next session expires too")
    func expiryAgain() {
        var bench = Bench()
        bench.startAndJoin()
        bench.advance(.seconds(601))
        bench.give(.startNewSession(bench.call()))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        bench.open()
        bench.advance(.seconds(601))
        expectEqual(bench.outputs.disconnections.filter { $0 == .session(.sessionExpired) }.count, 2)
    }

    @Test("CO-212 Idleness is noticed with heartbeats off")
    func expiryWithoutHeartbeats() {
        var bench = Bench { $0.heartbeatInterval = nil }
        bench.startAndOpen()
        bench.advance(.seconds(601))
        expectEqual(bench.core.sessionState.status, .expired)
    }

    @Test("CO-213 Capabilities count before the next event of the same batch")
    func capabilities() {
        var bench = Bench()
        bench.startAndOpen()
        let capabilities = WireCapabilities(maxMessageSizeBytes: 150)
        bench.batch([
            bench.journaled(.sessionStart(capabilities, contextID: nil)), bench.journaled(.joinRequest),
        ])
        let call = bench.call()
        bench.give(.send(text: String(repeating: "x", count: 60), metadata: [:], call))
        expectEqual(bench.outputs.result(call), .message(.payloadTooLarge(maxBytes: 150)))
        #expect(bench.outputs.pending.isEmpty)
    }

    @Test("CO-214 SESSION_END clears the store, closes the socket and ends sending")
    func sessionEnd() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        expectEqual(outputs.stores, [nil])
        expectEqual(outputs.closes.map(\.code), [1000])
        let call = bench.call()
        bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(bench.outputs.result(call), .session(.sessionEnded(reason: "REASON_NATURAL_END")))
        let later = bench.advance(.hours(1))
        #expect(later.frames.isEmpty && later.dialled.isEmpty)
    }

    @Test("CO-215 A connection older than two hours is made anew with the cursor")
    func oldConnection() {
        var bench = Bench { $0.sessionTimeout = .hours(10) }
        bench.startAndJoin()
        let exactly = bench.advance(.seconds(7_200))
        let later = bench.advance(.seconds(2))
        #expect(exactly.closes.isEmpty)
        expectEqual(later.closes.map(\.code), [1006])
        expectEqual(later.queries.first?.hasSuffix("cursor=3"), true)
    }

    /// protocol.md#typing-is-a-state
    @Test("CO-216 STARTED at most every 3 s, STOPPED 5 s after the last keystroke")
    func typing() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.typing(bench.call()))
        bench.advance(.milliseconds(2_999))
        bench.give(.typing(bench.call()))
        expectEqual(bench.outputs.count(.typing(isStarted: true)), 1)
        bench.advance(.milliseconds(1))
        bench.give(.typing(bench.call()))
        expectEqual(bench.outputs.count(.typing(isStarted: true)), 2)
        let early = bench.advance(.milliseconds(4_999))
        let due = bench.advance(.milliseconds(1))
        expectEqual(early.count(.typing(isStarted: false)), 0)
        expectEqual(due.count(.typing(isStarted: false)), 1)
        bench.give(.typing(bench.call()))
        expectEqual(bench.outputs.count(.typing(isStarted: true)), 3)
    }

    @Test("CO-216 Nobody is told of typing without a connection")
    func typingOffline() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.typing(bench.call()))
        bench.close(1006)
        let call = bench.call()
        let outputs = bench.give(.typing(call))
        #expect(outputs.frames.isEmpty)
        expectEqual(outputs.result(call), .some(nil))
        bench.reconnect()
        let later = bench.advance(.seconds(6))
        expectEqual(later.count(.typing(isStarted: false)), 0)
    }

    @Test(
        "CO-217 After the end neither network nor foreground make anything",
        arguments: [true, false] as [Bool])
    func signalsAfterEnd(_ expires: Bool) {
        var bench = Bench()
        bench.startAndJoin()
        if expires { bench.advance(.seconds(601)) } else { bench.give(.end(reason: nil, bench.call())) }
        bench.advance(.seconds(5))
        let outputs =
            bench.give(.networkLost) + bench.give(.networkRestored) + bench.give(.foregrounded)
            + bench.advance(.minutes(20))
        #expect(outputs.requests.isEmpty && outputs.dialled.isEmpty)
    }

    @Test("CO-218 Coming to the front after a long sleep expires the session")
    func foregroundAfterSleep() {
        var bench = Bench()
        bench.startAndJoin()
        bench.now = bench.now + .hours(2)
        bench.give(.foregrounded)
        expectEqual(bench.core.sessionState.status, .expired)
        #expect(bench.transcript.hasEnded)
    }
}
