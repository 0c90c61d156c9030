/// A talk at one moment, for a screen that is opened while it runs.
///
/// ```swift
/// let sent = ChatHistory.Entry.draft(id: "d1", text: "Hi", at: 1_768_469_400_000, .sent)
/// _ = chat.apply(.fill(ChatHistory(entries: [sent], isOpen: true)), at: now)
/// ```
///
/// ``ScreenSource`` makes it of a session of the SDK.
public struct ChatHistory: Equatable, Sendable {
    /// One row of a history.
    public enum Entry: Equatable, Sendable {
        /// A message of the other side, a notice, or the end. Entries stand in the order of the list.
        case event(ChatEvent)
        /// A message of the user. Nobody sends it again: its source follows it.
        case draft(id: String, text: String, at: Milliseconds, RowMessage.Delivery)
    }

    /// The rows, oldest first.
    public var entries: [Entry]
    /// The name of the automatic agent.
    public var agentName: String?
    /// The address of the agent's picture.
    public var agentAvatar: String?
    /// The address of the picture of the person who took over.
    public var personAvatar: String?
    /// The id of the message of which more will come.
    public var growingID: String?
    /// Typing shows.
    public var isTyping = false
    /// The connection is open, and what comes now is new.
    public var isOpen: Bool
    /// How the talk ended, where no entry says it.
    public var ending: Ending?

    /// A history; one without entries is that of a talk in which nothing has happened.
    public init(entries: [Entry] = [], isOpen: Bool = false) {
        self.entries = entries
        self.isOpen = isOpen
    }
}

extension ChatModel {
    /// Rows that look alike stay where they are: a view patches the others alone.
    mutating func fill(_ history: ChatHistory, at now: Milliseconds) {
        var fresh = ChatModel(options: options)
        fresh.offset = offset
        (fresh.isVisible, fresh.isAtEnd, fresh.unread, fresh.below) = (isVisible, isAtEnd, unread, below)
        if let name = given(history.agentName) {
            fresh.agent = Agent(name: name, avatar: given(history.agentAvatar))
            fresh.presence = .agent
        }
        for entry in history.entries { fresh.take(entry, growing: history.growingID, at: now) }
        if let picture = given(history.personAvatar) { fresh.live?.avatar = picture }
        if let ending = history.ending {
            if fresh.ending == nil { fresh.end(by: ending) }
            (fresh.presence, fresh.live, fresh.isOver) = (nil, nil, true)
        }
        if history.isTyping, fresh.ending == nil {
            fresh.showTyping(fresh.live?.name ?? fresh.agent?.name, now)
        }
        (fresh.isOpen, fresh.isLoaded) = (history.isOpen, history.isOpen || !history.entries.isEmpty)
        if let mark, let kept = fresh.spoken.first(where: { fresh.items[$0].id == items[mark].id }) {
            fresh.setMark(kept)
            fresh.markUntil = markUntil
        }
        fresh.refreshStale()
        fresh.effects = RowChange.all(from: rows, to: fresh.rows).map { .rows($0) }
        self = fresh
    }

    /// A draft as an entry, for the screen of another session.
    func entry(of slot: Int) -> ChatHistory.Entry? {
        let item = items[slot]
        return item.message.map { .draft(id: $0.id, text: $0.text, at: item.at, $0.delivery ?? .pending) }
    }

    private mutating func take(_ entry: ChatHistory.Entry, growing id: String?, at now: Milliseconds) {
        switch entry {
        case .event(var event):
            let then = min(now, event.at - offset)
            if case .message(let content, _) = event.kind, content.id == id {
                event.kind = .chunk(content, index: 1, isLast: false)
                apply(event, at: then)
                if let slot = messages[content.id] { beginTail(slot, after: content.text) }
            } else {
                apply(event, at: then)
            }
        case .draft(let id, let text, let at, let delivery):
            guard drafts[id] == nil else { return }
            dropIdle()
            let isWaiting = delivery == .pending || delivery == .sending
            let at = Times.bounded(at)
            let message = RowMessage(id: id, speaker: .user, name: "", text: text, delivery: delivery)
            var item = ChatItem(
                id: "d-" + id, order: delivery == .sent ? Double(sequence) + 0.5 : .infinity, at: at,
                content: .message(message), isDone: true)
            item.since = min(now, at - offset)
            let slot = add(item)
            drafts[id] = slot
            if isWaiting { waiting.append(slot) }
            place(slot)
        }
    }

    /// The pieces that a history put together are one text; the next to come follows it, whatever its index.
    private mutating func beginTail(_ slot: Int, after text: String) {
        items[slot].head = text
        items[slot].chunks = [:]
        items[slot].firstIndex = nil
    }
}

extension RowChange {
    /// The changes that make one list of rows of another: rows at the beginning and the end with the same ids stay.
    static func all(from old: [ChatRow], to new: [ChatRow]) -> [RowChange] {
        var head = 0
        while head < min(old.count, new.count), old[head].id == new[head].id { head += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - head,
            old[old.count - 1 - tail].id == new[new.count - 1 - tail].id
        {
            tail += 1
        }
        var changes = (head..<(old.count - tail)).reversed().map { RowChange.removed(at: $0) }
        changes += (head..<(new.count - tail)).map { .inserted(new[$0], at: $0) }
        for index in 0..<head where old[index] != new[index] {
            changes.append(.updated(new[index], at: index))
        }
        for index in (new.count - tail)..<new.count where old[index + old.count - new.count] != new[index] {
            changes.append(.updated(new[index], at: index))
        }
        return changes
    }
}
