import Clocks

/// Transcript of a chat: live items, pages and own messages, merged into one sorted list of rows.
struct TranscriptCore: Sendable {
    enum Change: Equatable, Sendable {
        case insert(TranscriptRow, at: Int)
        case update(TranscriptRow, at: Int)
        case move(TranscriptRow, from: Int, to: Int)
        case remove(at: Int)
        /// This many of the oldest rows were removed, because the transcript exceeded its limits.
        case removeFirst(Int)
        case removeAll
    }

    enum Source: Equatable, Sendable {
        case live
        /// A page, oldest item first. With `isOlder`, newest item first, and its rows go before known rows of equal
        /// time.
        case page(isOlder: Bool)
    }

    private(set) var list = RowList()
    /// Number of rows inserted since the last ``clear()``, not counting typing rows.
    private(set) var insertions = 0
    private(set) var changes: [Change] = []
    /// Id of this client's participant. Empty until known.
    var ownID = ""
    private var keys: [String: RowKey] = [:]
    /// ``ids``: item ids by persistent id, where they differ. ``files``: persistent ids of own files by attachment id.
    private var ids: [String: String] = [:]
    private var files: [String: String] = [:]
    private var keptBytes = 0
    var highArrival = 0
    private var lowArrival = 0
    /// ``waiting``: own rows being sent. ``lost``: failed rows whose item may still arrive.
    var waiting = OwnRows()
    var lost = OwnRows()
    private var typing: [(id: String, sender: String, until: Instant)] = []
    var tails: [Tail] = []
    private var earlyReceipts: [(messageID: String, status: MessageStatus, isOwn: Bool)] = []

    var nextDeadline: Instant? { (typing.map(\.until) + tails.map(\.due)).min() }

    var rows: [TranscriptRow] { list.rows }

    /// Of the rows that the server's transcript stores, the newest one before the first unfinished message or file: a
    /// catch-up from this row also reads the updates of what is unfinished.
    var newestKept: TranscriptRow? {
        var newest: RowList.Spot?
        search: for (block, rows) in list.blocks.enumerated() {
            for index in rows.indices {
                if rows[index].isUnderWay { break search }
                if rows[index].isKept { newest = RowList.Spot(block: block, index: index) }
            }
        }
        return newest.map { list[$0] }
    }

    /// Oldest of the rows sorted by time (rank 0); ``newest`` is the newest of these.
    var oldest: TranscriptRow? { list.first.flatMap { $0.rank == 0 ? $0 : nil } }
    var newest: TranscriptRow? { list.last(before: RowKey(startOf: 1)) }

    func row(_ id: String) -> TranscriptRow? { keys[id].flatMap { list.find($0) }.map { list[$0] } }

    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    // MARK: - Items

    /// Merges a message, file or event. Returns its row if new or changed, and whether the row is new.
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
        if let row = row(item.id) { return update(row, item, at: now).map { ($0, false) } }
        if item.type == "ATTACHMENT",
            let own = item.attachmentID.flatMap({ files[$0] }).flatMap(byPersistentID)
        {
            return update(own, item, at: now).map { ($0, false) }
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

    private mutating func insert(_ item: WireItem, _ source: Source) -> TranscriptRow? {
        if let chunk = item.chunk, item.isCompleted != true, chunk != 1 { return nil }
        if item.isBlank { return nil }
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
        row.place = place(of: item.time, source)
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

    /// Returns the time in nanoseconds since 1970. For an unreadable time, returns that of the newest row, or of the
    /// oldest row if the item is from an older page.
    private func place(of time: String, _ source: Source) -> Int64 {
        if let instant = WireTime.instant(time) { return instant.nanoseconds }
        return (source == .page(isOlder: true) ? oldest : newest)?.place ?? 0
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
        // An item that reports the scan as running may come after the scan's result.
        let isOver = row.attachmentStatus == "APPROVED" || row.attachmentStatus == "REJECTED"
        if !isOver || item.attachmentStatus != "IN_PROGRESS" { row.attachmentStatus = item.attachmentStatus }
        row.frame = item.frame
    }

    /// Updates a row from an item. Returns the row if it has changed.
    private mutating func update(
        _ old: TranscriptRow, _ item: WireItem, at now: Instant = .distantFuture
    ) -> TranscriptRow? {
        var row = old
        if let chunk = item.chunk, item.isCompleted != true {
            guard !old.isComplete, takesAtOnce(chunk, of: item, old, at: now) else { return nil }
            row.text += item.content
            row.chunk = chunk
            row.frame = item.frame
        } else {
            tails.removeAll { $0.id == old.id }
            fill(&row, item)
            // If the item has no text, the row keeps its text.
            if row.text.isEmpty, row.kind == .message { row.text = old.text }
            row.isComplete = true
        }
        if old.direction == .Outgoing, row.kind == .message {
            let isRejected = row.attachmentStatus == "REJECTED"
            row.status = isRejected ? .Failed : Self.farther(old.status, .Sent)
            waiting.remove(old)
            lost.remove(old)
        }
        if old.rank != 0 || old.id != item.id {
            (row.rank, row.place, row.id) = (0, place(of: item.time, .live), item.id)
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

    mutating func addOwn(_ row: TranscriptRow) {
        highArrival += 1
        var row = row
        (row.rank, row.arrival, row.place, row.written) = (1, highArrival, 0, highArrival)
        waiting.add(row, at: WireTime.instant(row.timeStamp))
        add(row)
    }

    mutating func resend(_ persistentID: String, time: String) {
        guard let old = byPersistentID(persistentID) else { return }
        var row = old
        highArrival += 1
        (row.rank, row.arrival, row.place, row.written) = (1, highArrival, 0, highArrival)
        (row.status, row.timeStamp, row.isCancelled) = (.Sending, time, false)
        lost.remove(old)
        waiting.add(row, at: WireTime.instant(time))
        replace(old, row)
    }

    /// Marks a message as accepted with the server's `id`.
    mutating func accepted(_ persistentID: String, id: String, time: String) {
        guard let old = byPersistentID(persistentID) else { return }
        waiting.remove(old)
        if old.id == id { return }
        let twin = row(id)
        if let twin { remove(twin) }
        if old.id != persistentID { part(old) }
        var row = old
        (row.id, row.timeStamp, row.rank, row.frame) = (id, time, 0, [])
        row.place = place(of: time, .live)
        row.status = Self.farther(Self.farther(old.status, .Sent), twin?.status ?? .Sent)
        if let twin {
            // A custom client may have sent another text than the SDK passed to it.
            (row.frame, row.text, row.contentType) = (twin.frame, twin.text, twin.contentType)
            (row.displayName, row.participantId) = (twin.displayName, twin.participantId)
        }
        applyEarly(&row)
        replace(old, row)
    }

    /// Undoes a wrong match: the matched item gets a row of its own.
    private mutating func part(_ old: TranscriptRow) {
        var other = old
        other.persistentId = old.id
        highArrival += 1
        other.arrival = highArrival
        add(other)
    }

    /// Marks a message as failed. Returns false if there is no such row, or if its item has arrived and the service may
    /// have accepted the message (`isUncertain`).
    mutating func failed(
        _ persistentID: String, isUncertain: Bool, isCancelled: Bool = false, time: String, at now: Instant
    ) -> Bool {
        guard let old = byPersistentID(persistentID) else { return false }
        waiting.remove(old)
        if old.id != persistentID {
            if isUncertain { return false }
            part(old)
        }
        var row = old
        (row.id, row.frame) = (persistentID, [])
        if isUncertain { lost.add(row, at: now) }
        highArrival += 1
        (row.status, row.timeStamp, row.rank, row.arrival) = (.Failed, time, 0, highArrival)
        if old.id != persistentID { row.written = highArrival }
        row.isCancelled = isCancelled
        row.place = newest?.place ?? now.nanoseconds
        replace(old, row)
        return true
    }

    func byPersistentID(_ id: String) -> TranscriptRow? { row(id) ?? ids[id].flatMap(row) }

    /// Matches an own item with a row of equal text in ``waiting``, or else in ``lost``.
    private mutating func adopt(_ item: WireItem, _ source: Source, at now: Instant) -> TranscriptRow? {
        let time = WireTime.instant(item.time) ?? now
        func isNear(_ moment: Instant?) -> Bool {
            guard let moment else { return false }
            return max(time - moment, moment - time) <= ConnectLimits.foundAgain
        }
        let found =
            waiting.first(item.contentType, item.content) { source == .live || isNear($0.at) }
            ?? lost.first(item.contentType, item.content) { isNear($0.at) }
        return (found?.persistentID).flatMap(byPersistentID).flatMap { update($0, item) }
    }

    mutating func setAttachment(_ persistentID: String, id: String) {
        guard let old = byPersistentID(persistentID) else { return }
        var row = old
        row.attachmentId = id
        replace(old, row)
    }

    // MARK: - Receipts

    /// Updates the delivery status of a message, but never to an earlier status.
    mutating func receipt(_ messageID: String, _ status: MessageStatus, isOwn: Bool) {
        guard let old = row(messageID) else {
            if earlyReceipts.count >= ConnectLimits.keptReceipts { earlyReceipts.removeFirst() }
            return earlyReceipts.append((messageID, status, isOwn))
        }
        guard (old.direction == .Outgoing) != isOwn else { return }
        var row = old
        Self.receive(&row, status)
        if row != old { replace(old, row) }
    }

    private mutating func applyReceipts(_ row: inout TranscriptRow, _ item: WireItem) {
        for receipt in item.receipts where item.type != "MESSAGEMETADATA" {
            let status: MessageStatus? =
                receipt.read != nil ? .Read : receipt.delivered != nil ? .Delivered : nil
            guard let status, (receipt.recipient == ownID) != (row.direction == .Outgoing) else { continue }
            Self.receive(&row, status)
        }
        applyEarly(&row)
    }

    private mutating func applyEarly(_ row: inout TranscriptRow) {
        guard !earlyReceipts.isEmpty else { return }
        for early in earlyReceipts where early.messageID == row.id {
            if (row.direction == .Outgoing) != early.isOwn {
                Self.receive(&row, early.status)
            }
        }
        let id = row.id
        earlyReceipts.removeAll { $0.messageID == id }
    }

    /// Applies a receipt. A rejected file stays failed.
    private static func receive(_ row: inout TranscriptRow, _ status: MessageStatus) {
        if row.attachmentStatus != "REJECTED" { row.status = farther(row.status, status) }
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
        (row.rank, row.arrival, row.place) = (2, highArrival, 0)
        if typing.count == ConnectLimits.typists { stopTyping(typing[0].sender) }
        typing.append((row.id, sender, now + ConnectLimits.typingShown))
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
        growDue(at: now)
    }

    // MARK: - Endings

    /// Removes typing indicators, and fails the messages being sent.
    mutating func end(time: String, at now: Instant) {
        for shown in typing { stopTyping(shown.sender) }
        growDue(at: .distantFuture)
        let rows = waiting.all.compactMap { byPersistentID($0.persistentID) }
        for row in rows.sorted(by: { $0.arrival < $1.arrival }) {
            _ = failed(row.persistentId, isUncertain: true, time: time, at: now)
        }
    }

    mutating func clear() {
        let (ownID, low, high) = ("", lowArrival, highArrival)
        let changes = changes + [.removeAll]
        self = TranscriptCore()
        (self.ownID, lowArrival, highArrival, self.changes) = (ownID, low, high, changes)
    }

    // MARK: - The list

    private mutating func add(_ row: TranscriptRow) {
        note(row)
        if row.rank != 2 { insertions += 1 }
        changes.append(.insert(row, at: list.insert(row)))
        forgetOldest()
    }

    private mutating func remove(_ row: TranscriptRow) {
        guard let spot = list.find(RowKey(row)) else { return }
        forget(list[spot])
        changes.append(.remove(at: list.remove(at: spot)))
    }

    mutating func replace(_ old: TranscriptRow, _ row: TranscriptRow) {
        guard let spot = list.find(RowKey(old)) else { return }
        forget(list[spot])
        note(row)
        if RowKey(row) == RowKey(old) {
            list[spot] = row
            changes.append(.update(row, at: list.number(of: spot)))
        } else {
            let from = list.remove(at: spot)
            changes.append(.move(row, from: from, to: list.insert(row)))
        }
        forgetOldest()
    }

    private mutating func note(_ row: TranscriptRow) {
        keys[row.id] = RowKey(row)
        keptBytes += row.byteCount
        if row.persistentId != row.id { ids[row.persistentId] = row.id }
        if let file = row.attachmentId, row.direction == .Outgoing, row.status != nil {
            files[file] = row.persistentId
        }
    }

    private mutating func forget(_ row: TranscriptRow) {
        keptBytes -= row.byteCount
        if keys[row.id] == RowKey(row) { keys[row.id] = nil }
        if ids[row.persistentId] == row.id { ids[row.persistentId] = nil }
        if let file = row.attachmentId, files[file] == row.persistentId { files[file] = nil }
    }

    /// If a limit is exceeded, removes the oldest rows until 15/16 of the limit are left.
    private mutating func forgetOldest() {
        guard list.count > ConnectLimits.keptRows || keptBytes > ConnectLimits.keptRowBytes else { return }
        let (mostRows, mostBytes) = (ConnectLimits.keptRows / 16 * 15, ConnectLimits.keptRowBytes / 16 * 15)
        var count = 0
        while let block = list.blocks.first {
            var (rows, bytes, going) = (list.count, keptBytes, 0)
            for row in block where rows > mostRows || bytes > mostBytes {
                // At least one row stays. Own rows being sent and typing rows are never removed.
                guard row.rank == 0, rows > 1 else { break }
                (rows, bytes, going) = (rows - 1, bytes - row.byteCount, going + 1)
            }
            list.removeFirst(going).forEach { forget($0) }
            count += going
            if going < block.count { break }
        }
        if count > 0 { changes.append(.removeFirst(count)) }
    }
}

extension TranscriptRow {
    fileprivate var byteCount: Int { text.utf8.count + frame.count }

    fileprivate var isKept: Bool {
        guard rank == 0, status != .Failed, !frame.isEmpty else { return false }
        if kind == .message { return isComplete }
        return WireItem.keptEvents.contains { contentType == WireItem.eventPrefix + $0 }
    }

    fileprivate var isUnderWay: Bool {
        guard rank == 0, !isFromPastSession, !frame.isEmpty else { return false }
        return kind == .message && !isComplete || attachmentStatus == "IN_PROGRESS"
    }
}
