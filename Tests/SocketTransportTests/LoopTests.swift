import Expectations
import SocketTransport
import Testing

@Suite("Loop", .timeLimit(.minutes(5)))
struct LoopTests {
    @Test("Work runs in the order in which it was handed over, and run sees all of it")
    func order() async {
        let loop = Loop(label: "test") { _ in [Int]() }
        for number in 0..<100 { loop.submit { $0.append(number) } }
        await expectEqual(loop.run { $0 }, Array(0..<100))
    }

    @Test("A state that cannot be made is an error of the loop")
    func failingState() {
        let missing = SocketError(.prepare, .system(24))
        #expect(throws: missing) {
            try Loop<Int>(label: "test") { _ throws(SocketError) in throw missing }
        }
    }

    @Test("A callback on the loop's queue is inside, others trap")
    func inside() async {
        let loop = Loop(label: "test") { _ in 0 }
        await withCheckedContinuation { continuation in
            loop.queue.async {
                loop.assumeInside { $0 += 1 }
                continuation.resume()
            }
        }
        await expectEqual(loop.run { $0 }, 1)
        await #expect(processExitsWith: .failure) {
            Loop(label: "test") { _ in 0 }.assumeInside { $0 += 1 }
        }
    }
}
