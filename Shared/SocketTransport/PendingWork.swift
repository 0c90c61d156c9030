import Clocks

/// Work that waits for a loop's queue while the loop itself waits for sockets on the queue's thread.
///
/// A thread that submits work announces it first. A loop that is about to wait sees announced work and does not
/// wait; a loop that waits already is woken.
final class PendingWork: Sendable {
    private struct State {
        var waiting = 0
        var bell: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// Called before work is submitted.
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

    /// Runs `wait` unless work is waiting; `bell` must end it early, from any thread.
    ///
    /// - Returns: nil when there is work.
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
