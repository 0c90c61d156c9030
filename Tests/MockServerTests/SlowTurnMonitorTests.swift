import Clocks
import Expectations
import TestSupport
import Testing

@testable import MockServer

@Suite("What a slow turn was doing")
struct SlowTurnMonitorTests {
    private let clock = VirtualClock()
    private let lines = Gathering<String>()

    private func watch() -> SlowTurnMonitor { SlowTurnMonitor(clock: clock) { [lines] in lines.append($0) } }

    @Test("A turn that never ends is told once, with what it is doing at that time")
    func endless() {
        let watch = watch()
        watch.enter(.sockets)
        watch.enter(.held)
        clock.advance(by: .milliseconds(999))
        #expect(lines.all.isEmpty)
        clock.advance(by: .seconds(60))
        expectEqual(lines.all, ["1.0 s in one turn, now: held messages"])
    }

    @Test("Short turns are not told, however many there are; a later slow one is")
    func shortTurns() {
        let watch = watch()
        for _ in 0..<100 {
            watch.enter(.sockets)
            clock.advance(by: .milliseconds(900))
            watch.leave()
        }
        #expect(lines.all.isEmpty)
        watch.enter(.sessions)
        clock.advance(by: .seconds(3))
        expectEqual(lines.all, ["1.0 s in one turn, now: sessions"])
        watch.leave()
        watch.enter(.output)
        clock.advance(by: .seconds(3))
        expectEqual(lines.all.count, 2)
    }

    @Test("A step inside a turn gives it back")
    func inside() {
        let watch = watch()
        watch.enter(.sockets)
        let outer = watch.enter(.clock)
        watch.resume(outer)
        clock.advance(by: .seconds(2))
        expectEqual(lines.all, ["1.0 s in one turn, now: sockets"])
        expectEqual(outer, .sockets)
        watch.leave()
        expectEqual(watch.enter(.protocolRules), nil)
    }
}
