import ClientSupport
import Clocks

extension ChatCore {
    // MARK: - Live items

    mutating func receive(_ item: WireItem, at now: Instant) {
        if catchUp.holdsUntil != nil {
            catchUp.held.append(item)
            if catchUp.held.count >= ConnectLimits.heldItems || item.event == "chat.ended" {
                releaseHeld(at: now)
            }
            return
        }
        apply(item, at: now)
    }

    mutating func releaseHeld(at now: Instant) {
        let held = catchUp.held
        (catchUp.held, catchUp.holdsUntil) = ([], nil)
        for item in held { apply(item, at: now) }
    }

    private mutating func apply(_ item: WireItem, at now: Instant) {
        if item.type == "MESSAGEMETADATA" { return applyReceipts(item) }
        if item.event?.hasPrefix("message.") == true { return }
        let merged = merge(item, from: .live, at: now)
        guard let merged, !item.isPast else { return }
        if merged.isNew { notifyEvent(item, merged.row, at: now) }
    }

    private mutating func merge(
        _ item: WireItem, from source: TranscriptCore.Source, at now: Instant
    ) -> (row: TranscriptRow, isNew: Bool)? {
        var generator = generator
        defer { self.generator = generator }
        if transcript.isOwn(item), let name = item.displayName { ownName = name }
        return transcript.merge(item, from: source, at: now) {
            UniqueID.version4(from: &generator).text
        }
    }

    private mutating func notifyEvent(_ item: WireItem, _ row: TranscriptRow, at now: Instant) {
        switch item.event {
        case "typing": notify(.typing(row), row)
        case "participant.idle": notify(.participantIdle(row), row)
        case "participant.returned": notify(.participantReturned(row), row)
        case "participant.autodisconnection": notify(.autoDisconnection(row), row)
        case "participant.invited": notify(.participantInvited(row), row)
        case "chat.rehydrated": notify(.chatRehydrated(row), row)
        case "transfer.succeeded": notify(.transferSucceeded(row), row)
        case "transfer.failed": notify(.transferFailed(row), row)
        case "chat.ended": endChat(at: now)
        default: break
        }
    }

    private mutating func applyReceipts(_ item: WireItem) {
        guard let message = item.metadataID else { return }
        for receipt in item.receipts {
            let isRead = receipt.read != nil
            guard let time = receipt.read ?? receipt.delivered else { continue }
            let isOwn = !transcript.ownID.isEmpty && receipt.recipient == transcript.ownID
            transcript.receipt(message, isRead ? .Read : .Delivered, isOwn: isOwn)
            // While the connection is renewed, both sockets may deliver the same receipt.
            guard !isOwn, isFirst(isRead, of: message, by: receipt.recipient) else { continue }
            let type: MessageReceiptType = isRead ? .messageRead : .messageDelivered
            var row = TranscriptRow(
                kind: .event, id: message, persistentId: message, timeStamp: time, contentType: type.rawValue)
            row.participant = receipt.recipient
            row.direction = .Incoming
            row.frame = item.frame
            notify(isRead ? .readReceipt(row) : .deliveredReceipt(row), row)
        }
    }

    private mutating func isFirst(_ isRead: Bool, of message: String, by recipient: String) -> Bool {
        let receipt = SentReceipt(messageID: message, recipient: recipient, isRead: isRead)
        if sentReceipts.contains(receipt) { return false }
        sentReceipts.append(receipt)
        if sentReceipts.count > ConnectLimits.keptReceipts { sentReceipts.removeFirst() }
        return true
    }

    // MARK: - First page and catch-up

    mutating func startFirstPage(at now: Instant) {
        catchUp.firstPages = 0
        requestFirstPage(PageRequest(), at: now)
        if catchUp.failures == 0 { catchUp.holdsUntil = now + ConnectLimits.catchUpHold }
    }

    private mutating func requestFirstPage(_ page: PageRequest, at now: Instant) {
        for (number, old) in pending {
            if case .firstPage = old.purpose { pending[number] = nil }
        }
        catchUp.firstPages += 1
        request(.getTranscript(page), .firstPage(page), at: now)
    }

    mutating func startCatchUp(at now: Instant) {
        catchUp.againAt = nil
        let start = catchUp.missedFrom ?? catchUpStart(at: now)
        if start == nil || catchUp.lacksFirstPage { startFirstPage(at: now) }
        guard let start else { return }
        catchUp.missedFrom = start
        (catchUp.items, catchUp.ids, catchUp.step) = ([], [], .forward(page: 1))
        if catchUp.failures == 0 {
            catchUp.holdsUntil = catchUp.holdsUntil ?? now + ConnectLimits.catchUpHold
        }
        var page = PageRequest()
        (page.isForward, page.maxResults, page.startID) = (true, ConnectLimits.catchUpPage, start)
        requestCatchUp(page, at: now)
    }

    /// Returns the oldest start of the last minute's catch-ups, or else ``TranscriptCore/newestKept``.
    private mutating func catchUpStart(at now: Instant) -> String? {
        catchUp.starts.removeAll { $0.at + ConnectLimits.streamedFor <= now }
        guard let newest = transcript.newestKept?.id else { return catchUp.starts.first?.id }
        if catchUp.starts.last?.id == newest { catchUp.starts.removeLast() }
        if catchUp.starts.count == ConnectLimits.keptStarts { catchUp.starts.removeFirst() }
        catchUp.starts.append((newest, now))
        return catchUp.starts.first?.id
    }

    private mutating func requestCatchUp(_ page: PageRequest, at now: Instant) {
        for (number, old) in pending {
            if case .catchUp = old.purpose { pending[number] = nil }
        }
        request(.getTranscript(page), .catchUp(page), at: now)
    }

    // MARK: - Failed pages

    /// Time at which a failed page is requested again, or nil.
    var readsAgainAt: Instant? { phase == .active && link.live != nil ? catchUp.againAt : nil }

    private mutating func pageFailed(at now: Instant) {
        catchUp.failures += 1
        catchUp.againAt =
            now + Backoff.pause(catchUp.failures, longest: ConnectLimits.longestPause, &generator)
        releaseHeld(at: now)
    }

    mutating func readAgain(at now: Instant) {
        catchUp.againAt = nil
        if catchUp.missedFrom != nil, catchUp.step == .idle {
            startCatchUp(at: now)
        } else if catchUp.lacksFirstPage {
            startFirstPage(at: now)
        }
    }

    mutating func firstPageAnswered(_ request: PageRequest, _ reply: Reply, at now: Instant) {
        guard case .page(let page) = reply else {
            catchUp.lacksFirstPage = true
            log(.error, "The first page of the transcript failed.")
            return pageFailed(at: now)
        }
        catchUp.lacksFirstPage = false
        catchUp.failures = 0
        let oldest = transcript.oldest?.place
        mergePage(page, request, at: now)
        // Older pages are read until they reach the oldest known row, within a limit.
        let begin = page.items.compactMap { WireTime.instant($0.time)?.nanoseconds }.min()
        if let oldest, let begin, begin > oldest, page.nextToken != nil, page.nextToken != request.nextToken,
            catchUp.firstPages < ConnectLimits.overlapPages
        {
            var next = PageRequest()
            next.nextToken = page.nextToken
            return requestFirstPage(next, at: now)
        }
        if catchUp.step == .idle { releaseHeld(at: now) }
    }

    mutating func catchUpAnswered(_ request: PageRequest, _ reply: Reply, at now: Instant) {
        guard catchUp.step != .idle else { return }
        guard case .page(let page) = reply else { return catchUpFailed(request, reply, at: now) }
        catchUp.failures = 0
        // A page whose items were all read before is the last page, even if it has a token.
        var token = page.nextToken
        if page.items.allSatisfy({ catchUp.ids.contains($0.id) }) { token = nil }
        catchUp.ids.formUnion(page.items.map(\.id))
        var next = PageRequest()
        (next.maxResults, next.nextToken) = (ConnectLimits.catchUpPage, token)
        // True if reading forward stopped at the page limit.
        var lacksMore = false
        switch catchUp.step {
        case .idle: return
        case .forward(let number):
            if number == 1, page.items.isEmpty, page.nextToken == nil { return startBackward(at: now) }
            catchUp.items += page.items
            next.isForward = true
            lacksMore = token != nil
            if lacksMore, number < ConnectLimits.catchUpPages {
                catchUp.step = .forward(page: number + 1)
                return requestCatchUp(next, at: now)
            }
        case .backward(let number):
            catchUp.items = page.items + catchUp.items
            if !reachesBack(page), token != nil, number < ConnectLimits.overlapPages {
                catchUp.step = .backward(page: number + 1)
                return requestCatchUp(next, at: now)
            }
        }
        caughtUp(lacksMore: lacksMore, at: now)
    }

    private mutating func startBackward(at now: Instant) {
        var page = PageRequest()
        page.maxResults = ConnectLimits.catchUpPage
        (catchUp.items, catchUp.ids, catchUp.step) = ([], [], .backward(page: 1))
        requestCatchUp(page, at: now)
    }

    /// Whether a page read backward reaches the catch-up's start, or any known row if the start is unknown.
    private func reachesBack(_ page: Page) -> Bool {
        guard let start = catchUp.missedFrom.flatMap({ transcript.row($0) }) else {
            return page.items.contains { transcript.row($0.id) != nil }
        }
        return page.items.contains { item in
            item.id == start.id || WireTime.instant(item.time).map { $0.nanoseconds < start.place } ?? false
        }
    }

    /// Handles a failed catch-up page. Items read forward are kept. Items read backward are dropped, because missed
    /// items before them are still unread.
    private mutating func catchUpFailed(_ request: PageRequest, _ reply: Reply, at now: Instant) {
        log(.error, "The transcript could not be read on.")
        let (items, step) = (catchUp.items, catchUp.step)
        (catchUp.items, catchUp.step) = ([], .idle)
        if case .forward(let number) = step {
            if number == 1, reply.error?.status == 400 { return startBackward(at: now) }
            if let last = items.last?.id { catchUp.missedFrom = last }
            for item in items { _ = applyMissed(item, at: now) }
        }
        guard phase == .active else { return }
        pageFailed(at: now)
    }

    private mutating func caughtUp(lacksMore: Bool, at now: Instant) {
        let items = catchUp.items
        (catchUp.items, catchUp.ids, catchUp.step) = ([], [], .idle)
        catchUp.missedFrom = lacksMore ? items.last?.id : nil
        var newCount = 0
        for item in items where applyMissed(item, at: now) { newCount += 1 }
        catchUp.count = lacksMore ? catchUp.count + 1 : 0
        if lacksMore, newCount > 0, catchUp.count < ConnectLimits.catchUps, phase == .active {
            return startCatchUp(at: now)
        }
        catchUp.count = 0
        if lacksMore { log(.error, "More was missed than is read at once; the next catch-up goes on.") }
        releaseHeld(at: now)
    }

    /// Merges a missed item. Returns whether the item is new.
    private mutating func applyMissed(_ item: WireItem, at now: Instant) -> Bool {
        guard let merged = merge(item, from: .page(isOlder: false), at: now), merged.isNew else {
            return false
        }
        guard !item.isPast, phase == .active else { return true }
        let announced: Set = ["participant.invited", "transfer.succeeded", "transfer.failed", "chat.ended"]
        if let event = item.event, announced.contains(event) { notifyEvent(item, merged.row, at: now) }
        return true
    }

    // MARK: - Pages that the app requests

    mutating func getPage(_ page: PageRequest, _ call: Call, at now: Instant) {
        if let obstacle { return finish([call], .failure(obstacle)) }
        if catchUp.missedFrom != nil, catchUp.step == .idle, link.live != nil { readAgain(at: now) }
        request(.getTranscript(page), .page(page, call), at: now)
    }

    mutating func pageAnswered(_ page: Page, _ request: PageRequest, _ call: Call?, at now: Instant) {
        let ids = mergePage(page, request, at: now)
        guard let call else { return }
        finish(
            [call],
            .page(
                initialContactID: page.initialContactID, ids: ids, nextToken: page.nextToken ?? ""))
    }

    /// - Returns: the persistent ids of the page's rows, in the order of the page.
    @discardableResult
    private mutating func mergePage(_ page: Page, _ request: PageRequest, at now: Instant) -> [String] {
        let oldest = transcript.oldest?.place
        var items = page.items
        let places = items.map { WireTime.instant($0.time)?.nanoseconds }
        // The service may not use the requested order. The times show which order it used.
        let isAscending = (places.first ?? nil) ?? .min <= (places.last ?? nil) ?? .max
        if !isAscending { items.reverse() }
        let begin = (isAscending ? places.first : places.last) ?? nil
        let isOlder = !request.isForward && oldest.map { (begin ?? $0) <= $0 } ?? false
        if isOlder { items.reverse() }
        var ids: [String: String] = [:]
        for item in items {
            let row = merge(item, from: .page(isOlder: isOlder), at: now)?.row ?? transcript.row(item.id)
            if let row { ids[item.id] = row.persistentId }
        }
        let reachesBack = oldest.map { old in (places.compactMap { $0 }.min() ?? old) < old } ?? true
        let continues = request.nextToken != nil && request.nextToken == previousToken
        if !request.isForward, reachesBack || continues {
            let isUnknownStart = request.startID != nil && page.items.isEmpty
            if !isUnknownStart, previousToken != page.nextToken {
                previousToken = page.nextToken
                if transcript.changes.isEmpty { outputs.append(.changed([], previousToken: previousToken)) }
            }
        }
        return page.items.compactMap { ids[$0.id] }
    }
}
