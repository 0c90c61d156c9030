import Clocks
import Expectations
import Testing

@testable import LoadTest

@Suite("Deadlines of the load's users")
struct UserDeadlineTests {
    @Test("Slots come up in the order of their deadlines, each once", arguments: [1, 2, 3] as [UInt64])
    func order(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var heap = DeadlineHeap()
        var wanted: [Int: Instant] = [:]
        for _ in 0..<1_000 {
            let slot = Int.random(in: 0..<200, using: &generator)
            let deadline = Instant(secondsSince1970: Int64.random(in: 0..<500, using: &generator))
            heap.arm(slot, at: deadline)
            // An earlier deadline stays: its owner arms the later one when it comes up.
            wanted[slot] = min(wanted[slot] ?? deadline, deadline)
        }
        expectEqual(heap.next, wanted.values.min())
        var last = Instant(nanosecondsSince1970: 0)
        for item in heap.takeDue(by: .distantFuture) {
            let deadline = wanted.removeValue(forKey: Int(item.slot)) ?? .distantFuture
            #expect(deadline >= last)
            last = deadline
        }
        #expect(wanted.isEmpty && heap.next == nil)
    }

    @Test("Nothing comes up before its time")
    func notYet() {
        var heap = DeadlineHeap()
        heap.arm(0, at: Instant(secondsSince1970: 5))
        #expect(heap.takeDue(by: Instant(secondsSince1970: 4)).isEmpty)
        expectEqual(heap.takeDue(by: Instant(secondsSince1970: 5)).map(\.slot), [0])
        #expect(heap.takeDue(by: Instant(secondsSince1970: 6)).isEmpty)
    }
}
