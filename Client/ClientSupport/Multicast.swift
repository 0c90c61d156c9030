import Clocks

/// Broadcast of elements to all subscribers, in the same order for each. Unread elements are buffered, by default
/// without limit.
package final class Multicast<Element: Sendable>: Sendable {
    private typealias Continuation = AsyncStream<Element>.Continuation

    private enum Step: Sendable {
        case deliver(Element)
        case finish
    }

    /// State protected by the lock. One thread at a time delivers the `waiting` steps, without the lock, because
    /// delivering runs code of subscribers.
    private struct State: Sendable {
        var subscribers: [Int: Continuation] = [:]
        var nextID = 0
        var latest: Element?
        let replaysLatest: Bool
        var isFinished = false
        var waiting: [(step: Step, recipients: [Continuation])] = []
        var isHandingOut = false

        /// Adds a step. Returns whether the caller must deliver it.
        mutating func enqueue(_ step: Step, to recipients: [Continuation]) -> Bool {
            waiting.append((step, recipients))
            defer { isHandingOut = true }
            return !isHandingOut
        }
    }

    private let state: Locked<State>

    private init(latest: Element?, replaysLatest: Bool) {
        state = Locked(State(latest: latest, replaysLatest: replaysLatest))
    }

    /// Makes a broadcast of events. New subscribers do not receive earlier elements.
    package convenience init() {
        self.init(latest: nil, replaysLatest: false)
    }

    /// Makes a broadcast of a state. New subscribers first receive the latest element, initially `first`.
    package convenience init(replaying first: Element) {
        self.init(latest: first, replaysLatest: true)
    }

    /// First element for a new subscriber, or nil.
    package var latest: Element? { state.withLock { $0.latest } }

    package var isHeard: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Returns a stream of the elements sent from now on. A broadcast of a state first repeats its latest element.
    package func subscribe(
        keeping policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        let (id, isMine) = state.withLock { state -> (Int, Bool) in
            let id = state.nextID
            state.nextID += 1
            if !state.isFinished { state.subscribers[id] = continuation }
            var isMine = false
            if let latest = state.latest { isMine = state.enqueue(.deliver(latest), to: [continuation]) }
            if state.isFinished { isMine = state.enqueue(.finish, to: [continuation]) || isMine }
            return (id, isMine)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        if isMine { handOut() }
        return stream
    }

    /// Sends `element` to all current subscribers. Does nothing after ``finish()``.
    package func send(_ element: Element) {
        let isMine = state.withLock { state -> Bool in
            if state.isFinished { return false }
            if state.replaysLatest { state.latest = element }
            return !state.subscribers.isEmpty
                && state.enqueue(.deliver(element), to: Array(state.subscribers.values))
        }
        if isMine { handOut() }
    }

    package func finish() {
        let isMine = state.withLock { state -> Bool in
            if state.isFinished { return false }
            state.isFinished = true
            defer { state.subscribers = [:] }
            return state.enqueue(.finish, to: Array(state.subscribers.values))
        }
        if isMine { handOut() }
    }

    private func handOut() {
        while true {
            let batch = takeWaiting()
            if batch.isEmpty { return }
            for (step, recipients) in batch {
                for recipient in recipients {
                    switch step {
                    case .deliver(let element): recipient.yield(element)
                    case .finish: recipient.finish()
                    }
                }
            }
        }
    }

    private func takeWaiting() -> [(step: Step, recipients: [Continuation])] {
        state.withLock { state in
            let batch = state.waiting
            state.waiting = []
            state.isHandingOut = !batch.isEmpty
            return batch
        }
    }
}
