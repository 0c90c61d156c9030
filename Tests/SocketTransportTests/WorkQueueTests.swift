import Clocks
import Expectations
import SocketTransport
import Testing

@Suite("Queues for long work", .timeLimit(.minutes(1)))
struct WorkQueueTests {
    @Test("Work is done in its order, also what was queued when the queue was released")
    func order() async {
        let done = Locked<[Int]>([])
        let (ends, sink) = AsyncStream.makeStream(of: Void.self)
        do {
            let queue = WorkQueue(label: "test.work", isUrgent: true)
            for number in 0..<1_000 {
                queue.async {
                    done.withLock { $0.append(number) }
                    if number == 999 { sink.yield() }
                }
            }
        }
        var iterator = ends.makeAsyncIterator()
        await iterator.next()
        expectEqual(done.withLock { $0 }, Array(0..<1_000))
    }

    @Test("A queue that is never used starts no thread and can be released")
    func unused() {
        let weak = Locked<WeakQueue>(WeakQueue())
        do {
            let queue = WorkQueue(label: "test.unused")
            weak.withLock { $0.queue = queue }
        }
        #expect(weak.withLock { $0.queue } == nil)
    }

    private struct WeakQueue: Sendable {
        weak var queue: WorkQueue?
    }
}
