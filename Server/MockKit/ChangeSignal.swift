import Clocks

/// A condition variable for tasks. ``ring()`` wakes all waiting tasks.
final class ChangeSignal: Sendable {
    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }

    func ring() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait(after count: Int, until deadline: Instant, on clock: any EventClock) async {
        let timer = clock.makeTimer { [weak self] in self?.ring() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.count == count else { return true }
                state.lastWaiter += 1
                state.waiting[state.lastWaiter] = continuation
                return false
            }
            if isOver { continuation.resume() } else { timer.arm(at: deadline) }
        }
        timer.disarm()
    }
}
