import Clocks
import Expectations
import ServerCore
import Testing

@Suite("Deadlines of a loop")
struct LoopTimersTests {
    private let start = Instant(secondsSince1970: 1_000)
    private var fresh: LoopTimers { LoopTimers(spacing: .milliseconds(10)) }

    private func at(_ milliseconds: Int64) -> Instant { start + .milliseconds(milliseconds) }

    @Test("The earliest of all kinds is next")
    func earliest() {
        var timers = fresh
        expectEqual(timers.next(sessions: nil, protocolRules: nil), nil)
        timers.deadlines.set(at(50), for: 1)
        expectEqual(timers.next(sessions: nil, protocolRules: nil), at(50))
        timers.holds.set(at(40), for: 1)
        expectEqual(timers.next(sessions: nil, protocolRules: nil), at(40))
        timers.encoders.set(at(30), for: 1)
        expectEqual(timers.next(sessions: nil, protocolRules: nil), at(30))
        timers.acceptAgain(at: at(20))
        expectEqual(timers.next(sessions: nil, protocolRules: nil), at(20))
        expectEqual(timers.next(sessions: at(10), protocolRules: nil), at(10))
        expectEqual(timers.next(sessions: at(10), protocolRules: at(5)), at(5))
    }

    @Test("Where time passes by itself, deadlines that are close together are looked at together")
    func spacing() {
        var timers = fresh
        expectEqual(timers.turn(for: at(1), isSpaced: true), at(1))
        _ = timers.run(at: at(1))
        expectEqual(timers.turn(for: at(2), isSpaced: true), at(11))
        expectEqual(timers.turn(for: at(12), isSpaced: true), at(12))
        expectEqual(timers.turn(for: at(2), isSpaced: false), at(2))
        expectEqual(timers.turn(for: nil, isSpaced: true), nil)
    }

    @Test("How late turns began is counted, added up, and its most is kept")
    func lateness() {
        var timers = fresh
        for microseconds: Int64 in [300, 1_200, 0, -5] {
            timers.lateness.note(.microseconds(microseconds) + .nanoseconds(1))
        }
        let noted = timers.lateness
        #expect(noted.turns == 4 && noted.microseconds == 1_500 && noted.mostMicroseconds == 1_200)
    }

    @Test("The timer is set only where it would come too late")
    func arming() {
        var timers = fresh
        let set = ([nil, 10, 10, 20, 5] as [Int64?]).map { timers.arm(for: $0.map(at)) }
        expectEqual(set, [nil, at(10), nil, nil, at(5)])
        timers.fired()
        let again = timers.arm(for: at(20))
        expectEqual(again, at(20))
    }

    @Test("Connections are accepted again when it is time, once")
    func acceptAgain() {
        var timers = fresh
        timers.acceptAgain(at: at(10))
        let accepts = [9, 10, 11].map { timers.run(at: at($0)) }
        expectEqual(accepts, [false, true, false])
    }

    @Test("What a connection had goes with it")
    func forgetting() {
        var timers = fresh
        timers.deadlines.set(at(1), for: 3)
        timers.holds.set(at(2), for: 3)
        timers.holds.set(at(4), for: 5)
        timers.forget(3)
        expectEqual(timers.next(sessions: nil, protocolRules: nil), at(4))
    }

    @Test("A clock that is set back takes all moments with it")
    func shifting() {
        var timers = fresh
        timers.deadlines.set(at(30), for: 1)
        timers.holds.set(at(40), for: 1)
        timers.encoders.set(at(50), for: 1)
        timers.acceptAgain(at: at(60))
        _ = timers.run(at: at(20))
        _ = timers.arm(for: at(30))
        timers.shift(by: .milliseconds(-20))
        expectEqual(timers.deadlines.deadline(of: 1), at(10))
        expectEqual(timers.holds.deadline(of: 1), at(20))
        expectEqual(timers.encoders.deadline(of: 1), at(30))
        expectEqual(timers.acceptAgainAt, at(40))
        // Nothing of what was armed or looked at counts any more.
        expectEqual(timers.turn(for: at(10), isSpaced: true), at(10))
        let set = timers.arm(for: at(10))
        expectEqual(set, at(10))
    }
}
