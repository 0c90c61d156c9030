import Clocks

/// What was reported of one connection and is not dealt with yet. The transport adds, the client removes, each on a
/// thread of its own; while there is too much, the socket is not read.
package final class Backlog: Sendable {
    private struct State {
        var cost = 0
        var isFull = false
    }

    private let state = Locked(State())

    package init() {}

    /// Whether reading has stopped.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Counts a message. True when reading has to stop.
    package func add(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost += byteCount + Limits.messageCost
            guard !state.isFull, state.cost > Limits.unhandledBytes else { return false }
            state.isFull = true
            return true
        }
    }

    /// A message was dealt with. True when reading has to go on.
    package func remove(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.cost -= byteCount + Limits.messageCost
            guard state.isFull, state.cost <= Limits.unhandledBytes / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
