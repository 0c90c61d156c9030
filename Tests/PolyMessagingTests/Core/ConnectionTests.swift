import Clocks
import Expectations
import Foundation
import MessagingWire
import PolyMessaging
import Testing

@Suite("Connection")
struct ConnectionTests {
    @Test("CONN-147 The URL has the access token and the session id")
    func url() {
        var bench = Bench()
        bench.start()
        expectEqual(bench.outputs.queries, ["access_token=\(Bench.token)&session_id=s-1"])
    }

    @Test("CONN-147 The base URL keeps its own query, and what means something in a query is escaped")
    func urlQuery() throws {
        let base = try #require(URL(string: "ws://mock.test:81/ws?tenant=a%20b#top"))
        let url = SocketURL.make(base: base, accessToken: "a+b&c=d", sessionID: "ü", cursor: 7)
        expectEqual(
            url?.absoluteString,
            "ws://mock.test:81/ws?tenant=a%20b&access_token=a%2Bb%26c%3Dd&session_id=%C3%BC&cursor=7")
    }

    @Test("CONN-148 Connecting to another session dials again")
    func anotherSession() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.startNewSession(bench.call()))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        expectEqual(bench.outputs.queries.last, "access_token=\(Bench.token)&session_id=s-2")
        expectEqual(bench.dialled.count, 2)
    }

    /// protocol.md#close-codes-of-sdks
    @Test("CONN-149, CONN-150 After close 1000 or 4000 nobody reconnects", arguments: [1000, 4000] as [Int])
    func finalCloses(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(code, "bye")
        let later = bench.advance(.minutes(5))
        #expect(later.dialled.isEmpty)
        let event = ConnectionCloseEvent(code: code, reason: "bye", wasClean: true)
        expectEqual(bench.outputs.statuses.last, .closed(event))
    }

    @Test("CONN-150 A client replaced by the server says so, and resume brings it back")
    func replacedByServer() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.close(4000, "elsewhere")
        expectEqual(
            outputs.disconnections,
            [.session(.unexpectedDisconnect(code: 4000, reason: "elsewhere"))])
        let call = bench.call()
        bench.give(.resume(call))
        bench.open()
        expectEqual(bench.outputs.result(call), .some(nil))
        expectEqual(bench.transcript.connection, .open)
    }

    @Test("CONN-151 A disconnect reaches the transport once, with its code")
    func disconnect() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.rawDisconnect(code: 3001, reason: "enough"))
        bench.give(.rawDisconnect(code: 3002, reason: "again"))
        bench.close(3001)
        expectEqual(bench.outputs.closes.map(\.code), [3001])
        expectEqual(bench.outputs.rawCloses.map(\.code), [3001])
    }

    @Test("CONN-151 A peer that does not answer the close is cut off after a second")
    func closeTimeout() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        let before = bench.advance(.milliseconds(999))
        let after = bench.advance(.milliseconds(1))
        #expect(before.closes.isEmpty)
        expectEqual(after.closes.map(\.code), [1006])
        #expect(!bench.transcript.connection.isActive)
    }

    @Test("CONN-152 A raw event goes out as it is")
    func rawSend() {
        var bench = Bench()
        bench.startAndOpen()
        let call = bench.call()
        let outputs = bench.give(.rawEvent(.userTyping(.started), call))
        expectEqual(outputs.sent.map(\.content), [.typing(isStarted: true)])
        expectEqual(outputs.result(call), .some(nil))
    }

    @Test("CONN-153, CONN-169 Limit 0 is unlimited, less and nothing are the default")
    func limits() {
        expectEqual(ConnectionCore.limit(0, fallback: 10), 0)
        expectEqual(ConnectionCore.limit(3, fallback: 10), 3)
        expectEqual(ConnectionCore.limit(-1, fallback: 10), 10)
        expectEqual(ConnectionCore.limit(nil, fallback: 10), 10)
    }

    @Test("CONN-154 Close 4001 after open asks for another session")
    func unknownSession() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.close(4001)
        expectEqual(outputs.stores, [nil])
        let later = bench.advance(.milliseconds(300))
        expectEqual(later.requests.map(\.endpoint), [.accessToken])
    }

    /// protocol.md#refused-upgrades
    @Test(
        "CONN-155 A close before open asks for another session", arguments: [1006, 1008, 4002, 4001] as [Int])
    func closedBeforeOpen(_ code: Int) {
        var bench = Bench()
        bench.start()
        bench.close(code)
        let later = bench.advance(.milliseconds(300))
        expectEqual(later.requests.map(\.endpoint), [.accessToken])
    }

    @Test(
        "CONN-155 A refusal with 429 or 5xx keeps the session", arguments: [429, 500, 503] as [Int])
    func busyServer(_ status: Int) {
        var bench = Bench()
        bench.start()
        bench.fail(.refused(status: status, retryAfter: "7"))
        let early = bench.advance(.milliseconds(6_900))
        let later = bench.advance(.seconds(1))
        #expect(early.dialled.isEmpty)
        expectEqual(later.queries, ["access_token=\(Bench.token)&session_id=s-1"])
        expectEqual(bench.requests.count, 2)
    }

    @Test(
        "CONN-155 A refusal with another status replaces the session",
        arguments: [400, 401, 403, 404] as [Int])
    func refusedUpgrade(_ status: Int) {
        var bench = Bench()
        bench.start()
        bench.fail(.refused(status: status, retryAfter: nil))
        let later = bench.advance(.milliseconds(300))
        expectEqual(later.requests.count, 1)
    }

    @Test("CONN-156 Rolling back the budget of refusals is safe at any time")
    func rollBack() {
        var connection = ConnectionCore(generator: SeededGenerator(seed: 1))
        connection.rollBackRefusal()
        connection.rollBackRefusal()
        let now = Instant(secondsSince1970: 0)
        var refusals = 0
        for attempt in 1...4 {
            _ = connection.connect(at: now)
            let event = ConnectionCloseEvent(code: 1006, reason: "", wasClean: false)
            let outputs = connection.closed(attempt: attempt, event, at: now)
            if outputs.contains(.sessionRefused) { refusals += 1 }
        }
        expectEqual(refusals, 3)
        expectEqual(connection.state, .failed(.session(.sessionExpired)))
    }

    @Test("CONN-157 A shutdown closes the socket once")
    func shutdown() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.shutdown)
        bench.give(.shutdown)
        expectEqual(bench.outputs.closes.map(\.code), [1000])
    }

    @Test("CONN-158 A drop and its recovery are connecting, open, reconnecting 1, connecting, open")
    func dropAndRecovery() {
        var bench = Bench()
        bench.startAndOpen()
        expectEqual(bench.core.openSince, bench.now)
        bench.close(1006)
        expectEqual(bench.core.openSince, nil)
        bench.reconnect()
        expectEqual(
            bench.outputs.statuses,
            [.connecting, .open, .reconnecting(attempt: 1), .connecting, .open])
        expectEqual(bench.dialled.count, 2)
        expectEqual(bench.core.openSince, bench.now)
        expectEqual(bench.transcript.failureReason, nil)
    }

    /// protocol.md#resume-after-a-drop
    @Test("CONN-159 A reconnect has the last sequence as a plain number, and the same session")
    func cursor() {
        var bench = Bench()
        bench.startAndOpen()
        bench.batch((1...12).map { _ in bench.journaled(.joinRequest) })
        bench.close(1006)
        bench.reconnect()
        expectEqual(bench.outputs.queries.last, "access_token=\(Bench.token)&session_id=s-1&cursor=12")
    }

    @Test("CONN-160, CONN-170 With limit 1 the second loss is final")
    func limitOne() {
        var bench = Bench { $0.reconnectAttempts = 1 }
        bench.startAndOpen()
        bench.close(1006)
        bench.advance(.seconds(2))
        let outputs = bench.fail()
        let error = PolyError.session(.maxReconnectAttemptsExceeded)
        expectEqual(outputs.statuses, [.failed(reason: error)])
        expectEqual(outputs.rawCloses.map { $0.reason.lowercased() }, ["max reconnect attempts exceeded"])
        expectEqual(outputs.disconnections, [error])
        expectEqual(bench.transcript.failureReason, error)
    }

    @Test("CONN-161 Five losses in a row count from 1 to 5 without a failure")
    func fiveLosses() {
        var bench = Bench()
        bench.startAndOpen()
        bench.close(1006)
        for _ in 1...4 {
            bench.advance(.seconds(12))
            bench.fail()
        }
        expectEqual(bench.outputs.statuses.compactMap(\.reconnectAttempt), [1, 2, 3, 4, 5])
        #expect(bench.outputs.statuses.filter(\.isFailed).isEmpty)
        expectEqual(bench.dialled.count, 5)
    }

    /// protocol.md#reconnect-budget
    @Test("CONN-162 With limit 3 there is no fourth attempt")
    func limitThree() {
        var bench = Bench { $0.reconnectAttempts = 3 }
        bench.startAndOpen()
        bench.close(1006)
        for _ in 1...3 {
            bench.advance(.seconds(12))
            bench.fail()
        }
        let later = bench.advance(.minutes(5))
        expectEqual(bench.outputs.statuses.compactMap(\.reconnectAttempt), [1, 2, 3])
        expectEqual(bench.outputs.statuses.filter(\.isFailed).count, 1)
        expectEqual(bench.outputs.rawCloses.count, 4)
        #expect(later.dialled.isEmpty)
    }

    @Test("CONN-163 A new session starts without a cursor")
    func cursorOfNewSession() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(4001)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        expectEqual(bench.outputs.queries.last, "access_token=\(Bench.token)&session_id=s-2")
    }

    /// protocol.md#reconnect-backoff
    @Test("CONN-164 Pauses are 1, 2, 4, 8, 16, 30, 30 seconds, a fifth more or less", arguments: 1...20)
    func backoff(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for (index, seconds) in [1, 2, 4, 8, 16, 30, 30, 30].enumerated() {
            let pause = ConnectionCore.backoff(index + 1, &generator)
            #expect(pause >= .milliseconds(Int64(seconds * 800)))
            #expect(pause <= .milliseconds(Int64(seconds * 1_200)))
        }
    }

    @Test(
        "CONN-165 A network fault waits 10 s and does not count as a refusal",
        arguments: [true, false] as [Bool])
    func networkFault(_ byCode: Bool) {
        var bench = Bench()
        bench.start()
        for _ in 1...5 {
            if byCode { bench.close(4003) } else { bench.fail() }
            let early = bench.advance(.milliseconds(9_999))
            let due = bench.advance(.milliseconds(1))
            #expect(early.dialled.isEmpty)
            expectEqual(due.dialled.count, 1)
        }
        expectEqual(bench.requests.count, 2)
    }

    @Test("CONN-165 An attempt that hangs is a network fault after 30 s")
    func hangingAttempt() {
        var bench = Bench()
        bench.start()
        let outputs = bench.advance(.seconds(30))
        expectEqual(outputs.closes.map(\.code), [1006])
        expectEqual(outputs.statuses, [.reconnecting(attempt: 1)])
    }

    @Test("CONN-165 While the network is known to be lost attempts have no limit")
    func knownLoss() {
        var bench = Bench { $0.reconnectAttempts = 2 }
        bench.startAndJoin()
        bench.give(.networkLost)
        for _ in 1...6 {
            bench.advance(.seconds(11))
            bench.fail()
        }
        #expect(!bench.transcript.connection.isFailed)
    }

    /// protocol.md#close-going-away
    @Test(
        "CONN-164 Codes without a meaning of their own reconnect exponentially",
        arguments: [1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1012, 4002, 4999] as [Int])
    func exponentialCodes(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        // A network fault before does not make the pause longer.
        bench.fail()
        bench.advance(.seconds(10))
        bench.open()
        bench.receive(bench.transient(.agentThinking))
        bench.advance(MessagingLimits.goodConnection)
        bench.close(code)
        let early = bench.advance(.milliseconds(799))
        let due = bench.advance(.milliseconds(401))
        #expect(early.dialled.isEmpty)
        expectEqual(due.dialled.count, 1)
        expectEqual(due.queries.first?.contains("cursor=3"), true)
    }

    @Test("CONN-166 Of racing ends of one attempt the first counts")
    func racingCloses() {
        var bench = Bench()
        bench.startAndOpen()
        bench.close(1006)
        bench.close(1000)
        bench.fail()
        expectEqual(bench.outputs.rawCloses.map(\.code), [1006])
        expectEqual(bench.transcript.connection, .reconnecting(attempt: 1))
    }

    @Test("CONN-167 A replaced socket is closed with 1001 and is no drop; the next dial waits 150 ms")
    func replacement() throws {
        var bench = Bench()
        bench.startAndJoin()
        let url = try #require(URL(string: "ws://other.test/ws"))
        let outputs = bench.give(.rawConnect(url))
        let early = bench.advance(.milliseconds(149))
        let due = bench.advance(.milliseconds(1))
        expectEqual(outputs.closes.map(\.code), [1001])
        expectEqual(outputs.rawCloses.map(\.code), [4000])
        #expect(early.dialled.isEmpty)
        expectEqual(due.dialled.map(\.url), [url])
        #expect(bench.outputs.statuses.allSatisfy { !$0.isReconnecting })
    }

    @Test("CONN-168 A binary frame is a protocol error; the connection is made anew")
    func binaryFrame() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.give(.socketBinary(attempt: 1))
        expectEqual(outputs.closes.map(\.code), [1003])
        let faults = outputs.raw.filter {
            if case .fault(.transport(.protocolError)) = $0 { true } else { false }
        }
        expectEqual(faults.count, 1)
        bench.reconnect()
        let later = bench.advance(.seconds(30))
        expectEqual(later.count(.heartbeat), 1)
        #expect(bench.core.sessionState.isReady)
    }

    @Test("CONN-169 With 0 from the server there is no last attempt")
    func unlimited() {
        var bench = Bench { $0.reconnectAttempts = 2 }
        bench.startAndOpen()
        let capabilities = WireCapabilities(maxReconnectAttempts: 0)
        bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        bench.close(1006)
        for _ in 1...30 {
            bench.advance(.seconds(12))
            bench.fail()
        }
        expectEqual(bench.transcript.connection, .reconnecting(attempt: 31))
    }

    @Test("CONN-166 News of an attempt that is over are ignored")
    func staleAttempt() {
        var bench = Bench()
        bench.startAndOpen()
        bench.close(1006)
        bench.reconnect()
        let event = ConnectionCloseEvent(code: 1000, reason: "", wasClean: true)
        let late =
            bench.give(.socketClosed(attempt: 1, event)) + bench.give(.socketOpened(attempt: 1))
            + bench.give(.socketText(attempt: 1, [UInt8]("{}".utf8)))
        #expect(late.isEmpty)
    }
}
