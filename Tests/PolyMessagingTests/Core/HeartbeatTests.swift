import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

@Suite("Heartbeats")
struct HeartbeatTests {
    let start = Instant(secondsSince1970: 1_000)

    /// The ticks of `seconds` seconds, asked for every second.
    func ticks(_ heartbeat: inout HeartbeatCore, seconds: Int64) -> Int {
        (1...seconds).filter { heartbeat.advance(to: start + .seconds($0)) != nil }.count
    }

    /// protocol.md#heartbeat-interval
    @Test("HB-92 A started timer ticks at its interval")
    func ticking() {
        var heartbeat = HeartbeatCore(interval: .seconds(10))
        heartbeat.start(at: start)
        expectEqual(heartbeat.nextDeadline, start + .seconds(10))
        let early = heartbeat.advance(to: start + .seconds(10) - Interval(nanoseconds: 1))
        let count = ticks(&heartbeat, seconds: 35)
        expectEqual(early, nil)
        expectEqual(count, 3)
    }

    @Test("HB-93 A stopped timer ticks no more")
    func stopping() {
        var heartbeat = HeartbeatCore(interval: .seconds(10))
        heartbeat.start(at: start)
        heartbeat.stop()
        expectEqual(heartbeat.nextDeadline, nil)
        let count = ticks(&heartbeat, seconds: 60)
        expectEqual(count, 0)
    }

    @Test("HB-94 A new interval of a running timer counts from now")
    func newInterval() {
        var heartbeat = HeartbeatCore(interval: .seconds(60))
        heartbeat.start(at: start)
        heartbeat.setInterval(seconds: 5, at: start + .seconds(1))
        expectEqual(heartbeat.nextDeadline, start + .seconds(6))
    }

    @Test("HB-95 The setter ignores zero and less", arguments: [0, -1] as [Int])
    func zeroThroughSetter(_ seconds: Int) {
        var heartbeat = HeartbeatCore(interval: .seconds(60))
        heartbeat.setInterval(seconds: seconds, at: start)
        expectEqual(heartbeat.interval, .seconds(60))
    }

    @Test("HB-96 Reset returns to the configured interval")
    func reset() {
        var heartbeat = HeartbeatCore(interval: .seconds(60))
        heartbeat.setInterval(seconds: 5, at: start)
        heartbeat.reset(at: start)
        expectEqual(heartbeat.interval, .seconds(60))
    }

    @Test("HB-97 After the client is shut down nothing ticks")
    func destroyed() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.shutdown)
        expectEqual(bench.core.nextDeadline, nil)
        let later = bench.advance(.hours(1))
        #expect(later.isEmpty)
    }

    /// protocol.md#zero-capabilities
    @Test("HB-98 Zero seconds never tick")
    func zero() {
        var heartbeat = HeartbeatCore(interval: HeartbeatCore.interval(seconds: 0, fallback: .seconds(30)))
        heartbeat.start(at: start)
        let count = ticks(&heartbeat, seconds: 120)
        expectEqual(count, 0)
    }

    @Test("HB-99 A positive number of seconds ticks")
    func positive() {
        var heartbeat = HeartbeatCore(interval: HeartbeatCore.interval(seconds: 7, fallback: nil))
        heartbeat.start(at: start)
        let count = ticks(&heartbeat, seconds: 14)
        expectEqual(count, 2)
    }

    @Test("HB-100 The default is 30 seconds")
    func defaultInterval() {
        expectEqual(HeartbeatCore().interval, .seconds(30))
        expectEqual(Bench.settings().heartbeatInterval, .seconds(30))
        expectEqual(Bench.settings { $0.heartbeatIntervalSeconds = -1 }.heartbeatInterval, .seconds(30))
        expectEqual(Bench.settings { $0.heartbeatIntervalSeconds = 0 }.heartbeatInterval, nil)
    }

    @Test("HB-101 Heartbeats flow on an open connection only")
    func onlyWhenOpen() {
        var bench = Bench()
        bench.start()
        let before = bench.advance(.seconds(29))
        bench.open()
        bench.receive(bench.journaled(.sessionStart(WireCapabilities(), contextID: nil)))
        bench.receive(bench.journaled(.joinRequest))
        let open = bench.advance(.seconds(65))
        bench.fail()
        let after = bench.advance(.seconds(9))
        expectEqual(before.count(.heartbeat), 0)
        expectEqual(open.count(.heartbeat), 2)
        expectEqual(after.count(.heartbeat), 0)
    }

    @Test(
        "HB-102 A capability of nothing or less is the default, 0 off, more the interval",
        arguments: [(nil, 30), (-5, 30), (0, nil), (12, 12)] as [(Int?, Int64?)])
    func capability(_ seconds: Int?, _ expected: Int64?) {
        var bench = Bench()
        bench.startAndOpen()
        bench.advance(.seconds(3))
        let capabilities = WireCapabilities(heartbeatIntervalSeconds: seconds)
        bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        bench.receive(bench.journaled(.joinRequest))
        expectEqual(bench.core.heartbeatInterval, expected.map { Interval.seconds($0) })
        let beats = bench.advance(.seconds(60)).count(.heartbeat)
        expectEqual(beats, expected.map { $0 == 12 ? 5 : 2 } ?? 0)
    }

    @Test("HB-102 A capability of 0 outlasts a reconnect")
    func capabilityIsKept() {
        var bench = Bench()
        bench.startAndOpen()
        let capabilities = WireCapabilities(heartbeatIntervalSeconds: 0)
        bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        bench.close(1006)
        bench.reconnect()
        let later = bench.advance(.seconds(120))
        expectEqual(later.count(.heartbeat), 0)
    }

    @Test("HB-102 A late look at the clock is one tick, not many")
    func lateTick() {
        var heartbeat = HeartbeatCore(interval: .seconds(10))
        heartbeat.start(at: start)
        let first = heartbeat.advance(to: start + .seconds(95))
        let second = heartbeat.advance(to: start + .seconds(95))
        expectEqual(first, .send)
        expectEqual(second, nil)
        expectEqual(heartbeat.nextDeadline, start + .seconds(105))
    }

    /// A connection with an agent and a heartbeat of a second, of which `echoes` were answered.
    private func beating(echoes: Int) -> Bench {
        var bench = Bench()
        bench.startAndOpen()
        let capabilities = WireCapabilities(heartbeatIntervalSeconds: 1)
        bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        bench.receive(bench.journaled(.agentJoined(name: nil, avatarURL: nil)))
        for _ in 0..<echoes {
            bench.advance(.seconds(1))
            bench.receive(bench.transient(.heartbeat))
        }
        return bench
    }

    /// protocol.md#heartbeat-echo
    @Test("A peer that stops echoing is left after two heartbeats, for a new connection with the cursor")
    func missedEchoes() {
        var bench = beating(echoes: 2)
        let before = bench.advance(.milliseconds(2_900))
        #expect(before.count(.heartbeat) == 2 && before.closes.isEmpty)
        let after = bench.advance(.milliseconds(200))
        #expect(after.closes.map(\.code) == [1006] && after.statuses == [.reconnecting(attempt: 1)])
        bench.reconnect()
        expectEqual(bench.outputs.queries.last?.hasSuffix("cursor=2"), true)
        // It is known to echo: silence from the first moment of the new connection is noticed too.
        let again = bench.advance(.seconds(5))
        expectEqual(again.closes.map(\.code), [1006])
    }

    @Test("Other frames put off the farewell, but not for ever")
    func echoesMissingAmongFrames() {
        var bench = beating(echoes: 1)
        var closes = 0
        for second in 1...8 {
            bench.receive(bench.transient(.liveAgentTyping(.started, WirePerson())))
            closes = bench.advance(.seconds(1)).closes.count
            expectEqual(closes, second == 7 ? 1 : 0, "after \(second) s")
            if closes > 0 { break }
        }
        expectEqual(closes, 1)
    }

    @Test("A server that never echoed is left alone, and so is one that echoes late")
    func neverEchoed() {
        var bench = beating(echoes: 0)
        #expect(bench.advance(.minutes(9)).closes.isEmpty)
        var slow = beating(echoes: 1)
        for _ in 0..<60 {
            let closes = slow.advance(.milliseconds(1_900)).closes
            #expect(closes.isEmpty)
            slow.receive(slow.transient(.heartbeat))
        }
    }

    @Test("While a reader lags, echoes may wait in the socket: no peer is left for that")
    func behind() {
        var bench = beating(echoes: 1)
        bench.core.isBehind = true
        #expect(bench.advance(.minutes(2)).closes.isEmpty)
        bench.core.isBehind = false
        expectEqual(bench.advance(.seconds(4)).closes.map(\.code), [1006])
    }

    @Test(
        "Silence after the opening, or after the join, has a deadline; a join that is never answered only a few"
    )
    func silence() {
        var bench = Bench()
        bench.startAndOpen()
        #expect(bench.advance(.milliseconds(19_999)).closes.isEmpty)
        expectEqual(bench.advance(.milliseconds(1)).closes.map(\.code), [1006])
        bench.reconnect()
        bench.batch([
            bench.journaled(.sessionStart(WireCapabilities(heartbeatIntervalSeconds: 0), contextID: nil))
        ])
        var closes = 0
        for _ in 0..<20 {
            let outputs = bench.advance(.seconds(22))
            closes += outputs.closes.count
            if !outputs.dialled.isEmpty { bench.open() }
        }
        expectEqual(closes, MessagingLimits.maxRecoveryJoins)
    }
}
