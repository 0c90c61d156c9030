import Clocks
import Expectations
import Testing

@Suite("A clock that can be steered")
struct DrivenClockTests {
    let base = VirtualClock()

    private func fires(_ clock: DrivenClock) -> (timer: any EventTimer, count: @Sendable () -> Int) {
        let count = Locked(0)
        let timer = clock.makeTimer { count.withLock { $0 += 1 } }
        return (timer, { count.withLock { $0 } })
    }

    @Test("Left alone, it shows what its base shows and fires when that is due")
    func real() {
        let clock = DrivenClock(base)
        let (timer, count) = fires(clock)
        timer.arm(at: clock.now + .seconds(3))
        base.advance(by: .milliseconds(2_999))
        #expect(count() == 0 && clock.now == base.now)
        base.advance(by: .milliseconds(1))
        expectEqual(count(), 1)
    }

    @Test("Ten times as fast, a minute takes six seconds")
    func scaled() {
        let clock = DrivenClock(base)
        let start = clock.now
        let (timer, count) = fires(clock)
        timer.arm(at: start + .minutes(1))
        #expect(clock.setMode(.scaled(10)))
        base.advance(by: .milliseconds(5_999))
        expectEqual(count(), 0)
        base.advance(by: .milliseconds(1))
        #expect(count() == 1 && clock.now == start + .minutes(1))
    }

    @Test(
        "Factors without measure move the time as far as lengths reach",
        arguments: [1e300, 1e-300] as [Double])
    func immoderate(factor: Double) {
        let clock = DrivenClock(base)
        let start = clock.now
        #expect(clock.setMode(.scaled(factor)))
        base.advance(by: .hours(1))
        expectEqual(clock.now, factor > 1 ? start + .longest : start)
        let (timer, count) = fires(clock)
        timer.arm(at: clock.now + .minutes(1))
        expectEqual(count(), 0)
    }

    @Test("Frozen, it moves only when told to, and goes on from there when let go")
    func frozen() {
        let clock = DrivenClock(base)
        let start = clock.now
        let (timer, count) = fires(clock)
        timer.arm(at: start + .seconds(2))
        #expect(clock.setMode(.frozen))
        base.advance(by: .hours(1))
        #expect(count() == 0 && clock.now == start)
        clock.advance(to: start + .seconds(1))
        #expect(count() == 0 && clock.now == start + .seconds(1))
        clock.advance(to: start)
        expectEqual(clock.now, start + .seconds(1))
        #expect(clock.setMode(.real))
        base.advance(by: .seconds(1))
        #expect(count() == 1 && clock.now == start + .seconds(2))
    }

    @Test("Moved past a deadline, the timer fires once")
    func passed() {
        let clock = DrivenClock(base)
        #expect(clock.setMode(.frozen))
        let (timer, count) = fires(clock)
        timer.arm(at: clock.now + .minutes(10))
        clock.advance(to: clock.now + .hours(1))
        clock.advance(to: clock.now + .hours(1))
        expectEqual(count(), 1)
    }

    @Test("A timer that is disarmed, armed anew or gone does not fire for its old deadline")
    func disarmed() {
        let clock = DrivenClock(base)
        var (timer, count): ((any EventTimer)?, @Sendable () -> Int) = fires(clock)
        timer?.arm(at: clock.now + .seconds(1))
        timer?.arm(at: clock.now + .seconds(5))
        base.advance(by: .seconds(2))
        expectEqual(count(), 0)
        timer?.disarm()
        base.advance(by: .seconds(10))
        timer?.arm(at: clock.now + .seconds(1))
        timer = nil
        base.advance(by: .seconds(10))
        expectEqual(count(), 0)
    }

    @Test("A factor that makes no sense is refused", arguments: [0, -1, .nan, .infinity] as [Double])
    func refused(factor: Double) {
        let clock = DrivenClock(base)
        #expect(!clock.setMode(.scaled(factor)))
        expectEqual(clock.mode, .real)
    }
}
