import Clocks

/// Counter of the work items that were submitted to a loop's queue and have not begun to run.
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

    func enter() {
        state.withLock { $0.waiting -= 1 }
    }

    /// Runs `wait`, unless work is waiting. If work is announced during `wait`, calls `bell` on the announcing thread.
    /// `bell` must end `wait`.
    ///
    /// - Returns: nil if work is waiting.
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
