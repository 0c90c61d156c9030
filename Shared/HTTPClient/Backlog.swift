import Clocks

/// Backpressure of one connection: counts bytes that are reported but not handled. Callable from any thread.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let limitBytes: Int
    private let state = Locked(State())

    /// Reading pauses above `limitBytes`, and resumes at half of the limit.
    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds a message. Returns true if reading has to pause.
    package func add(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost += byteCount + ClientLimits.messageCost
            guard !state.isFull, state.cost > limitBytes else { return false }
            state.isFull = true
            return true
        }
    }

    /// Removes a handled message. Returns true if reading has to resume.
    package func remove(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost -= byteCount + ClientLimits.messageCost
            guard state.isFull, state.cost <= limitBytes / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
