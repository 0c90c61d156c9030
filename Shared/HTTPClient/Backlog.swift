import Clocks

/// Flow control of one connection: the number of bytes reported but not handled yet. The transport adds bytes
/// and the owner removes them, each on its own thread; reading is paused while the number is too high.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let limitBytes: Int
    private let state = Locked(State())

    /// Reading stops above `limitBytes` and resumes when half of the bytes are handled.
    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Whether reading has stopped.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Counts a message. True when reading has to stop.
    package func add(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost += byteCount + ClientLimits.messageCost
            guard !state.isFull, state.cost > limitBytes else { return false }
            state.isFull = true
            return true
        }
    }

    /// Removes a handled message. True when reading has to go on.
    package func remove(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost -= byteCount + ClientLimits.messageCost
            guard state.isFull, state.cost <= limitBytes / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
