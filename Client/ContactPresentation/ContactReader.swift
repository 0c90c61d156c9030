public import ChatPresentation
public import ConnectCore
import Texts

/// Translates the events of an Amazon Connect chat contact to actions of a `ChatModel`, so that one screen
/// can show both protocols.
///
/// ```swift
/// var chat = ChatModel()
/// var reader = ContactReader()
/// for await event in session.events {              // of a ChatSession of ConnectChat
///     for action in reader.read(event) { _ = chat.apply(action, at: now) }
/// }
/// ```
///
/// A reader belongs to one contact: after a `reset()`, use a new reader and a new model. A message that
/// failed is sent again with ``TranscriptRow/persistentId``, which ``persistentID(ofDraft:)`` returns.
public struct ContactReader: Sendable {
    /// The reported part of a row.
    private struct Told: Sendable {
        var sequence: Int
        /// Bytes of the row's text that were delivered.
        var told = 0
        var pieces = 0
        var isOver = false
        /// Of an own message: how often it was sent.
        var tries = 0
        var hasFailed = false
    }

    private var rows: [String: Told] = [:]
    /// The ids of ``rows``, in the order of delivery, and the number of delivered rows: the oldest ids are
    /// dropped, as transcripts drop their rows.
    private var order: [String] = []
    private var count = 0
    /// Number of delivered rows by time, and the latest time.
    private var ties: [Milliseconds: Int] = [:]
    private var lastMoment: Milliseconds = 0
    private var isOpening = false
    private var isTyping = false
    private var hasEnded = false

    /// Makes a reader for a new contact.
    public init() {}

    /// Reads an event of `ChatSession.events` and returns the actions for the model, in order.
    public mutating func read(_ event: ChatSessionEvent) -> [ChatAction] {
        switch event {
        case .connectionEstablished:
            // Items of the first page are not new.
            isOpening = true
            return []
        case .connectionReEstablished: return [.opened]
        case .connectionBroken: return [.lost]
        case .chatEnded: return open() + ended(by: .agent)
        case .messageReceived(let row): return read(row)
        case .transcriptUpdated(let snapshot): return missing(in: snapshot) + typing(snapshot) + open()
        default: return []
        }
    }

    /// Reads a whole transcript of `ChatSession.transcripts`, for those who begin to listen late, and returns
    /// the actions for the model, in order.
    public mutating func read(_ snapshot: TranscriptSnapshot) -> [ChatAction] {
        isOpening = true
        defer { count = snapshot.insertions }
        return snapshot.rows.flatMap { read($0) } + typing(snapshot) + open()
    }

    /// The id for `resendFailedMessage` of a message that the model shows as failed: that of the row, which
    /// never changes.
    public static func persistentID(ofDraft draft: String) -> String {
        draft.firstIndex(of: "#").map { String(draft[..<$0]) } ?? draft
    }

    // MARK: - The connection

    private mutating func open() -> [ChatAction] {
        defer { isOpening = false }
        return isOpening ? [.opened] : []
    }

    private mutating func ended(by ending: Ending) -> [ChatAction] {
        guard !hasEnded else { return [] }
        hasEnded = true
        return [event(.ended(by: ending))]
    }

    // MARK: - Rows

    /// Rows whose events were missed: a session keeps only a thousand events.
    private mutating func missing(in snapshot: TranscriptSnapshot) -> [ChatAction] {
        guard snapshot.insertions > count else { return [] }
        defer { count = snapshot.insertions }
        return snapshot.rows.flatMap { read($0) }
    }

    /// The server sends no end of typing; the row is removed instead.
    private mutating func typing(_ snapshot: TranscriptSnapshot) -> [ChatAction] {
        guard let row = snapshot.typing else {
            defer { isTyping = false }
            return isTyping ? [event(.personTyping(isTyping: false, name: nil))] : []
        }
        guard !isTyping else { return [] }
        isTyping = true
        return [event(.personTyping(isTyping: true, name: row.displayName))]
    }

    private func event(_ kind: ChatEvent.Kind, _ row: TranscriptRow, _ told: Told) -> ChatAction {
        .event(ChatEvent(id: row.id, sequence: told.sequence, at: Self.moment(row), kind))
    }

    /// An action for an event that is not shown as a row.
    private func event(_ kind: ChatEvent.Kind) -> ChatAction {
        .event(ChatEvent(id: "", sequence: nil, at: lastMoment, kind))
    }

    private static func moment(_ row: TranscriptRow) -> Milliseconds {
        (TimeStamp.parse(row.timeStamp) ?? 0) / 1_000_000
    }

    /// The sort position of a row: its millisecond, and up to a thousand rows of one millisecond in order of
    /// arrival.
    private mutating func place(_ row: TranscriptRow) -> Int {
        let moment = Self.moment(row)
        let tie = ties[moment, default: 0]
        ties[moment] = tie + 1
        lastMoment = max(lastMoment, moment)
        return Int(moment) * 1_000 + min(tie, 999)
    }

    private mutating func read(_ row: TranscriptRow) -> [ChatAction] {
        guard row.contentType != ContentType.typing.rawValue else { return [] }
        let isOnItsWay = row.kind == .message && row.direction == .Outgoing && row.status == .Sending
        let isNew = rows[row.persistentId] == nil
        if isNew {
            forgetOldest()
            (count, rows[row.persistentId]) = (count + 1, Told(sequence: isOnItsWay ? 0 : place(row)))
            order.append(row.persistentId)
        }
        guard var told = rows[row.persistentId], !told.isOver else { return [] }
        defer { rows[row.persistentId] = told }
        if row.kind == .event {
            told.isOver = true
            return happened(row, told)
        }
        guard row.direction == .Outgoing else { return said(row, &told) }
        if !isNew, !isOnItsWay, row.status != .Failed { told.sequence = place(row) }
        return own(row, &told)
    }

    /// Drops the older half of the ids once there are twice as many as a transcript has rows.
    private mutating func forgetOldest() {
        guard order.count >= 2 * Limits.keptRows else { return }
        for id in order.prefix(Limits.keptRows) { rows[id] = nil }
        order.removeFirst(Limits.keptRows)
        ties = ties.filter { $0.key + 60_000 > lastMoment }
    }

    private mutating func happened(_ row: TranscriptRow, _ told: Told) -> [ChatAction] {
        let isPerson = row.participant == "AGENT" || row.participant == "SUPERVISOR"
        guard !row.isFromPastSession else { return [] }
        switch (ContentType(rawValue: row.contentType), row.participant) {
        case (.joined?, _) where isPerson:
            return [event(.personJoined(name: row.displayName, avatar: nil), row, told)]
        case (.joined?, "CUSTOM_BOT"):
            return [event(.agentJoined(name: row.displayName, avatar: nil), row, told)]
        case (.left?, _) where isPerson: return [event(.personLeft(name: row.displayName), row, told)]
        case (.left?, "CUSTOM_BOT"): return [event(.agentLeft, row, told)]
        case (.left?, "CUSTOMER"): return [event(.userEnded, row, told)]
        case (.participantInvited?, _): return [event(.handoffAccepted, row, told)]
        case (.transferFailed?, _): return [event(.handoffFailed(hasTimedOut: false), row, told)]
        case (.participantIdle?, "CUSTOMER"): return [event(.idleWarning, row, told)]
        case (.participantReturned?, "CUSTOMER"): return [.active]
        case (.autoDisconnection?, "CUSTOMER"): return ended(by: .idle)
        case (.ended?, _): return ended(by: .agent)
        default: return []
        }
    }

    // MARK: - Messages

    private func own(_ row: TranscriptRow, _ told: inout Told) -> [ChatAction] {
        let (id, draft) = (row.persistentId, Self.draft(row.persistentId, told.tries))
        switch row.status {
        case .Sending?:
            if told.tries == 0 {
                told.tries = 1
                return [.say(id: Self.draft(id, 1), text: row.text)]
            }
            guard told.hasFailed else { return [] }
            (told.tries, told.hasFailed) = (told.tries + 1, false)
            return [.retry(id: draft, freshID: Self.draft(id, told.tries))]
        case .Failed?:
            guard !told.hasFailed else { return [] }
            defer { (told.tries, told.hasFailed) = (max(1, told.tries), true) }
            return (told.tries == 0 ? [.say(id: draft, text: row.text)] : []) + [.failed(id: draft)]
        case .Sent?, .Delivered?, .Read?, .Unknown?, nil:
            told.isOver = true
            let message = ChatEvent.Kind.userMessage(
                id: row.id, text: row.text, draftID: told.tries > 0 ? draft : nil)
            return [event(message, row, told)]
        }
    }

    /// The draft id of a message; each resend is a new draft for the model.
    private static func draft(_ id: String, _ tries: Int) -> String { tries > 1 ? "\(id)#\(tries)" : id }

    private func said(_ row: TranscriptRow, _ told: inout Told) -> [ChatAction] {
        let isPerson = row.participant == "AGENT" || row.participant == "SUPERVISOR"
        guard row.isComplete else {
            let news = String(row.text.utf8.dropFirst(told.told)) ?? ""
            // People speak in whole messages; what grows is the automatic agent's.
            guard !news.isEmpty, !isPerson else { return [] }
            (told.told, told.pieces) = (row.text.utf8.count, told.pieces + 1)
            let piece = ChatEvent.Content(id: row.id, text: news, name: row.displayName)
            let event = ChatEvent.Kind.chunk(piece, index: told.pieces, isLast: false)
            return [.event(ChatEvent(id: "", sequence: told.sequence, at: Self.moment(row), event))]
        }
        told.isOver = true
        return [event(.message(Self.content(row), from: isPerson ? .person : .agent), row, told)]
    }

    /// The text of an interactive message and its choices. Content that no row can show, such as a form, is treated as
    /// a file.
    private static func content(_ row: TranscriptRow) -> ChatEvent.Content {
        var content = ChatEvent.Content(id: row.id, text: row.text, name: row.displayName)
        if row.attachmentId != nil { content.unknownCount = 1 }
        guard row.contentType == ContentType.interactiveText.rawValue,
            let template = try? JSONReader.read(Array(row.text.utf8), manner: .lenient),
            template.object != nil
        else { return content }
        let shown = template["data"]?["content"]
        let lines = [shown?["title"]?.string, shown?["subtitle"]?.string].compactMap { $0 }
        content.text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        content.suggestions = choices(shown).map { RowSuggestion(text: $0) }
        if content.text.isEmpty, content.suggestions.isEmpty { content.unknownCount = 1 }
        return content
    }

    /// The text sent when the user picks an element: the date of a time slot, else the title. A carousel's elements are
    /// templates themselves.
    private static func choices(_ content: JSONValue?) -> [String] {
        let slots = content?["timeslots"]?.array ?? []
        let elements = content?["elements"]?.array ?? []
        return slots.compactMap { $0["date"]?.string }
            + elements.flatMap { element in
                element["data"].map { choices($0["content"]) } ?? [element["title"]?.string].compactMap { $0 }
            }
    }
}
