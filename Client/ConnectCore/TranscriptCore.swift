import Clocks

/// The rows of a chat: each item once, by time, whatever its source.
struct TranscriptCore: Sendable {
    /// What the list of rows goes through, in this order.
    enum Change: Equatable, Sendable {
        case insert(TranscriptRow, at: Int)
        case update(TranscriptRow, at: Int)
        /// Taken out at one place and put in at another: the same row.
        case move(TranscriptRow, from: Int, to: Int)
        case remove(at: Int)
        case removeAll
    }

    /// Where an item comes from.
    enum Source: Equatable, Sendable {
        case live
        /// A page, oldest item first; `isOlder`: in front of rows of the same moment.
        case page(isOlder: Bool)
    }

    private struct Key: Comparable, Sendable {
        var rank: Int
        var place: String
        var arrival: Int

        init(_ row: TranscriptRow) {
            (rank, place, arrival) = (row.rank, row.place, row.arrival)
        }

        static func < (left: Key, right: Key) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            if left.place != right.place { return left.place < right.place }
            return left.arrival < right.arrival
        }
    }

    private(set) var rows: [TranscriptRow] = []
    private(set) var changes: [Change] = []
    /// The participant whose client this is; empty until it is known.
    var ownID = ""
    private var keys: [String: Key] = [:]
    private var highArrival = 0
    private var lowArrival = 0
    /// Own rows that wait for their item, oldest first, and when those that were given up were said.
    private var waiting: [String] = []
    private var lost: [(persistentID: String, at: Instant)] = []
    /// Who was shown to be typing, and until when.
    private var typing: [(id: String, sender: String, until: Instant)] = []
    private var earlyReceipts: [(messageID: String, status: MessageStatus, isOwn: Bool)] = []

    var nextDeadline: Instant? { typing.map(\.until).min() }

    /// The newest row that the server knows, keeps and has told: one that is known by the answer to its request alone may
    /// have come before items that were not heard.
    ///
    /// The server keeps a streamed message where it began, and a file that is being checked where it was told: what became
    /// of either stands behind the rows before it alone.
    var newestKept: TranscriptRow? {
        let end = rows.firstIndex { $0.isUnderWay } ?? rows.endIndex
        return rows[..<end].last { row in
            guard row.rank == 0, row.status != .Failed, !row.frame.isEmpty else { return false }
            if row.kind == .message { return row.isComplete }
            return WireItem.keptEvents.contains { row.contentType == WireItem.eventPrefix + $0 }
        }
    }

    /// The oldest row with a server's time.
    var oldest: TranscriptRow? { rows.first { $0.rank == 0 } }

    func row(_ id: String) -> TranscriptRow? { keys[id].flatMap { find($0) }.map { rows[$0] } }

    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    // MARK: - Items

    /// Merges a message, a file or an event.
    ///
    /// - Returns: the row, and whether it is new; nil for what makes no row.
    mutating func merge(_ item: WireItem, from source: Source, at now: Instant, makeID: () -> String) -> (
        row: TranscriptRow, isNew: Bool
    )? {
        var item = item
        if item.id.isEmpty { item.id = makeID() }
        if item.event == "participant.joined", ownID.isEmpty, item.role == "CUSTOMER" {
            ownID = item.participantID
        }
        if item.event == "typing" { return type(item, at: now) }
        if item.event == nil || item.event == "participant.left" { stopTyping(sender(item)) }
        if let row = row(item.id) { return update(row, item).map { ($0, false) } }
        if item.type == "ATTACHMENT", let file = item.attachmentID,
            let own = rows.last(where: { $0.attachmentId == file && $0.status != nil && isOwn($0) })
        {
            return update(own, item).map { ($0, false) }
        }
        if item.type == "MESSAGE", isOwn(item), let adopted = adopt(item, source, at: now) {
            return (adopted, false)
        }
        return insert(item, source).map { ($0, true) }
    }

    private func sender(_ item: WireItem) -> String {
        item.participantID.isEmpty ? item.role : item.participantID
    }

    func isOwn(_ item: WireItem) -> Bool {
        ownID.isEmpty || item.participantID.isEmpty
            ? item.role == "CUSTOMER" : item.participantID == ownID
    }

    private func isOwn(_ row: TranscriptRow) -> Bool { row.direction == .Outgoing }

    private mutating func insert(_ item: WireItem, _ source: Source) -> TranscriptRow? {
        if let chunk = item.chunk, item.isCompleted != true, chunk != 1 { return nil }
        let isEvent = item.event != nil
        var row = TranscriptRow(
            kind: isEvent ? .event : .message, id: item.id, persistentId: item.id, timeStamp: item.time,
            contentType: item.contentType)
        fill(&row, item)
        row.direction = isEvent ? .Common : direction(item)
        if !isEvent, row.direction == .Outgoing {
            row.status = item.attachmentStatus == "REJECTED" ? .Failed : .Sent
        }
        if item.chunk != nil, item.isCompleted != true {
            (row.isComplete, row.chunk) = (false, item.chunk ?? 1)
        }
        row.isFromPastSession = item.isPast
        row.place = item.time
        if source == .page(isOlder: true) {
            lowArrival -= 1
            row.arrival = lowArrival
        } else {
            highArrival += 1
            row.arrival = highArrival
        }
        applyReceipts(&row, item)
        add(row)
        return row
    }

    private func direction(_ item: WireItem) -> MessageDirection {
        if isOwn(item) { return .Outgoing }
        let others: Set = ["AGENT", "SYSTEM", "SUPERVISOR", "CUSTOM_BOT"]
        return others.contains(item.role) ? .Incoming : .Common
    }

    private func fill(_ row: inout TranscriptRow, _ item: WireItem) {
        row.contentType = item.contentType
        row.participant = item.role
        row.participantId = item.participantID
        row.displayName = item.displayName ?? (row.kind == .message ? "" : nil)
        row.text = item.content
        row.attachmentId = item.attachmentID
        row.attachmentStatus = item.attachmentStatus
        row.frame = item.frame
    }

    /// Nil when nothing changes.
    private mutating func update(_ old: TranscriptRow, _ item: WireItem) -> TranscriptRow? {
        var row = old
        if let chunk = item.chunk, item.isCompleted != true {
            guard !old.isComplete, chunk == old.chunk + 1 else { return nil }
            row.text += item.content
            row.chunk = chunk
            row.frame = item.frame
        } else {
            fill(&row, item)
            row.isComplete = true
        }
        if old.direction == .Outgoing, row.kind == .message {
            let isRejected = item.attachmentStatus == "REJECTED"
            row.status = isRejected ? .Failed : Self.farther(old.status, .Sent)
            waiting.removeAll { $0 == old.persistentId }
            lost.removeAll { $0.persistentID == old.persistentId }
        }
        if old.rank != 0 || old.id != item.id {
            (row.rank, row.place, row.id) = (0, item.time, item.id)
            row.timeStamp = item.time
            highArrival += 1
            row.arrival = highArrival
        }
        applyReceipts(&row, item)
        guard row != old else { return nil }
        replace(old, row)
        return row
    }

    // MARK: - Own messages

    /// A row that is under way.
    mutating func addOwn(_ row: TranscriptRow) {
        highArrival += 1
        var row = row
        (row.rank, row.arrival, row.place) = (1, highArrival, "")
        waiting.append(row.persistentId)
        add(row)
    }

    /// The row moves to the end and is under way again.
    mutating func resend(_ persistentID: String, time: String) {
        guard let old = byPersistentID(persistentID) else { return }
        var row = old
        highArrival += 1
        (row.rank, row.arrival, row.place) = (1, highArrival, "")
        (row.status, row.timeStamp) = (.Sending, time)
        lost.removeAll { $0.persistentID == persistentID }
        waiting.append(persistentID)
        replace(old, row)
    }

    /// The service has accepted it under this id.
    ///
    /// An item that was taken for it and is another one becomes a row of its own.
    mutating func accepted(_ persistentID: String, id: String, time: String) {
        guard let old = byPersistentID(persistentID) else { return }
        waiting.removeAll { $0 == persistentID }
        if old.id == id { return }
        let twin = row(id)
        if let twin { remove(twin) }
        if old.id != persistentID { part(old) }
        var row = old
        (row.id, row.timeStamp, row.rank, row.place, row.frame) = (id, time, 0, time, [])
        row.status = Self.farther(Self.farther(old.status, .Sent), twin?.status ?? .Sent)
        if let twin { row.frame = twin.frame }
        applyEarly(&row)
        replace(old, row)
    }

    /// Puts the item that was taken for an own row back as a row of its own.
    private mutating func part(_ old: TranscriptRow) {
        var other = old
        other.persistentId = old.id
        highArrival += 1
        other.arrival = highArrival
        add(other)
    }

    /// It was not accepted. `isUncertain`: it may have been, and be found by a later page.
    ///
    /// - Returns: false when an item has shown meanwhile that it was accepted.
    mutating func failed(_ persistentID: String, isUncertain: Bool, time: String, at now: Instant) -> Bool {
        guard let old = byPersistentID(persistentID) else { return false }
        waiting.removeAll { $0 == persistentID }
        if old.id != persistentID {
            if isUncertain { return false }
            part(old)
        }
        var row = old
        (row.id, row.frame) = (persistentID, [])
        if isUncertain { lost.append((persistentID, now)) }
        highArrival += 1
        (row.status, row.timeStamp, row.rank, row.arrival) = (.Failed, time, 0, highArrival)
        row.place = rows.last { $0.rank == 0 && $0.persistentId != persistentID }?.place ?? time
        replace(old, row)
        return true
    }

    func byPersistentID(_ id: String) -> TranscriptRow? {
        row(id) ?? rows.last { $0.persistentId == id }
    }

    /// Gives an item to the oldest own row that waits for one with its words.
    private mutating func adopt(_ item: WireItem, _ source: Source, at now: Instant) -> TranscriptRow? {
        let time = Self.instant(item.time) ?? now
        func fits(_ id: String) -> Bool {
            guard let row = byPersistentID(id) else { return false }
            return row.text == item.content && row.contentType == item.contentType
                && row.id == row.persistentId
        }
        func isNear(_ moment: Instant) -> Bool {
            max(time - moment, moment - time) <= Limits.foundAgain
        }
        let found =
            waiting.first { id in
                guard fits(id) else { return false }
                if source == .live { return true }
                return byPersistentID(id).flatMap { Self.instant($0.timeStamp) }.map(isNear) ?? false
            } ?? lost.first { fits($0.persistentID) && isNear($0.at) }?.persistentID
        return found.flatMap { byPersistentID($0) }.flatMap { update($0, item) }
    }

    private static func instant(_ text: String) -> Instant? {
        WireTime.instant(text)
    }

    /// The file of an own row has this id now.
    mutating func setAttachment(_ persistentID: String, id: String) {
        guard let old = byPersistentID(persistentID) else { return }
        var row = old
        row.attachmentId = id
        replace(old, row)
    }

    // MARK: - Receipts

    /// Sets how far a message has come; never backwards.
    mutating func receipt(_ messageID: String, _ status: MessageStatus, isOwn: Bool) {
        guard let old = row(messageID) else {
            if earlyReceipts.count >= Limits.keptReceipts { earlyReceipts.removeFirst() }
            return earlyReceipts.append((messageID, status, isOwn))
        }
        guard (old.direction == .Outgoing) != isOwn else { return }
        var row = old
        row.status = Self.farther(old.status, status)
        if row != old { replace(old, row) }
    }

    private mutating func applyReceipts(_ row: inout TranscriptRow, _ item: WireItem) {
        for receipt in item.receipts where item.type != "MESSAGEMETADATA" {
            let status: MessageStatus? =
                receipt.read != nil ? .Read : receipt.delivered != nil ? .Delivered : nil
            guard let status, (receipt.recipient == ownID) != (row.direction == .Outgoing) else { continue }
            row.status = Self.farther(row.status, status)
        }
        applyEarly(&row)
    }

    private mutating func applyEarly(_ row: inout TranscriptRow) {
        guard !earlyReceipts.isEmpty else { return }
        for early in earlyReceipts where early.messageID == row.id {
            if (row.direction == .Outgoing) != early.isOwn {
                row.status = Self.farther(row.status, early.status)
            }
        }
        let id = row.id
        earlyReceipts.removeAll { $0.messageID == id }
    }

    static func farther(_ old: MessageStatus?, _ new: MessageStatus) -> MessageStatus {
        func steps(_ status: MessageStatus?) -> Int {
            switch status {
            case nil, .Unknown: 0
            case .Failed: 1
            case .Sending: 2
            case .Sent: 3
            case .Delivered: 4
            case .Read: 5
            }
        }
        guard let old, steps(old) >= steps(new) else { return new }
        return old
    }

    // MARK: - Typing

    private mutating func type(_ item: WireItem, at now: Instant) -> (row: TranscriptRow, isNew: Bool)? {
        guard !isOwn(item), row(item.id) == nil else { return nil }
        let sender = sender(item)
        stopTyping(sender)
        var row = TranscriptRow(
            kind: .event, id: item.id, persistentId: item.id, timeStamp: item.time,
            contentType: item.contentType)
        fill(&row, item)
        highArrival += 1
        (row.rank, row.arrival, row.place) = (2, highArrival, "")
        typing.append((row.id, sender, now + Limits.typingShown))
        add(row)
        return (row, true)
    }

    private mutating func stopTyping(_ sender: String) {
        for shown in typing where shown.sender == sender {
            if let row = row(shown.id) { remove(row) }
        }
        typing.removeAll { $0.sender == sender }
    }

    mutating func advance(to now: Instant) {
        for shown in typing where shown.until <= now { stopTyping(shown.sender) }
    }

    // MARK: - Endings

    /// The chat is over: no participant types, and what was under way is not accepted any more.
    mutating func end(time: String, at now: Instant) {
        for shown in typing { stopTyping(shown.sender) }
        for id in waiting { _ = failed(id, isUncertain: true, time: time, at: now) }
    }

    mutating func clear() {
        let (ownID, low, high) = ("", lowArrival, highArrival)
        let changes = changes + [.removeAll]
        self = TranscriptCore()
        (self.ownID, lowArrival, highArrival, self.changes) = (ownID, low, high, changes)
    }

    // MARK: - The list

    private func find(_ key: Key) -> Int? {
        let index = place(of: key)
        return index < rows.count && Key(rows[index]) == key ? index : nil
    }

    private func place(of key: Key) -> Int {
        var (low, high) = (0, rows.count)
        // Most rows come last.
        if let last = rows.last, Key(last) < key { return rows.count }
        while low < high {
            let middle = (low + high) / 2
            if Key(rows[middle]) < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func add(_ row: TranscriptRow) {
        let key = Key(row)
        let index = place(of: key)
        rows.insert(row, at: index)
        keys[row.id] = key
        changes.append(.insert(row, at: index))
    }

    private mutating func remove(_ row: TranscriptRow) {
        guard let index = find(Key(row)) else { return }
        rows.remove(at: index)
        keys[row.id] = nil
        changes.append(.remove(at: index))
    }

    private mutating func replace(_ old: TranscriptRow, _ row: TranscriptRow) {
        guard let index = find(Key(old)) else { return }
        if keys[old.id] == Key(old) { keys[old.id] = nil }
        let key = Key(row)
        keys[row.id] = key
        if key == Key(old) {
            rows[index] = row
            return changes.append(.update(row, at: index))
        }
        rows.remove(at: index)
        let target = place(of: key)
        rows.insert(row, at: target)
        changes.append(.move(row, from: index, to: target))
    }
}

extension TranscriptRow {
    /// The server tells more of it.
    fileprivate var isUnderWay: Bool {
        guard rank == 0, !isFromPastSession, !frame.isEmpty else { return false }
        return kind == .message && !isComplete || attachmentStatus == "IN_PROGRESS"
    }
}
