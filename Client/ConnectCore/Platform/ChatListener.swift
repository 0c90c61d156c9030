import Clocks

/// Queue of the chat events that one listener has not read yet.
///
/// | event | entries in the queue |
/// | --- | --- |
/// | the transcript has changed | at most one, after entries of changed rows; reading it returns the current snapshot |
/// | a streamed row has grown | at most one per row, with the latest text |
/// | all other events | one per event |
///
/// Without backpressure, only the newest 1,000 entries are kept.
package final class ChatListener: Sendable {
    fileprivate enum Entry: Sendable {
        case event(ChatSessionEvent)
        case transcript
    }

    fileprivate struct State {
        /// Elements that were read, or replaced by a later entry, are nil.
        var entries: [Entry?] = []
        var head = 0
        /// Sequence number of the first element of ``entries``.
        var first = 0
        var unread = 0
        var transcript: Int?
        var growing: [String: Int] = [:]
        var readers: [CheckedContinuation<Void, Never>] = []
        var isAwake = false
        var isOver = false
        var onceTaken: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let look: @Sendable () -> TranscriptSnapshot
    private let wake: @Sendable () -> Void
    private let leave: @Sendable () -> Void
    /// Whether the socket is read only as fast as this listener reads (backpressure).
    let holdsBack: Bool

    init(
        holdsBack: Bool, look: @escaping @Sendable () -> TranscriptSnapshot,
        wake: @escaping @Sendable () -> Void, leave: @escaping @Sendable () -> Void
    ) {
        (self.holdsBack, self.look, self.wake, self.leave) = (holdsBack, look, wake, leave)
    }

    deinit { leave() }

    // MARK: - Notifying

    func notify(_ event: ChatSessionEvent) { post(.event(event)) }

    func notifyTranscript() { post(.transcript) }

    private func post(_ entry: Entry) {
        let (readers, wakes) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
            guard !state.isOver else { return ([], false) }
            state.add(entry)
            if !holdsBack {
                while state.unread > ConnectLimits.unreadEvents { _ = state.popFirst() }
            }
            defer { (state.readers, state.isAwake) = ([], true) }
            return (state.readers, !state.isAwake)
        }
        for reader in readers { reader.resume() }
        if wakes { wake() }
    }

    /// Whether a listener with backpressure has too many unread entries. If so, `onceTaken` replaces the closure of an
    /// earlier call, and is called once, on any thread, when all entries are taken.
    func isBehind(_ onceTaken: @escaping @Sendable () -> Void) -> Bool {
        guard holdsBack else { return false }
        return state.withLock { state in
            guard state.unread > ConnectLimits.unshown, !state.isOver else { return false }
            state.onceTaken = onceTaken
            return true
        }
    }

    // MARK: - Reading

    package func takeAll() -> [ChatSessionEvent] {
        let (entries, onceTaken) = state.withLock { state -> ([Entry], (@Sendable () -> Void)?) in
            var entries: [Entry] = []
            while let entry = state.popFirst() { entries.append(entry) }
            state.isAwake = false
            defer { state.onceTaken = nil }
            return (entries, state.onceTaken)
        }
        onceTaken?()
        return entries.map(event)
    }

    fileprivate func finish() {
        state.withLock { $0.isOver = true }
        resume()
    }

    package func stop() {
        let (readers, onceTaken) = state.withLock { state in
            let old = (state.readers, state.onceTaken)
            state = State()
            state.isOver = true
            return old
        }
        for reader in readers { reader.resume() }
        onceTaken?()
    }

    /// Waits for the next event. Returns nil after the last event, or if the task is cancelled.
    func next() async -> ChatSessionEvent? {
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                let (entry, isOver) = state.withLock { state in
                    (state.popFirst(), state.isOver)
                }
                if let entry { return event(entry) }
                if isOver { return nil }
                await withCheckedContinuation { continuation in
                    let isLate = state.withLock { state in
                        if state.unread > 0 || state.isOver { return true }
                        state.readers.append(continuation)
                        return false
                    }
                    if isLate { continuation.resume() } else if Task.isCancelled { resume() }
                }
            }
            return nil
        } onCancel: {
            resume()
        }
    }

    private func resume() {
        let readers = state.withLock { state in
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    private func event(_ entry: Entry) -> ChatSessionEvent {
        switch entry {
        case .event(let event): event
        case .transcript: .transcriptUpdated(look())
        }
    }
}

extension ChatListener.State {
    fileprivate mutating func add(_ entry: ChatListener.Entry) {
        let number = first + entries.count
        switch entry {
        case .transcript:
            if let old = transcript {
                if old == number - 1 { return }
                entries[old - first] = nil
                unread -= 1
            }
            transcript = number
        case .event(.messageReceived(let row)) where !row.isComplete:
            if let old = growing[row.persistentId] {
                entries[old - first] = entry
                return
            }
            growing[row.persistentId] = number
        case .event: break
        }
        entries.append(entry)
        unread += 1
    }

    fileprivate mutating func popFirst() -> ChatListener.Entry? {
        while head < entries.count {
            let entry = entries[head]
            entries[head] = nil
            head += 1
            if head > 64, head > entries.count / 2 {
                entries.removeFirst(head)
                (first, head) = (first + head, 0)
            }
            guard let entry else { continue }
            unread -= 1
            switch entry {
            case .transcript: transcript = nil
            case .event(.messageReceived(let row)) where !row.isComplete: growing[row.persistentId] = nil
            case .event: break
            }
            return entry
        }
        return nil
    }
}

final class ChatStreams: Sendable {
    private struct Listeners {
        var all: [Int: Weak] = [:]
        var nextID = 0
    }

    private struct Weak: Sendable {
        weak let listener: ChatListener?
    }

    private let listeners = Locked(Listeners())
    private let link = Locked(LinkStatus())
    private let percents = Locked<[String: Int]>([:])
    let transcripts = Multicast<TranscriptSnapshot>(replaying: TranscriptSnapshot())

    deinit {
        for listener in all { listener.finish() }
    }

    var latest: TranscriptSnapshot { transcripts.latest ?? TranscriptSnapshot() }

    /// Makes a listener to all later events. The subscription ends when the listener is released.
    func listen(holdsBack: Bool = false, wake: @escaping @Sendable () -> Void = {}) -> ChatListener {
        let id = listeners.withLock { listeners in
            listeners.nextID += 1
            return listeners.nextID
        }
        let listener = ChatListener(holdsBack: holdsBack) { [transcripts] in
            transcripts.latest ?? TranscriptSnapshot()
        } wake: {
            wake()
        } leave: { [weak self] in
            self?.listeners.withLock { $0.all[id] = nil }
        }
        listeners.withLock { $0.all[id] = Weak(listener: listener) }
        return listener
    }

    var all: [ChatListener] { listeners.withLock { Array($0.all.values) }.compactMap(\.listener) }

    var status: LinkStatus { link.withLock { $0 } }

    var uploads: [String: Int] { percents.withLock { $0 } }

    func reset() {
        link.withLock { $0 = LinkStatus() }
        percents.withLock { $0 = [:] }
    }

    func notify(_ event: ChatSessionEvent) {
        link.withLock { $0.apply(event) }
        if case .uploadProgress(let id, let percent) = event { percents.withLock { $0[id] = percent } }
        for listener in all { listener.notify(event) }
    }

    func notify(_ changes: [TranscriptCore.Change], _ snapshot: TranscriptSnapshot) {
        percents.withLock { percents in
            guard !percents.isEmpty else { return }
            for change in changes {
                switch change {
                case .update(let row, _) where row.status != .Sending, .move(let row, _, _):
                    percents[row.persistentId] = nil
                default: break
                }
            }
        }
        let listeners = all
        for change in changes where !listeners.isEmpty {
            switch change {
            case .insert(let row, _), .update(let row, _), .move(let row, _, _):
                for listener in listeners { listener.notify(.messageReceived(row)) }
            case .remove, .removeFirst, .removeAll: break
            }
        }
        transcripts.send(snapshot)
        for listener in listeners { listener.notifyTranscript() }
    }

    /// Whether any listener has too many unread entries. See ``ChatListener/isBehind(_:)``.
    func isBehind(_ onceTaken: @escaping @Sendable () -> Void) -> Bool {
        all.contains { $0.isBehind(onceTaken) }
    }
}
