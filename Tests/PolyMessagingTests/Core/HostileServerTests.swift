import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

/// Servers that make no sense: the attempts are bounded, the pauses grow, and the words say why.
@Suite("A hostile server")
struct HostileServerTests {
    private static let start = WireCapabilities(maxReconnectAttempts: 5)

    /// Opens, hears SESSION_START where `isStarted`, and is closed at once.
    private func openAndClose(_ bench: inout Bench, _ code: Int, isStarted: Bool) {
        bench.open()
        if isStarted { bench.batch([bench.journaled(.sessionStart(Self.start, contextID: nil))]) }
        bench.close(code)
    }

    /// Lets time pass until the next dial, an hour at most, with new sessions for whoever asks. Nil: there is none.
    private func untilDial(_ bench: inout Bench, lifetime: Int = 86_400) -> Interval? {
        let (begun, count) = (bench.now, bench.dialled.count)
        while bench.dialled.count == count, !bench.transcript.connection.isFailed,
            bench.now - begun < .hours(1), let next = bench.core.nextDeadline
        {
            let requests = bench.requests.count
            bench.advance(next - bench.now)
            guard bench.requests.count > requests else { continue }
            bench.answer(lifetime: lifetime)
            bench.advance(.milliseconds(50))
            bench.answer()
        }
        return bench.dialled.count > count ? bench.now - begun : nil
    }

    @Test(
        "A connection that opens and closes at once is no success: the pauses grow, the attempts end",
        arguments: [(1011, true), (1011, false), (1006, true), (1006, false)] as [(Int, Bool)])
    func closedAtOnce(_ code: Int, _ isStarted: Bool) {
        var bench = Bench()
        bench.start()
        var pauses: [Interval] = []
        openAndClose(&bench, code, isStarted: isStarted)
        while let pause = untilDial(&bench) {
            pauses.append(pause)
            openAndClose(&bench, code, isStarted: isStarted)
        }
        expectEqual(pauses.count, isStarted ? 5 : MessagingLimits.reconnectAttempts)
        for (number, pause) in pauses.enumerated() {
            let seconds = Int64(min(30, 1 << number))
            #expect(pause >= .milliseconds(800 * seconds) && pause <= .milliseconds(1_200 * seconds))
        }
        expectEqual(bench.transcript.failureReason, .session(.maxReconnectAttemptsExceeded))
        expectEqual(bench.requests.count, 2)
    }

    @Test("A connection that lasted after SESSION_START is good: the next loss is the first again")
    func goodConnection() {
        var bench = Bench()
        bench.start()
        openAndClose(&bench, 1011, isStarted: true)
        _ = untilDial(&bench)
        bench.open()
        bench.receive(bench.message("here"))
        bench.advance(MessagingLimits.goodConnection)
        bench.close(1011)
        expectEqual(bench.transcript.connection, .reconnecting(attempt: 1))
    }

    @Test("A moment less is not enough, with words and without", arguments: [true, false] as [Bool])
    func notGood(_ isSilent: Bool) {
        var bench = Bench()
        bench.start()
        openAndClose(&bench, 1011, isStarted: true)
        _ = untilDial(&bench)
        bench.open()
        if !isSilent { bench.receive(bench.message("here")) }
        bench.advance(MessagingLimits.goodConnection - .milliseconds(1))
        bench.close(1011)
        expectEqual(bench.transcript.connection, .reconnecting(attempt: 2))
    }

    @Test(
        "A server that has nothing new to say may be silent: every connection of an idle user is a good one")
    func idleUser() {
        var bench = Bench()
        bench.start()
        openAndClose(&bench, 1011, isStarted: true)
        for _ in 0..<(3 * MessagingLimits.reconnectAttempts) {
            guard untilDial(&bench) != nil else { break }
            bench.open()
            bench.advance(MessagingLimits.goodConnection)
            bench.close(1011)
            expectEqual(bench.transcript.connection, .reconnecting(attempt: 1))
        }
    }

    @Test("Without a word in the session it takes longer", arguments: [true, false] as [Bool])
    func silentServer(_ isLong: Bool) {
        var bench = Bench()
        bench.start()
        openAndClose(&bench, 1011, isStarted: false)
        _ = untilDial(&bench)
        bench.open()
        // An echo is no word in the session.
        bench.receive(bench.transient(.heartbeat))
        bench.advance(isLong ? MessagingLimits.goodSilence : MessagingLimits.goodSilence - .milliseconds(1))
        bench.close(1011)
        expectEqual(bench.transcript.connection, .reconnecting(attempt: isLong ? 1 : 2))
    }

    @Test("4001 after a long silence: it is no proof of the session, so three are replaced and not more")
    func refusedAfterSilence() {
        var bench = Bench()
        bench.start()
        repeat {
            bench.open()
            bench.advance(.minutes(1))
            bench.close(4001)
        } while untilDial(&bench) != nil && bench.dialled.count < 20
        expectEqual(bench.requestCount(.sessions), 4)
        expectEqual(bench.transcript.failureReason, .session(.sessionExpired))
    }

    @Test("4001 behind each SESSION_START: three sessions are replaced, not one after the other for ever")
    func refusedBehindStart() {
        var bench = Bench()
        bench.start()
        openAndClose(&bench, 4001, isStarted: true)
        while untilDial(&bench) != nil, bench.dialled.count < 20 {
            openAndClose(&bench, 4001, isStarted: true)
        }
        expectEqual(bench.requestCount(.sessions), 4)
        expectEqual(bench.transcript.failureReason, .session(.sessionExpired))
    }

    @Test("A token that is over when it arrives is used once", arguments: [0, -1, -1_000_000] as [Int])
    func deadToken(_ lifetime: Int) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.answer(lifetime: lifetime)
        bench.advance(.milliseconds(50))
        bench.answer()
        #expect(bench.dialled.count == 1 && bench.requests.count == 2)
        bench.open()
        bench.batch([bench.journaled(.sessionStart(Self.start, contextID: nil))])
        bench.receive(bench.journaled(.joinRequest))
        bench.advance(.minutes(5))
        // Whatever it says, it works: nothing is renewed under a good connection.
        #expect(bench.requests.count == 2 && bench.transcript.isReady)
    }

    @Test("Tokens that are over, and connections that break: the sessions end with the announced attempts")
    func deadTokens() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.answer(lifetime: 0)
        bench.advance(.milliseconds(50))
        bench.answer()
        openAndClose(&bench, 1006, isStarted: true)
        var dials = 1
        while dials < 50, untilDial(&bench, lifetime: 0) != nil {
            dials += 1
            openAndClose(&bench, 1006, isStarted: true)
        }
        expectEqual(dials, 6)
        expectEqual(bench.requestCount(.sessions), 6)
        expectEqual(bench.transcript.failureReason, .session(.maxReconnectAttemptsExceeded))
    }

    // MARK: Refused handshakes

    @Test("An answer without a WebSocket is told, after one session", arguments: [200, 204, 302] as [Int])
    func noWebSocket(_ status: Int) {
        var bench = Bench()
        bench.start()
        bench.fail(.refused(status: status, retryAfter: nil))
        bench.advance(.minutes(5))
        #expect(bench.requests.count == 2 && bench.dialled.count == 1)
        guard case .transport(.protocolError(let reason))? = bench.transcript.failureReason else {
            Issue.record("\(String(describing: bench.transcript.failureReason))")
            return
        }
        #expect(reason.contains("HTTP \(status)"))
    }

    @Test("A false handshake is told in its own words")
    func falseHandshake() {
        var bench = Bench()
        bench.start()
        bench.fail(.protocolViolation("The key is wrong."))
        bench.advance(.minutes(5))
        expectEqual(bench.requests.count, 2)
        expectEqual(bench.transcript.failureReason, .transport(.protocolError(reason: "The key is wrong.")))
    }

    @Test("Where there was a WebSocket before, it may come back: the attempts are counted, then it is told")
    func gone() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        var attempts = 0
        while attempts < 50, untilDial(&bench) != nil {
            attempts += 1
            bench.fail(.refused(status: 302, retryAfter: nil))
        }
        #expect(attempts == MessagingLimits.reconnectAttempts && bench.requests.count == 2)
        guard case .transport(.protocolError)? = bench.transcript.failureReason else {
            Issue.record("\(String(describing: bench.transcript.failureReason))")
            return
        }
    }

    @Test(
        "401 and 403: one new token is tried, then it is told which answer came",
        arguments: [401, 403] as [Int])
    func refusedToken(_ status: Int) {
        var bench = Bench()
        bench.start()
        bench.fail(.refused(status: status, retryAfter: nil))
        _ = untilDial(&bench)
        bench.fail(.refused(status: status, retryAfter: nil))
        bench.advance(.minutes(5))
        expectEqual(bench.requestCount(.sessions), 2)
        expectEqual(bench.transcript.failureReason?.description.contains("HTTP \(status)"), true)
    }
}
