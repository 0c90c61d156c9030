import Clocks

/// What is to be done on the main actor, in order: one visit for all that has come.
final class MainInbox: Sendable {
    typealias Work = @MainActor @Sendable (ItemStore) -> Void

    private struct State {
        var waiting: [Work] = []
        var isScheduled = false
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

    /// Something waits for the main actor, or is done there.
    var isBusy: Bool { state.withLock { $0.isScheduled } }

    @MainActor
    private func drain() {
        while true {
            let batch = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                if batch.isEmpty { state.isScheduled = false }
                return batch
            }
            if batch.isEmpty { return }
            for work in batch { work(store) }
        }
    }
}
