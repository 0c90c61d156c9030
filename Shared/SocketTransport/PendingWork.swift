import Clocks

/// Counter of the work that waits for a loop's queue while the loop waits for sockets on the same thread. Announced
/// work keeps the loop from starting to wait, or wakes it.
final class PendingWork: Sendable {
    private struct State {
        var waiting = 0
        var bell: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    func announce() {
        let bell = state.withLock { state in
            state.waiting += 1
            return state.bell
        }
        bell?()
    }

    /// Called when submitted work begins.
    func enter() {
        state.withLock { $0.waiting -= 1 }
    }

    /// Runs `wait` unless work is waiting. `bell` is called on any thread to end the wait early.
    ///
    /// - Returns: nil when work is waiting.
    func waitUnlessVisited<Result>(bell: @escaping @Sendable () -> Void, _ wait: () -> Result) -> Result? {
        let isFree = state.withLock { state in
            guard state.waiting == 0 else { return false }
            state.bell = bell
            return true
        }
        guard isFree else { return nil }
        defer { state.withLock { $0.bell = nil } }
        return wait()
    }
}
