import Clocks

/// Backpressure for one connection. It counts the bytes that were reported to the user but not yet handled. Callable
/// from any thread.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let limitBytes: Int
    private let state = Locked(State())

    /// Creates a backlog. Reading pauses when more than `limitBytes` are unhandled, and resumes at half of
    /// `limitBytes`.
    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds the bytes of a reported message. Returns true if reading has to pause now.
    package func add(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost += byteCount + ClientLimits.messageCost
            guard !state.isFull, state.cost > limitBytes else { return false }
            state.isFull = true
            return true
        }
    }

    /// Removes the bytes of a handled message. Returns true if reading has to resume now.
    package func remove(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost -= byteCount + ClientLimits.messageCost
            guard state.isFull, state.cost <= limitBytes / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
