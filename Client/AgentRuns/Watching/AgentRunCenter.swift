import Clocks
public import RunWire

/// Observer of the runs of all agents that are created with it.
/// Each sequence of events or messages has its own buffer, without a limit. The messages of a run follow the run's last
/// event.
///
/// ```swift
/// let center = AgentRunCenter()
/// let agent = AGUIAgent(configuration: configuration, center: center)
/// for await event in center.events { print(event.runID, event.kind) }
/// ```
public final class AgentRunCenter: Sendable, RunObserver {
    private struct Run: Sendable {
        var reducer = RunReducer()
        var events: [AgentRunEvent] = []
        var interruption: AgentRunInterruption?
        var isOver = false
        var watchers: [Int: AsyncStream<AgentRunEvent>.Continuation] = [:]

        var snapshot: AgentRunSnapshot { AgentRunSnapshot(reducer, interruption: interruption) }
    }

    private struct Listener: Sendable {
        weak var object: (any AgentRunListener)?
    }

    private struct State: Sendable {
        var runs: [String: Run] = [:]
        var order: [String] = []
        var nextNumber = 0
        var watchers: [Int: AsyncStream<AgentRunEvent>.Continuation] = [:]
        var readers: [Int: AsyncStream<AgenticMessage>.Continuation] = [:]
        var listeners: [String: Listener] = [:]
        var stored: [ThreadID: [AgenticMessage]] = [:]

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        var everyone: [any AgentRunListener] {
            listeners.sorted { $0.key < $1.key }.compactMap(\.value.object)
        }
    }

    private let retainedRuns: Int
    private let state = Locked(State())

    /// Makes a center that keeps the events of `retainedRuns` runs (default: 50). If a run begins beyond that, the
    /// oldest ended run is removed, but never a run in progress. Messages of removed runs stay in the history.
    public init(retainedRuns: Int = 50) {
        self.retainedRuns = max(1, retainedRuns)
    }

    /// The events of all runs from now on.
    public var events: AgentRunEvents { AgentRunEvents(stream: stream(\.watchers)) }

    /// All events of one run, past and future. The sequence is empty if the run is unknown or was removed.
    public func events(of run: RunID) -> AgentRunEvents {
        let (stream, continuation) = AsyncStream.makeStream(of: AgentRunEvent.self)
        let number = state.withLock { state -> Int? in
            guard let known = state.runs[run.rawValue] else { return nil }
            for event in known.events { continuation.yield(event) }
            guard !known.isOver else { return nil }
            let number = state.number()
            state.runs[run.rawValue]?.watchers[number] = continuation
            return number
        }
        if let number {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.runs[run.rawValue]?.watchers[number] = nil }
            }
        } else {
            continuation.finish()
        }
        return AgentRunEvents(stream: stream)
    }

    /// The messages of all runs that end from now on. An interrupted run has no messages.
    public var messages: AgenticMessages { AgenticMessages(stream: stream(\.readers)) }

    private func stream<Element: Sendable>(
        _ listeners: any WritableKeyPath<State, [Int: AsyncStream<Element>.Continuation]> & Sendable
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let number = state.withLock { state in
            let number = state.number()
            state[keyPath: listeners][number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0[keyPath: listeners][number] = nil }
        }
        return stream
    }

    /// The runs in progress, oldest first.
    public var activeRuns: [AgentRunSnapshot] {
        state.withLock { state in
            state.order.compactMap { state.runs[$0] }.filter { !$0.isOver }
        }.map(\.snapshot)
    }

    /// The state of a run; nil if the run is unknown or was removed.
    public func snapshot(of run: RunID) -> AgentRunSnapshot? {
        state.withLock { $0.runs[run.rawValue] }?.snapshot
    }

    /// Returns at most `limit` messages of a thread's ended runs, oldest first: the newest messages, or the last
    /// messages before the message `before`. Throws ``AgentRunError/invalidInput(_:)`` if `before` is unknown.
    public func history(
        of thread: ThreadID, before: MessageID? = nil, limit: Int
    ) async throws -> [AgenticMessage] {
        var all = state.withLock { $0.stored[thread] ?? [] }[...]
        if let before {
            guard let index = all.firstIndex(where: { $0.id == before }) else {
                throw AgentRunError.invalidInput("The thread has no message \"\(before.rawValue)\".")
            }
            all = all[..<index]
        }
        return Array(all.suffix(max(0, limit)))
    }

    /// Adds a listener to all runs, in place of an earlier listener with this id. Listeners are held weakly.
    public func addListener(_ id: String, _ listener: any AgentRunListener) {
        state.withLock { $0.listeners[id] = Listener(object: listener) }
    }

    /// Removes the listener with this id.
    public func removeListener(_ id: String) {
        state.withLock { $0.listeners[id] = nil }
    }

    // MARK: - Events of the streams

    package func runDidReceive(_ event: AgentRunEvent) {
        let (finished, listeners) = state.withLock { state in
            let id = event.runID.rawValue
            if case .runStarted = event.wire.kind, state.runs[id]?.isOver != false { begin(id, &state) }
            if state.runs[id] == nil { begin(id, &state) }
            _ = state.runs[id]?.reducer.apply(event.wire)
            state.runs[id]?.events.append(event)
            let watchers = state.runs[id]?.watchers ?? [:]
            // Events are yielded under the lock, which keeps their order. Streams are finished after its release,
            // because `finish()` calls `onTermination`, which takes the lock.
            for watcher in watchers.values { watcher.yield(event) }
            for watcher in state.watchers.values { watcher.yield(event) }
            if event.isTerminal {
                state.runs[id]?.isOver = true
                state.runs[id]?.watchers = [:]
            }
            return (event.isTerminal ? Array(watchers.values) : [], state.everyone)
        }
        for listener in listeners { listener.agentRunDidReceive(event) }
        for watcher in finished { watcher.finish() }
        if event.isTerminal { keep(event) }
    }

    private func begin(_ id: String, _ state: inout State) {
        state.order.removeAll { $0 == id }
        state.order.append(id)
        state.runs[id] = Run()
        while state.order.count > retainedRuns,
            let oldest = state.order.firstIndex(where: { state.runs[$0]?.isOver != false })
        {
            state.runs[state.order.remove(at: oldest)] = nil
        }
    }

    private func keep(_ event: AgentRunEvent) {
        let (messages, listeners) = state.withLock { state -> ([AgenticMessage], [any AgentRunListener]) in
            guard let run = state.runs[event.runID.rawValue] else { return ([], []) }
            let messages = AgenticMessage.left(of: run.reducer, run.events)
            state.stored[event.threadID, default: []] += messages
            for message in messages {
                for reader in state.readers.values { reader.yield(message) }
            }
            return (messages, state.everyone)
        }
        for listener in listeners {
            for message in messages { listener.agentRunDidPersist(message) }
        }
    }

    package func runWasInterrupted(_ runID: String, _ reason: AgentRunInterruption) {
        let (watchers, listeners) = state.withLock { state in
            guard state.runs[runID]?.isOver == false else {
                return ([AsyncStream<AgentRunEvent>.Continuation](), [any AgentRunListener]())
            }
            let watchers = state.runs[runID]?.watchers.values.map { $0 } ?? []
            state.runs[runID]?.watchers = [:]
            state.runs[runID]?.isOver = true
            state.runs[runID]?.interruption = reason
            return (watchers, state.everyone)
        }
        for watcher in watchers { watcher.finish() }
        for listener in listeners {
            listener.agentRunWasInterrupted(RunID(rawValue: runID), reason: reason)
        }
    }
}

/// Listener to runs. Events and messages arrive on the network thread, interruptions on any thread. All methods are
/// optional.
///
/// ```swift
/// final class RunPrinter: AgentRunListener {
///     func agentRunDidReceive(_ event: AgentRunEvent) { print(event.runID, event.kind) }
/// }
/// let printer = RunPrinter()                     // the center does not keep it alive
/// center.addListener("printer", printer)
/// ```
public protocol AgentRunListener: AnyObject, Sendable {
    func agentRunDidReceive(_ event: AgentRunEvent)
    func agentRunDidPersist(_ message: AgenticMessage)
    /// Called when the client stopped reading a run before its end.
    func agentRunWasInterrupted(_ run: RunID, reason: AgentRunInterruption)
}

extension AgentRunListener {
    /// The default implementation does nothing.
    public func agentRunDidReceive(_ event: AgentRunEvent) {}
    /// The default implementation does nothing.
    public func agentRunDidPersist(_ message: AgenticMessage) {}
    /// The default implementation does nothing.
    public func agentRunWasInterrupted(_ run: RunID, reason: AgentRunInterruption) {}
}

/// A sequence of events in order. The sequence of a single run ends when the run ends or is interrupted.
public struct AgentRunEvents: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = AgentRunEvent

    let stream: AsyncStream<AgentRunEvent>

    /// Iterator over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<AgentRunEvent>.Iterator

        /// Returns the next event; nil after the last.
        public mutating func next() async -> AgentRunEvent? { await iterator.next() }
    }

    /// Makes an iterator over the events.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
}

/// A sequence of the messages of ended runs.
public struct AgenticMessages: AsyncSequence, Sendable {
    /// One message.
    public typealias Element = AgenticMessage

    let stream: AsyncStream<AgenticMessage>

    /// Iterator over the messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<AgenticMessage>.Iterator

        /// Returns the next message.
        public mutating func next() async -> AgenticMessage? { await iterator.next() }
    }

    /// Makes an iterator over the messages.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
}
