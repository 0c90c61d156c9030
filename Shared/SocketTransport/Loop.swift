import Clocks
import Dispatch

/// Serial queue of a loop, with a count of the work that waits in the queue.
package struct LoopQueue: Sendable {
    let queue: DispatchQueue
    let visitors = PendingWork()

    package init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    package func async(_ work: @escaping @Sendable () -> Void) {
        visitors.announce()
        queue.async { [visitors] in
            visitors.enter()
            work()
        }
    }

    /// Runs `work` after everything queued before it, and blocks the calling thread until then.
    func sync<Result>(_ work: () -> Result) -> Result {
        visitors.announce()
        return queue.sync {
            visitors.enter()
            return work()
        }
    }

    func preconditionInside() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// State that only code on one serial queue accesses. Not an actor: `assumeIsolated` traps in Dispatch callbacks before
/// macOS 15 and iOS 18 (SE-0424, decision record 0001).
package final class Loop<State>: @unchecked Sendable {
    package let queue: LoopQueue
    private var state: State

    /// `makeState` is called once, on the calling thread. Two loops must not share a `queue`.
    package init<Failure: Error>(
        on queue: LoopQueue, _ makeState: (LoopQueue) throws(Failure) -> sending State
    ) throws(Failure) {
        self.queue = queue
        state = try makeState(queue)
    }

    package convenience init<Failure: Error>(
        label: String, _ makeState: (LoopQueue) throws(Failure) -> sending State
    ) throws(Failure) {
        try self.init(on: LoopQueue(label: label), makeState)
    }

    /// Runs `body` after everything submitted before it. Does not wait.
    package func submit(_ body: @escaping @Sendable (inout State) -> Void) {
        queue.async { body(&self.state) }
    }

    /// Runs `body` after everything submitted before it, and waits for the result.
    package func run<Result: Sendable>(_ body: @escaping @Sendable (inout State) -> Result) async -> Result {
        // A lock passes the result: the thread sanitizer reports a race if the continuation resumes before the
        // suspension.
        let result = Locked<Result?>(nil)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                let value = body(&self.state)
                result.withLock { $0 = value }
                continuation.resume()
            }
        }
        guard let value = result.withLock({ $0 }) else { preconditionFailure("resumed without a result") }
        return value
    }

    /// Runs `body` after everything submitted before it, and blocks the calling thread until then.
    package func runHere<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        queue.sync { body(&self.state) }
    }

    /// Runs `body` at once, in callbacks on the loop's queue. Traps on any other queue, and inside another `body`.
    package func assumeInside<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        queue.preconditionInside()
        return body(&state)
    }
}
