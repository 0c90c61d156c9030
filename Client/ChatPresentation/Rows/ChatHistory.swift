/// Snapshot of a conversation, for a screen that opens while the conversation is running.
///
/// ```swift
/// let sent = ChatHistory.Entry.draft(id: "d1", text: "Hi", at: 1_768_469_400_000, .sent)
/// _ = chat.apply(.fill(ChatHistory(entries: [sent], isOpen: true)), at: now)
/// ```
///
/// ``ChatSource`` implementations make the history of an SDK session.
public struct ChatHistory: Equatable, Sendable {
    /// One entry of a history: an event, or a message of the user.
    public enum Entry: Equatable, Sendable {
        /// A message from the other side, a notice, the end, or a change of an earlier entry.
        case event(ChatEvent)
        /// A message of the user with its delivery state. `replyTo` is the id of the message that it answers.
        /// `messageID` is the server's id of a message that was sent; without it, the draft's id is used.
        case draft(
            id: String, text: String, at: Milliseconds, RowMessage.Delivery, replyTo: String? = nil,
            files: [RowAttachment] = [], messageID: String? = nil)
    }

    /// Messages and notices, oldest first. Changes of messages come after their messages.
    public var entries: [Entry]
    /// The name of the automatic agent.
    public var agentName: String?
    /// URL of the agent's picture.
    public var agentAvatar: String?
    /// URL of the live agent's picture.
    public var personAvatar: String?
    /// The id of the message that is still being streamed.
    public var growingID: String?
    /// Whether the typing indicator is shown.
    public var isTyping = false
    /// Whether there are older messages, which ``ChatCommand/loadEarlier`` loads.
    public var hasEarlier = false
    /// Whether the connection is open. If so, or if there are entries, later events are announced and count as unread.
    public var isOpen: Bool
    /// The reason of the end. Nil for a running conversation, or if an entry has the reason.
    public var ending: Ending?

    /// Makes a history, by default of a conversation without messages.
    public init(entries: [Entry] = [], isOpen: Bool = false) {
        self.entries = entries
        self.isOpen = isOpen
    }
}

extension ChatModel {
    /// Replaces all rows with those of a history. `welcomes`: whether new rows at the end are announced.
    mutating func fill(_ history: ChatHistory, at now: Milliseconds, welcomes: Bool = false) {
        var fresh = ChatModel(options: options)
        fresh.offset = offset
        (fresh.isVisible, fresh.isAtEnd, fresh.unread, fresh.below) = (isVisible, isAtEnd, unread, below)
        if let name = given(history.agentName) {
            fresh.agent = Agent(name: name, avatar: given(history.agentAvatar))
            fresh.presence = .agent
        }
        for entry in history.entries { fresh.take(entry, growing: history.growingID, at: now) }
        if let picture = given(history.personAvatar) { fresh.live?.avatar = picture }
        if let ending = history.ending, !fresh.isOver {
            if fresh.ending == nil { fresh.end(by: ending) }
            (fresh.presence, fresh.live, fresh.isOver) = (nil, nil, true)
        }
        if history.isTyping, fresh.ending == nil {
            fresh.showTyping(fresh.live?.name ?? fresh.agent?.name, now)
        }
        (fresh.isOpen, fresh.isLoaded) = (history.isOpen, history.isOpen || !history.entries.isEmpty)
        fresh.hasEarlier = history.hasEarlier
        if let mark, let kept = fresh.spoken.first(where: { fresh.items[$0].id == items[mark].id }) {
            fresh.setMark(kept)
            fresh.markUntil = markUntil
        }
        fresh.refreshStale()
        fresh.effects = []
        if welcomes { fresh.welcome(since: rows) }
        let announcements = fresh.effects
        fresh.refreshStale()
        fresh.effects = RowChange.all(from: rows, to: fresh.rows).map { .rows($0) } + announcements
        self = fresh
    }

    private mutating func welcome(since old: [ChatRow]) {
        let known = Dictionary(
            old.map { ($0.id, $0.message?.isStreaming ?? false) }, uniquingKeysWith: { $1 })
        // Rows of the user are skipped, because drafts stay at the end, below later replies.
        let others = rows.reversed().filter { $0.message?.speaker != .user }
        let fresh = others.prefix { known[$0.id] ?? true }
        for row in fresh.reversed() {
            if let notice = row.notice { announce(notice) } else { welcome(row.slot) }
        }
    }

    func entry(of slot: Int) -> ChatHistory.Entry? {
        let item = items[slot]
        return item.message.map {
            .draft(
                id: $0.id, text: $0.text, at: item.at, $0.delivery ?? .pending, replyTo: $0.quote?.id,
                files: $0.attachments)
        }
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
        case .draft(let id, let text, let at, let delivery, let replyTo, let files, let messageID):
            guard drafts[id] == nil else { return }
            dropIdle()
            let isWaiting = delivery == .pending || delivery == .sending
            let at = Times.bounded(at)
            var message = RowMessage(id: id, speaker: .user, name: "", text: text, delivery: delivery)
            message.attachments = files
            if delivery.hasArrived, let messageID = given(messageID) { message.id = messageID }
            var item = ChatItem(
                id: "d-" + id, order: delivery.hasArrived ? nextOrder : .max, at: at,
                content: .message(message), isDone: true)
            item.since = min(now, at - offset)
            let slot = add(item)
            drafts[id] = slot
            if delivery.hasArrived { messages[message.id] = slot }
            if isWaiting { waiting.append(slot) }
            if let replyTo = given(replyTo) { quote(replyTo, in: slot) }
            place(slot)
            if delivery.hasArrived { applyEarly(slot) }
        }
    }

    /// Stores the part of a streamed message that a history contains. The next chunk is appended, whatever its index.
    private mutating func beginTail(_ slot: Int, after text: String) {
        items[slot].head = text
        items[slot].chunks = [:]
        items[slot].firstIndex = nil
    }
}

extension RowChange {
    /// Returns the changes between two lists of rows.
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
