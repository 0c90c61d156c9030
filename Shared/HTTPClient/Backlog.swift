import Clocks

/// Backpressure for one connection: counts the bytes that were reported but not yet handled.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let limitBytes: Int
    private let state = Locked(State())

    /// Reading pauses above `limitBytes`, and resumes at half of it.
    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Counts a reported message. Returns true if reading has to pause now.
    package func add(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost += byteCount + ClientLimits.messageCost
            guard !state.isFull, state.cost > limitBytes else { return false }
            state.isFull = true
            return true
        }
    }

    /// Removes a handled message. Returns true if reading has to resume now.
    package func remove(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost -= byteCount + ClientLimits.messageCost
            guard state.isFull, state.cost <= limitBytes / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
