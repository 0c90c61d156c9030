import Clocks

/// Flow control of one connection: bytes reported and not handled yet. The transport adds and its owner removes, each
/// on its own thread; while there are too many, the socket is not read.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let limitBytes: Int
    private let state = Locked(State())

    /// Above `limitBytes` reading stops, and goes on when half of them are handled.
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
