import Clocks
import Expectations
import Testing

@Suite("Loops over deadlines end")
struct MomentBudgetTests {
    private let start = Instant(secondsSince1970: 1_000)

    @Test("So many rounds at one moment, and as many at the next", arguments: [1, 2, 7] as [Int])
    func rounds(count: Int) {
        var budget = MomentBudget(rounds: count)
        for second in 0..<3 {
            let now = start + .seconds(Int64(second))
            // The last one goes back in time, which is no new moment.
            let given = (Array(repeating: now, count: count + 1) + [start]).map { budget.spend(at: $0) }
            expectEqual(given, Array(repeating: true, count: count) + [false, false])
        }
    }

    @Test("A budget of nothing still allows one round")
    func atLeastOne() {
        var budget = MomentBudget(rounds: 0)
        let given = [budget.spend(at: start), budget.spend(at: start)]
        expectEqual(given, [true, false])
    }

    @Test("What is due comes out once, the earliest first, also when it is set for the past again")
    func dueOnce() {
        var heap = DeadlineHeap()
        for slot in 0..<5 as Range<Int32> { heap.set(start + .seconds(Int64(10 - slot)), for: slot) }
        var taken: [Int32] = []
        for item in heap.takeDue(by: start + .seconds(9)) {
            taken.append(item.slot)
            heap.set(start, for: item.slot)
        }
        expectEqual(taken, [4, 3, 2, 1])
        #expect(heap.count == 5 && heap.first?.deadline == start)
        let early = heap.takeDue(by: start, atMost: 2)
        #expect(early.count == 2 && heap.count == 3)
    }

    @Test("A timer that arms itself for the same moment again does not keep a virtual clock")
    func selfArming() {
        let clock = VirtualClock(start: start)
        let box = Locked<(any EventTimer)?>(nil)
        let count = Locked(0)
        let timer = clock.makeTimer { [clock] in
            count.withLock { $0 += 1 }
            box.withLock { $0 }?.arm(at: clock.now)
        }
        box.withLock { $0 = timer }
        timer.arm(at: start + .seconds(1))
        clock.advance(by: .seconds(5))
        expectEqual(clock.now, start + .seconds(5))
        #expect(count.withLock { $0 } > 0)
        // It is still due, and the clock can be moved on.
        #expect(clock.nextDeadline != nil)
        clock.advance(by: .seconds(5))
        expectEqual(clock.now, start + .seconds(10))
        box.withLock { $0 = nil }
    }
}
