import Clocks
import Dispatch

/// A serial queue of a loop, independent of its implementation.
package struct LoopQueue: Sendable {
    let queue: DispatchQueue
    let visitors = PendingWork()

    package init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// Runs `work` after everything that was queued before.
    package func async(_ work: @escaping @Sendable () -> Void) {
        visitors.announce()
        queue.async { [visitors] in
            visitors.enter()
            work()
        }
    }

    /// Runs `work` after everything that was queued before, and blocks the caller's thread until it has a result.
    func sync<Result>(_ work: () -> Result) -> Result {
        visitors.announce()
        return queue.sync {
            visitors.enter()
            return work()
        }
    }

    /// Traps when called from anywhere else.
    func preconditionInside() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// Runs work on one serial queue and owns state that is touched nowhere else.
///
/// Unchecked, because the compiler cannot see that `state` is reached through `queue` alone. An actor on a
/// custom executor would show it, but `assumeIsolated` called from a Dispatch callback traps on systems
/// before macOS 15 and iOS 18 (SE-0424). The two holes are closed by hand: the state arrives as `sending`,
/// and whatever goes in or out later is `Sendable`.
package final class Loop<State>: @unchecked Sendable {
    package let queue: LoopQueue
    private var state: State

    /// All work runs on `queue`, which must not be shared with another loop. `makeState` is called once, on
    /// the caller's thread, before anything runs there.
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

    /// Runs `body` after everything that was submitted before; returns at once.
    package func submit(_ body: @escaping @Sendable (inout State) -> Void) {
        queue.async { body(&self.state) }
    }

    /// Runs `body` after everything that was submitted before and waits for its result.
    package func run<Result: Sendable>(_ body: @escaping @Sendable (inout State) -> Result) async -> Result {
        // Through a lock, because a continuation that is resumed before its task waits for it is an order of events
        // that the thread sanitizer cannot see.
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

    /// Runs `body` after everything that was submitted before, and blocks the caller's thread until it is
    /// done. On an idle loop that costs no thread switch. For tests and tools, never from a loop.
    package func runHere<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        queue.sync { body(&self.state) }
    }

    /// Runs `body` now. For callbacks that arrive on the queue, such as the one given to
    /// ``SocketPool/start(on:onReady:)``; traps anywhere else, and when called from inside another body.
    package func assumeInside<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        queue.preconditionInside()
        return body(&state)
    }
}
