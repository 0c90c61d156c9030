public import ChatPresentation
public import ConnectCore
import Texts

/// Converter of Amazon Connect chat events to actions of a `ChatModel`.
///
/// ```swift
/// var chat = ChatModel()
/// var reader = ContactReader()
/// for await event in session.events {              // of a ChatSession of ConnectChat
///     for action in reader.read(event) { _ = chat.apply(action, at: now) }
/// }
/// ```
///
/// A reader is for one contact: after a `reset()` of the session, use a new reader and a new model. To send a failed
/// message again, pass the result of ``persistentID(ofDraft:)`` to `resendFailedMessage`.
public struct ContactReader: Sendable {
    private struct RowProgress: Sendable {
        var sequence: Int
        var sentBytes = 0
        var pieces = 0
        var isOver = false
        var tries = 0
        var hasFailed = false
        /// Id of the message in the model.
        var messageID: String?
        /// Time, `arrival` and text of the own row as last delivered. If they change, the row is delivered again.
        var read: (moment: Milliseconds, arrival: Int, text: String) = (0, 0, "")
    }

    private var rows: [String: RowProgress] = [:]
    /// The keys of ``rows`` in order of delivery.
    private var order: [String] = []
    private var count = 0
    /// `arrival` of the first delivered row of each millisecond.
    private var firstArrivals: [Milliseconds: Int] = [:]
    private var lastMoment: Milliseconds = 0
    /// Time and `arrival` of the oldest row; nil without rows.
    private var beginning: (moment: Milliseconds, arrival: Int)?
    private var hasEarlier = false
    private var isOpening = false
    private var isTyping = false
    private(set) var hasEnded = false

    /// Creates a reader for a new contact.
    public init() {}

    /// Converts an event of `ChatSession.events`. Returns the actions for the model, in order.
    public mutating func read(_ event: ChatSessionEvent) -> [ChatAction] {
        switch event {
        case .connectionEstablished:
            // Rows of the first page are history and do not count as new.
            isOpening = true
            return []
        case .connectionReEstablished: return [.opened]
        case .connectionBroken: return [.lost]
        case .chatEnded: return open() + ended(by: .agent)
        case .messageReceived(let row): return read(row)
        case .uploadProgress(let id, let percent):
            guard let row = rows[id], !row.isOver else { return [] }
            let state = RowAttachment.State.uploading(percent: percent)
            return [self.event(.changed(messageID: Self.draft(id, row.tries), .file(id: "", state)))]
        case .transcriptUpdated(let snapshot):
            return missing(in: snapshot) + earlier(snapshot) + typing(snapshot) + open()
        default: return []
        }
    }

    /// Converts a complete transcript of `ChatSession.transcripts`. Returns the actions for the model, in order.
    public mutating func read(_ snapshot: TranscriptSnapshot) -> [ChatAction] {
        isOpening = true
        defer { count = snapshot.insertions }
        return snapshot.rows.flatMap { read($0) } + earlier(snapshot) + typing(snapshot) + open()
    }

    /// Returns the current conversation, for a screen that opens now. Later events must be read with the same reader.
    /// `hasEnded`: the contact has ended, possibly without a row.
    public mutating func history(
        _ snapshot: TranscriptSnapshot, isOpen: Bool, hasEnded isOver: Bool = false
    ) -> ChatHistory {
        var history = ChatHistory(isOpen: isOpen)
        let rows = snapshot.rows
        let isWaiting = { (row: TranscriptRow) in row.status == .Sending || Self.isUnsent(row) }
        // A screen does not move a message that fails, so these rows are in the order in which the user sent them.
        var waiting = rows.filter(isWaiting).sorted { $0.written < $1.written }[...]
        for row in rows.map({ isWaiting($0) ? waiting.removeFirst() : $0 }) {
            for action in read(row) {
                switch action {
                case .event(let event), .earlier(let event): history.entries.append(.event(event))
                case .say(let id, let text, _):
                    history.entries.append(.draft(id: id, text: text, at: Self.moment(row), .pending))
                case .draft(let id, let text, _, let files):
                    history.entries.append(
                        .draft(id: id, text: text, at: Self.moment(row), .pending, files: files))
                case .failed(let id):
                    if case .draft(id, let text, let at, _, _, let files, _) = history.entries.last {
                        history.entries[history.entries.count - 1] = .draft(
                            id: id, text: text, at: at, .failed, files: files)
                    }
                case .active:
                    history.entries.removeAll { entry in
                        if case .event(let event) = entry, event.kind == .idleWarning { true } else { false }
                    }
                default: break
                }
            }
        }
        if isOver {
            for case .event(let event) in ended(by: .agent) { history.entries.append(.event(event)) }
        }
        count = snapshot.insertions
        isTyping = snapshot.typing != nil
        history.isTyping = isTyping
        _ = earlier(snapshot)
        history.hasEarlier = hasEarlier
        return history
    }

    /// Converts a draft id of the model to the message's persistent id, which `resendFailedMessage` needs.
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

    /// Returns the actions for dropped events. `ChatSession.events` keeps only the newest 1,000 unread events.
    private mutating func missing(in snapshot: TranscriptSnapshot) -> [ChatAction] {
        guard snapshot.insertions > count else { return [] }
        defer { count = snapshot.insertions }
        return snapshot.rows.flatMap { read($0) }
    }

    private mutating func earlier(_ snapshot: TranscriptSnapshot) -> [ChatAction] {
        let isMore = snapshot.previousTranscriptNextToken?.isEmpty == false
        guard isMore != hasEarlier else { return [] }
        hasEarlier = isMore
        return [.hasEarlier(isMore)]
    }

    /// Returns the action for the start or end of typing.
    private mutating func typing(_ snapshot: TranscriptSnapshot) -> [ChatAction] {
        guard let row = snapshot.typing else {
            defer { isTyping = false }
            return isTyping ? [event(.personTyping(isTyping: false, name: nil))] : []
        }
        guard !isTyping else { return [] }
        isTyping = true
        return [event(.personTyping(isTyping: true, name: row.displayName))]
    }

    private func event(_ kind: ChatEvent.Kind, _ row: TranscriptRow, _ progress: RowProgress) -> ChatAction {
        .event(ChatEvent(id: row.id, sequence: progress.sequence, at: Self.moment(row), kind))
    }

    /// Returns the actions for a change of a row whose delivery is complete.
    private mutating func changed(_ row: TranscriptRow, _ progress: inout RowProgress) -> [ChatAction] {
        let id = progress.messageID ?? row.id
        let changes = fileChange(row, id) + receipt(row, id)
        guard row.kind == .message, row.direction == .Outgoing else { return changes }
        if Self.isUnsent(row) {
            // The row was matched with an equal message of another device, which has a row of its own now.
            (progress.isOver, progress.hasFailed, progress.tries) = (false, true, progress.tries + 1)
            let draft = Self.draft(row.persistentId, progress.tries)
            return [Self.draft(of: row, draft), .failed(id: draft)]
        }
        let isParted = row.attachmentId == nil && row.id != id
        let read = (Self.moment(row), row.arrival, row.text)
        guard isParted || progress.read != read else { return changes }
        (progress.read, progress.sequence) = (read, place(row))
        if isParted { progress.messageID = row.id }
        let message = ChatEvent.Kind.userMessage(
            id: isParted ? row.id : id, text: row.attachmentId == nil ? row.text : "", draftID: nil, files: []
        )
        return [own(message, row, progress)] + (isParted ? receipt(row, row.id) : changes)
    }

    /// Makes an event of an own message. The event has no id: after a wrong match, two messages have had the same id.
    private func own(_ kind: ChatEvent.Kind, _ row: TranscriptRow, _ progress: RowProgress) -> ChatAction {
        .event(ChatEvent(id: "", sequence: progress.sequence, at: Self.moment(row), kind))
    }

    /// Whether a message was not sent. A rejected file was sent, and cannot be sent again.
    private static func isUnsent(_ row: TranscriptRow) -> Bool {
        row.status == .Failed && row.attachmentStatus != "REJECTED"
    }

    private func fileChange(_ row: TranscriptRow, _ message: String) -> [ChatAction] {
        Self.file(of: row).map { [event(.changed(messageID: message, .file(id: $0.id, $0.state)))] } ?? []
    }

    private func receipt(_ row: TranscriptRow, _ message: String) -> [ChatAction] {
        guard row.direction == .Outgoing, row.status == .Read || row.status == .Delivered else { return [] }
        // Nobody receives a file before the service has approved it.
        if let file = Self.file(of: row), file.state != .complete { return [] }
        return [event(.changed(messageID: message, .receipt(row.status == .Read ? .read : .delivered)))]
    }

    private func event(_ kind: ChatEvent.Kind) -> ChatAction {
        .event(ChatEvent(id: "", sequence: nil, at: lastMoment, kind))
    }

    private static func moment(_ row: TranscriptRow) -> Milliseconds {
        (TimeStamp.parse(row.timeStamp) ?? 0) / 1_000_000
    }

    /// Returns the row's sequence number: its time in milliseconds times 200,000, plus -50,000 to 149,999 in the order
    /// of `arrival`.
    private mutating func place(_ row: TranscriptRow) -> Int {
        let moment = Self.moment(row)
        let first = firstArrivals[moment] ?? row.arrival
        firstArrivals[moment] = first
        lastMoment = max(lastMoment, moment)
        return Int(moment) * 200_000 + min(max(row.arrival - first, -50_000), 149_999)
    }

    /// Whether the row is older than all rows so far, and thus belongs to an older page. Records the oldest row.
    private mutating func isEarlier(_ row: TranscriptRow) -> Bool {
        let place = (Self.moment(row), row.arrival)
        guard let old = beginning else {
            beginning = place
            return false
        }
        guard place < (old.moment, old.arrival) else { return false }
        beginning = place
        return true
    }

    private mutating func read(_ row: TranscriptRow) -> [ChatAction] {
        guard row.contentType != ContentType.typing.rawValue else { return [] }
        guard rows[row.persistentId] == nil, row.status != .Sending, isEarlier(row) else {
            return delivered(row)
        }
        return delivered(row).map { action in
            if case .event(let event) = action { .earlier(event) } else { action }
        }
    }

    private mutating func delivered(_ row: TranscriptRow) -> [ChatAction] {
        let isOnItsWay = row.kind == .message && row.direction == .Outgoing && row.status == .Sending
        let isNew = rows[row.persistentId] == nil
        if isNew {
            forgetOldest()
            (count, rows[row.persistentId]) = (count + 1, RowProgress(sequence: isOnItsWay ? 0 : place(row)))
            order.append(row.persistentId)
        }
        guard var progress = rows[row.persistentId] else { return [] }
        defer { rows[row.persistentId] = progress }
        if progress.isOver { return changed(row, &progress) }
        if row.kind == .event {
            progress.isOver = true
            return happened(row, progress)
        }
        guard row.direction == .Outgoing else { return said(row, &progress) }
        if !isNew, !isOnItsWay, !Self.isUnsent(row) { progress.sequence = place(row) }
        return own(row, &progress)
    }

    /// Drops the older half of the ids when their number reaches twice the maximum rows of a transcript.
    private mutating func forgetOldest() {
        guard order.count >= 2 * ConnectLimits.keptRows else { return }
        for id in order.prefix(ConnectLimits.keptRows) { rows[id] = nil }
        order.removeFirst(ConnectLimits.keptRows)
        firstArrivals = firstArrivals.filter { $0.key + 60_000 > lastMoment }
    }

    private mutating func happened(_ row: TranscriptRow, _ progress: RowProgress) -> [ChatAction] {
        let isPerson = row.participant == "AGENT" || row.participant == "SUPERVISOR"
        guard !row.isFromPastSession else { return [] }
        switch (ContentType(rawValue: row.contentType), row.participant) {
        case (.joined?, _) where isPerson:
            return [event(.personJoined(name: row.displayName, avatar: nil), row, progress)]
        case (.joined?, "CUSTOM_BOT"):
            return [event(.agentJoined(name: row.displayName, avatar: nil), row, progress)]
        case (.left?, _) where isPerson: return [event(.personLeft(name: row.displayName), row, progress)]
        case (.left?, "CUSTOM_BOT"): return [event(.agentLeft, row, progress)]
        case (.left?, "CUSTOMER"): return [event(.userEnded, row, progress)]
        case (.participantInvited?, _): return [event(.handoffAccepted, row, progress)]
        case (.transferFailed?, _): return [event(.handoffFailed(hasTimedOut: false), row, progress)]
        case (.participantIdle?, "CUSTOMER"): return [event(.idleWarning, row, progress)]
        case (.participantReturned?, "CUSTOMER"): return [.active]
        case (.autoDisconnection?, "CUSTOMER"): return ended(by: .idle)
        case (.ended?, _): return ended(by: .agent)
        default: return []
        }
    }

    // MARK: - Messages

    private func own(_ row: TranscriptRow, _ progress: inout RowProgress) -> [ChatAction] {
        let (id, draft) = (row.persistentId, Self.draft(row.persistentId, progress.tries))
        switch row.status {
        case .Sending?:
            if progress.tries == 0 {
                progress.tries = 1
                return [Self.draft(of: row, Self.draft(id, 1))]
            }
            guard progress.hasFailed else { return [] }
            (progress.tries, progress.hasFailed) = (progress.tries + 1, false)
            return [.retry(id: draft, freshID: Self.draft(id, progress.tries))]
        case .Failed? where Self.isUnsent(row):
            guard !progress.hasFailed else { return [] }
            defer { (progress.tries, progress.hasFailed) = (max(1, progress.tries), true) }
            return (progress.tries == 0 ? [Self.draft(of: row, draft)] : []) + [.failed(id: draft)]
                + fileChange(row, draft)
        case .Sent?, .Delivered?, .Read?, .Failed?, .Unknown?, nil:
            (progress.isOver, progress.messageID) = (true, row.id)
            progress.read = (Self.moment(row), row.arrival, row.text)
            let file = Self.file(of: row)
            let message = ChatEvent.Kind.userMessage(
                id: row.id, text: file == nil ? row.text : "", draftID: progress.tries > 0 ? draft : nil,
                files: file.map { [$0] } ?? [])
            return [own(message, row, progress)] + receipt(row, row.id)
        }
    }

    private static func draft(of row: TranscriptRow, _ id: String) -> ChatAction {
        file(of: row).map { .draft(id: id, text: "", replyTo: nil, files: [$0]) }
            ?? .say(id: id, text: row.text)
    }

    /// Returns the file of a row, with the state of the service's scan, and without a URL: download URLs expire soon.
    private static func file(of row: TranscriptRow) -> RowAttachment? {
        guard let id = row.attachmentId else { return nil }
        let state: RowAttachment.State =
            switch row.attachmentStatus {
            case "REJECTED": .failed
            case "IN_PROGRESS": .uploading(percent: nil)
            case nil where row.status == .Failed: row.isCancelled ? .cancelled : .failed
            // An own file is still being scanned.
            case nil where row.direction == .Outgoing: .uploading(percent: nil)
            default: .complete
            }
        return RowAttachment(file: id, name: row.text, type: row.contentType, state: state)
    }

    /// Returns the draft id of an attempt. For the model, each resend is a new draft with a new id.
    private static func draft(_ id: String, _ tries: Int) -> String { tries > 1 ? "\(id)#\(tries)" : id }

    private func said(_ row: TranscriptRow, _ progress: inout RowProgress) -> [ChatAction] {
        let isPerson = row.participant == "AGENT" || row.participant == "SUPERVISOR"
        guard row.isComplete else {
            let news = String(row.text.utf8.dropFirst(progress.sentBytes)) ?? ""
            // Messages of live agents are delivered only when they are complete.
            guard !news.isEmpty, !isPerson else { return [] }
            (progress.sentBytes, progress.pieces) = (row.text.utf8.count, progress.pieces + 1)
            let piece = ChatEvent.Content(id: row.id, text: news, name: row.displayName)
            let event = ChatEvent.Kind.chunk(piece, index: progress.pieces, isLast: false)
            return [.event(ChatEvent(id: "", sequence: progress.sequence, at: Self.moment(row), event))]
        }
        progress.isOver = true
        return [event(.message(Self.content(row), from: isPerson ? .person : .agent), row, progress)]
    }

    /// Returns the content of a message. An interactive message without text and choices counts as an unknown
    /// attachment.
    private static func content(_ row: TranscriptRow) -> ChatEvent.Content {
        var content = ChatEvent.Content(id: row.id, text: row.text, name: row.displayName)
        if let file = file(of: row) {
            (content.text, content.attachments) = ("", [file])
            return content
        }
        guard row.contentType == ContentType.interactiveText.rawValue,
            let template = try? JSONReader.read(Array(row.text.utf8), manner: .lenient),
            template.object != nil
        else { return content }
        let shown = template["data"]?["content"]
        let lines = [shown?["title"]?.string, shown?["subtitle"]?.string].compactMap { $0 }
        content.text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        content.suggestions = choices(shown).map { RowSuggestion(text: $0, at: moment(of: $0)) }
        if content.text.isEmpty, content.suggestions.isEmpty { content.unknownCount = 1 }
        return content
    }

    /// Returns the time of a time slot: ISO 8601 with minutes and a time zone, without seconds.
    private static func moment(of date: String) -> Milliseconds? {
        guard date.utf8.count == 22, let zone = date.lastIndex(where: { $0 == "+" || $0 == "-" }) else {
            return nil
        }
        return TimeStamp.parse(String(date[..<zone]) + ":00" + String(date[zone...])).map { $0 / 1_000_000 }
    }

    /// Returns the texts of the choices: the date of a time slot, or the title of another element. In a carousel, each
    /// element is a template with elements of its own.
    private static func choices(_ content: JSONValue?) -> [String] {
        let slots = content?["timeslots"]?.array ?? []
        let elements = content?["elements"]?.array ?? []
        return slots.compactMap { $0["date"]?.string }
            + elements.flatMap { element in
                element["data"].map { choices($0["content"]) } ?? [element["title"]?.string].compactMap { $0 }
            }
    }
}
