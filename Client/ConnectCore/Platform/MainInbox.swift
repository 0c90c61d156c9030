import Clocks

final class MainInbox: Sendable {
    typealias Work = @MainActor @Sendable (ItemStore) -> Void

    private struct State {
        var waiting: [Work] = []
        var isScheduled = false
        var onceTaken: (@Sendable () -> Void)?
    }

    let store: ItemStore
    private let state = Locked(State())

    init(store: ItemStore) {
        self.store = store
    }

    func post(_ work: @escaping Work) {
        let isFirst = state.withLock { state in
            state.waiting.append(work)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { Task { @MainActor in self.drain() } }
    }

    var isBusy: Bool { state.withLock { $0.isScheduled } }

    /// Whether too much work waits. If so, `onceTaken` replaces the closure of an earlier call, and is called once, on
    /// the main actor, when the waiting work leaves the queue.
    func isBehind(_ onceTaken: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.waiting.count > ConnectLimits.unshown else { return false }
            state.onceTaken = onceTaken
            return true
        }
    }

    @MainActor
    private func drain() {
        while true {
            let (batch, onceTaken) = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                if batch.isEmpty { state.isScheduled = false }
                defer { state.onceTaken = nil }
                return (batch, state.onceTaken)
            }
            onceTaken?()
            if batch.isEmpty { return }
            for work in batch { work(store) }
            store.notifyList()
        }
    }
}
