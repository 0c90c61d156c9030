package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct ClientStreams: Sendable {
    package let events = Multicast<MessagingEvent>()
    package let statuses = Multicast<ConnectionStatus>(replaying: .idle)
    package let sessionStates = Multicast(replaying: SessionState(.unknown))
    package let feed: EventBroadcast

    package let opens = Multicast<Void>()
    package let closes = Multicast<ConnectionCloseEvent>()
    package let messages = Multicast<MessagingEvent>()
    package let batches = Multicast<[MessagingEvent]>()
    package let frames = Multicast<Data>()
    package let errors = Multicast<PolyError>()

    package init(isProgressive: Bool, generator: SeededGenerator) {
        feed = EventBroadcast(isProgressive: isProgressive, generator: generator)
    }

    package func notify(_ update: ClientUpdate, at now: Instant) {
        feed.notify(update, at: now)
        switch update {
        case .event(let event): events.send(event)
        case .reply(let id, let text, _): events.send(.messagePending(draftId: id, text: text))
        case .status(let status): statuses.send(status)
        case .sessionState(let state): sessionStates.send(state)
        case .sessionChanged: break
        }
    }

    package func notify(_ output: ClientCore.RawOutput) {
        switch output {
        case .opened: opens.send(())
        case .closed(let event): closes.send(event)
        case .frame(let bytes): if frames.isHeard { frames.send(Data(bytes)) }
        case .message(let event): messages.send(event)
        case .batch(let events):
            batches.send(events)
            for event in events { messages.send(event) }
        case .fault(let error): errors.send(error)
        }
    }

    package func finish() {
        events.finish()
        statuses.finish()
        sessionStates.finish()
        feed.finish()
        opens.finish()
        closes.finish()
        messages.finish()
        batches.finish()
        frames.finish()
        errors.finish()
    }
}

/// Ordered broadcast of client updates.
package final class EventBroadcast: Sendable {
    package enum Item: Sendable {
        case update(ClientUpdate, at: Instant, number: Int)
        case tick
        /// Numbered mark. A listener that takes it has taken all earlier items.
        case mark(Int)
    }

    private struct State {
        var number = 0
        var chat: ChatTranscript
        var session = SessionState(.unknown)
        var marks = 0
        var isFinished = false
    }

    private struct Listeners {
        var all: [Int: EventSubscription] = [:]
        var nextID = 0
        var isFinished = false
        /// True while ``notifyTogether(_:)`` runs, which wakes the listeners at its end.
        var isHolding = false
        var onceTaken: (@Sendable () -> Void)?
    }

    private let state: Locked<State>
    private let listeners = Locked(Listeners())

    /// `isProgressive`: whether ``snapshot(at:)`` shows streamed replies while they grow.
    package init(isProgressive: Bool, generator: SeededGenerator) {
        state = Locked(State(chat: ChatTranscript(isProgressive: isProgressive, generator: generator)))
    }

    // MARK: Notifying

    /// Posts an update. Must not be called concurrently.
    package func notify(_ update: ClientUpdate, at now: Instant) {
        let number = state.withLock { state in
            state.number += 1
            state.chat.advance(to: now)
            state.chat.apply(update, at: now)
            if case .sessionState(let session) = update { state.session = session }
            return state.number
        }
        post(.update(update, at: now, number: number), wakes: !listeners.withLock { $0.isHolding })
    }

    package func removeMessage(draftID: String) {
        state.withLock { $0.chat.removeMessage(draftID: draftID) }
    }

    package func tick() {
        post(.tick, wakes: true)
    }

    /// Calls `remember` with the number of a new mark, then posts the mark.
    ///
    /// - Returns: False if the broadcast has ended.
    package func mark(_ remember: (Int) -> Void) -> Bool {
        let number = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.marks += 1
            return state.marks
        }
        guard let number else { return false }
        remember(number)
        post(.mark(number), wakes: true)
        return true
    }

    package func finish() {
        state.withLock { $0.isFinished = true }
        let all = listeners.withLock { listeners in
            listeners.isFinished = true
            return Array(listeners.all.values)
        }
        for listener in all { listener.finish() }
    }

    /// Posts an item. `wakes`: also wakes the listeners.
    private func post(_ item: Item, wakes: Bool) {
        let all = listeners.withLock { $0.isFinished ? [] : Array($0.all.values) }
        for listener in all {
            listener.post(item)
            if wakes { listener.wakeIfNeeded() }
        }
    }

    /// Runs `body`, and wakes the listeners for its updates only at the end.
    package func notifyTogether(_ body: () -> Void) {
        listeners.withLock { $0.isHolding = true }
        body()
        let all = listeners.withLock { listeners in
            listeners.isHolding = false
            return Array(listeners.all.values)
        }
        for listener in all { listener.wakeIfNeeded() }
    }

    // MARK: Listening

    /// Returns the chat, the number of its last update, and a subscription, which may repeat updates up to that number.
    /// `wake` is called on any thread, for new items and at the end.
    package func subscribe(
        progressively: Bool, wake: @escaping @Sendable () -> Void
    ) -> (transcript: ChatTranscript, number: Int, listener: EventSubscription) {
        let (listener, isFinished) = listeners.withLock { listeners in
            let id = listeners.nextID
            listeners.nextID += 1
            let listener = EventSubscription(wake: wake) { [weak self] isLeaving in self?.taken(id, isLeaving)
            }
            listeners.all[id] = listener
            return (listener, listeners.isFinished)
        }
        if isFinished { listener.finish() }
        var (transcript, number) = state.withLock { state in
            state.chat.render()
            return (state.chat, state.number)
        }
        transcript.isProgressive = progressively
        return (transcript, number, listener)
    }

    /// Returns the chat and the session at `now`.
    package func snapshot(at now: Instant) -> ClientSnapshot {
        state.withLock { state in
            state.chat.advance(to: now)
            state.chat.render()
            return ClientSnapshot(
                messages: state.chat.messages, connection: state.chat.connection, session: state.session,
                isAgentTyping: state.chat.isAgentTyping)
        }
    }

    package var session: SessionState { state.withLock { $0.session } }

    package var renderCount: Int { state.withLock { $0.chat.renderCount } }
    package var growingAddress: UInt? { state.withLock { $0.chat.growingAddress } }

    // MARK: Backpressure

    /// Returns whether a listener has untaken items. If so, `onceTaken` replaces the closure of an earlier call, and is
    /// called once, on any thread, when all items are taken.
    package func isBehind(_ onceTaken: @escaping @Sendable () -> Void) -> Bool {
        if isTaken { return false }
        listeners.withLock { $0.onceTaken = onceTaken }
        // Checked again: a listener may have taken its last item before `onceTaken` was set.
        guard isTaken else { return true }
        listeners.withLock { $0.onceTaken = nil }
        return false
    }

    private var isTaken: Bool { listeners.withLock { Array($0.all.values) }.allSatisfy(\.isEmpty) }

    private func taken(_ id: Int, _ isLeaving: Bool) {
        let isAwaited = listeners.withLock { listeners in
            if isLeaving { listeners.all[id] = nil }
            return listeners.onceTaken != nil
        }
        guard isAwaited, isTaken else { return }
        let onceTaken = listeners.withLock { listeners in
            defer { listeners.onceTaken = nil }
            return listeners.onceTaken
        }
        onceTaken?()
    }
}

package final class EventSubscription: Sendable {
    private struct State {
        var items: [EventBroadcast.Item] = []
        var isFinished = false
        var hasLeft = false
        /// Whether the listener was woken and has not taken its items since.
        var isAwake = false
    }

    private let state = Locked(State())
    private let wake: @Sendable () -> Void
    /// Called after the listener took items, with false, or unsubscribed, with true.
    private let taken: @Sendable (Bool) -> Void

    fileprivate init(wake: @escaping @Sendable () -> Void, taken: @escaping @Sendable (Bool) -> Void) {
        self.wake = wake
        self.taken = taken
    }

    fileprivate var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

    fileprivate func post(_ item: EventBroadcast.Item) {
        state.withLock { state in
            if !state.hasLeft { state.items.append(item) }
        }
    }

    fileprivate func wakeIfNeeded() {
        let isNeeded = state.withLock { state in
            if state.isAwake || state.items.isEmpty { return false }
            state.isAwake = true
            return true
        }
        if isNeeded { wake() }
    }

    fileprivate func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    /// Returns all items since the last call, and whether the broadcast has ended.
    package func takeAll() -> (items: [EventBroadcast.Item], isLast: Bool) {
        let all = state.withLock { state in
            defer { state.items = [] }
            state.isAwake = false
            return (state.items, state.isFinished)
        }
        if !all.0.isEmpty { taken(false) }
        return all
    }

    package func leave() {
        state.withLock { state in
            state.hasLeft = true
            state.items = []
        }
        taken(true)
    }
}
