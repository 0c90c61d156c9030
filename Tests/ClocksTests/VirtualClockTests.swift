import Clocks
import Expectations
import Testing

@Suite("Virtual clock")
struct VirtualClockTests {
    let clock = VirtualClock(start: Instant(secondsSince1970: 1_000))
    let log = Locked<[String]>([])

    private func timer(_ name: String) -> any EventTimer {
        clock.makeTimer { [clock, log] in
            let offset = (clock.now - Instant(secondsSince1970: 1_000)).milliseconds
            log.withLock { $0.append("\(name)@\(offset)") }
        }
    }

    private var entries: [String] { log.withLock { $0 } }

    @Test("Time stands still until it is moved, and never goes back")
    func standsStill() {
        expectEqual(clock.now, Instant(secondsSince1970: 1_000))
        clock.advance(by: .milliseconds(5))
        clock.advance(to: Instant(secondsSince1970: 999))
        clock.advance(by: .seconds(-1))
        expectEqual(clock.now, Instant(secondsSince1970: 1_000) + .milliseconds(5))
    }

    @Test("Due timers fire in the order of their deadlines, each seeing its own as the present")
    func deadlineOrder() {
        let timers = [("late", 30), ("early", 10), ("middle", 20)].map { name, offset in
            let timer = timer(name)
            timer.arm(at: clock.now + .milliseconds(Int64(offset)))
            return timer
        }
        clock.advance(by: .milliseconds(29))
        expectEqual(entries, ["early@10", "middle@20"])
        expectEqual(clock.nextDeadline, Instant(secondsSince1970: 1_000) + .milliseconds(30))
        clock.advance(by: .milliseconds(1))
        expectEqual(entries, ["early@10", "middle@20", "late@30"])
        expectEqual(clock.nextDeadline, nil)
        withExtendedLifetime(timers) {}
    }

    @Test("Timers of the same deadline fire in the order in which they were armed")
    func ties() {
        let first = timer("first")
        let second = timer("second")
        let deadline = clock.now + .milliseconds(1)
        second.arm(at: deadline)
        first.arm(at: deadline)
        clock.advance(by: .milliseconds(1))
        expectEqual(entries, ["second@1", "first@1"])
    }

    @Test("Arming again replaces the deadline; each arming fires once")
    func rearming() {
        let timer = timer("timer")
        timer.arm(at: clock.now + .milliseconds(1))
        timer.arm(at: clock.now + .milliseconds(5))
        clock.advance(by: .milliseconds(4))
        #expect(entries.isEmpty)
        clock.advance(by: .milliseconds(4))
        expectEqual(entries, ["timer@5"])
        timer.arm(at: clock.now - .seconds(1))
        clock.advance(by: .zero)
        expectEqual(entries, ["timer@5", "timer@8"])
    }

    @Test("A timer that arms itself while it fires runs again within the same advance")
    func selfArming() {
        let count = Locked(0)
        let box = Locked<(any EventTimer)?>(nil)
        let timer = clock.makeTimer { [clock] in
            let fired = count.withLock { value in
                value += 1
                return value
            }
            let timer = box.withLock { $0 }
            if fired < 5 { timer?.arm(at: clock.now + .milliseconds(10)) }
        }
        box.withLock { $0 = timer }
        timer.arm(at: clock.now + .milliseconds(10))
        clock.advance(by: .milliseconds(35))
        expectEqual(count.withLock { $0 }, 3)
        clock.advance(by: .seconds(1))
        expectEqual(count.withLock { $0 }, 5)
        box.withLock { $0 = nil }
    }

    @Test("A disarmed or released timer is silent")
    func silence() {
        let disarmed = timer("disarmed")
        disarmed.arm(at: clock.now + .milliseconds(1))
        disarmed.disarm()
        do {
            let released = timer("released")
            released.arm(at: clock.now + .milliseconds(1))
        }
        clock.advance(by: .seconds(1))
        #expect(entries.isEmpty)
    }

    @Test("A clock that is stopped lets go of what waits on it, then and later")
    func stop() {
        final class Held: Sendable {}
        func wait(_ held: Held) -> any EventTimer {
            let waiting = clock.makeTimer { withExtendedLifetime(held) {} }
            waiting.arm(at: clock.now + .seconds(1))
            return waiting
        }
        weak var early: Held?
        weak var late: Held?
        let timers: [any EventTimer]
        do {
            let (one, two) = (Held(), Held())
            (early, late) = (one, two)
            let first = wait(one)
            clock.stop()
            timers = [first, wait(two)]
        }
        #expect(early == nil && late == nil && clock.pendingTimers.isEmpty)
        withExtendedLifetime(timers) {}
    }
}
