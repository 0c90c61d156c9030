enum Times {
    static let typing: Milliseconds = 10_000
    static let sendingLabel: Milliseconds = 500
    static let echo: Milliseconds = 12_000
    static let connection: Milliseconds = 15_000
    /// Times after which a draft without an echo is sent again on the same connection, if repetition is enabled.
    static let copies: [Milliseconds] = [3_000, 6_000, 9_000]
    /// Sending time above which the arrival of a message is announced to the user.
    static let slowEcho: Milliseconds = 2_000
    static let gap: Milliseconds = 2_000
    static let group: Milliseconds = 300_000
    /// Time for which the user must be at the end of the rows before the divider "New messages" disappears.
    static let seen: Milliseconds = 10_000

    /// Clamps a time to some 273,000 years before or after 1970, so that calculations cannot overflow.
    static func bounded(_ moment: Milliseconds) -> Milliseconds {
        min(max(moment, -8_640_000_000_000_000), 8_640_000_000_000_000)
    }
}

extension ChatModel {
    mutating func execute(_ action: ChatAction, at now: Milliseconds) {
        switch action {
        case .fill(let history): fill(history, at: now)
        case .update(let history): fill(history, at: now, welcomes: true)
        case .anew: fill(ChatHistory(entries: waiting.compactMap { entry(of: $0) }), at: now)
        case .event(let event): apply(event, at: now)
        case .earlier(let event): applyEarlier(event, at: now)
        case .hasEarlier(let isMore): hasEarlier = isMore
        case .serverTime(let time): offset = Times.bounded(time) - now
        case .say(let id, let text, let payload): addDraft(id, text, payload, at: now)
        case .draft(let id, let text, let replyTo, let files):
            addDraft(id, text, nil, replyTo: given(replyTo), files: files, at: now)
        case .retry(let id, let freshID): retry(id, freshID, at: now)
        case .remove(let id):
            if let slot = drafts[id], delivery(of: slot) == .failed { removeRow(slot) }
        case .confirmed(let id, let messageID):
            if let slot = drafts[id] { confirm(slot, messageID, order: nil, at: now, since: now + offset) }
        case .failed(let id):
            if let slot = drafts[id], delivery(of: slot)?.hasArrived == false { fail(slot) }
        case .opened: open(at: now)
        case .lost: lose(at: now)
        case .closed:
            end(by: .closed)
            isOver = true
        case .end: isOwnEnd = true
        case .hidden: isVisible = false
        case .shown:
            isVisible = true
            unread = 0
        case .scrolledUp: isAtEnd = false
        case .reachedEnd:
            isAtEnd = true
            below = 0
        case .resumed(let id): resume(after: id)
        case .active: dropIdle()
        case .note(let key): note("client", .info, key, at: now + offset)
        case .tick: break
        }
    }

    // MARK: Drafts

    private mutating func addDraft(
        _ id: String, _ text: String, _ payload: String?, replyTo: String? = nil, files: [RowAttachment] = [],
        at now: Milliseconds
    ) {
        guard drafts[id] == nil else { return }
        var message = RowMessage(id: id, speaker: .user, name: "", text: text, delivery: .pending)
        message.attachments = files
        var item = ChatItem(
            id: "d-" + id, order: .max, at: now + offset, content: .message(message), isDone: true)
        item.payload = payload
        item.since = now
        let slot = add(item)
        drafts[id] = slot
        if let replyTo { quote(replyTo, in: slot) }
        waiting.append(slot)
        place(slot)
        setMark(nil)
        dropIdle()
        transmit(slot, at: now)
    }

    private mutating func retry(_ id: String, _ freshID: String, at now: Milliseconds) {
        guard let old = drafts[id], delivery(of: old) == .failed, let message = items[old].message else {
            return
        }
        removeRow(old)
        var files = message.attachments
        for index in files.indices where [.failed, .cancelled].contains(files[index].state) {
            files[index].state = .uploading(percent: nil)
        }
        addDraft(
            freshID, message.text, items[old].payload, replyTo: message.quote?.id, files: files, at: now)
        if let fresh = drafts[freshID] { items[old].retrySlot = fresh }
    }

    private mutating func transmit(_ slot: Int, at now: Milliseconds) {
        guard case .timed(let waitsForever, let repeats) = options.delivery else { return }
        guard isOpen else {
            items[slot].failsAt = waitsForever ? nil : now + Times.connection
            return
        }
        items[slot].failsAt = now + Times.echo
        items[slot].copiesAt = repeats ? Times.copies.map { now + $0 } : []
        send(slot)
    }

    private mutating func send(_ slot: Int) {
        guard let message = items[slot].message else { return }
        effects.append(.send(id: message.id, text: message.text, payload: items[slot].payload))
    }

    /// Marks a draft as arrived. `order`: the server's position, if known.
    mutating func confirm(
        _ slot: Int, _ messageID: String, order: Int?, at now: Milliseconds, since time: Milliseconds
    ) {
        guard delivery(of: slot)?.hasArrived == false, var message = items[slot].message else { return }
        dropIdle(before: order ?? nextOrder)
        let isSlow = now - items[slot].since > Times.slowEcho
        // If a failed draft that was sent again has arrived after all, the row of its unconfirmed copy is removed.
        if let fresh = items[slot].retrySlot, let copy = items[fresh].message,
            copy.delivery?.hasArrived == false
        {
            removeRow(fresh)
            forget(fresh)
            drafts[copy.id] = slot
        }
        // The row of an echo that came before the confirmation, without the draft's id.
        let twin = messages[messageID].flatMap { items[$0].speaker == .user ? $0 : nil }
        if let twin { removeRow(twin) }
        removeRow(slot)
        forget(slot)
        message.delivery = .sent
        if !messageID.isEmpty { message.id = messageID }
        var answered: String?
        if let twin, var changed = items[twin].message {
            // The echo's row has the changes so far. The draft has the names of its files.
            if !changed.isDeleted {
                if message.quote == nil { answered = changed.quote?.id }
                changed.quote = message.quote
                if !message.attachments.isEmpty { changed.attachments = message.attachments }
            }
            message = changed
        }
        items[slot].content = .message(message)
        if let answered { quote(answered, in: slot) }
        items[slot].order = order ?? twin.map { items[$0].order } ?? nextOrder
        items[slot].at = time
        messages[message.id] = slot
        place(slot)
        applyEarly(slot)
        if isSlow, isLoaded { effects.append(.announce(.words(key: "delivery.sent"))) }
    }

    private mutating func fail(_ slot: Int) {
        items[slot].message?.delivery = .failed
        forget(slot)
        stale.append(slot)
        effects.append(.announce(.words(key: "announce.failed")))
    }

    private mutating func forget(_ slot: Int) {
        waiting.removeAll { $0 == slot }
    }

    func delivery(of slot: Int) -> RowMessage.Delivery? { items[slot].message?.delivery }

    // MARK: The connection and the user

    private mutating func open(at now: Milliseconds) {
        isOpen = true
        for slot in growing.sorted() where items[slot].isCut { interrupt(slot) }
        for slot in waiting { transmit(slot, at: now) }
        isLoaded = true
    }

    private mutating func lose(at now: Milliseconds) {
        isOpen = false
        dots = nil
        for slot in growing { items[slot].isCut = true }
        guard case .timed(let waitsForever, _) = options.delivery else { return }
        for slot in waiting {
            items[slot].copiesAt = []
            items[slot].failsAt = waitsForever ? nil : now + Times.connection
        }
    }

    mutating func interrupt(_ slot: Int) {
        items[slot].message?.isInterrupted = true
        stale.append(slot)
    }

    private mutating func resume(after id: String) {
        guard mark == nil, let place = rows.lastIndex(where: { $0.message?.id == id }) else { return }
        let next = rows[(place + 1)...].first { $0.message.map { $0.speaker != .user } ?? false }
        if let next { setMark(next.slot) }
    }

    // MARK: Time

    mutating func passTime(_ now: Milliseconds) {
        if let until = dots?.until, now >= until { dots = nil }
        for slot in gaps.sorted() {
            guard let gap = items[slot].gapUntil, now >= gap else { continue }
            items[slot].isLoose = true
            assemble(slot, at: now)
        }
        for slot in waiting {
            if items[slot].message?.delivery == .pending, now >= items[slot].since + Times.sendingLabel {
                items[slot].message?.delivery = .sending
                stale.append(slot)
            }
            while let copy = items[slot].copiesAt.first, copy <= now {
                items[slot].copiesAt.removeFirst()
                send(slot)
            }
            if let end = items[slot].failsAt, now >= end { fail(slot) }
        }
        if mark == nil || !isVisible || !isAtEnd {
            markUntil = nil
        } else if let until = markUntil {
            if now >= until { setMark(nil) }
        } else {
            markUntil = now + Times.seen
        }
        countDown(now)
    }

    private mutating func countDown(_ now: Milliseconds) {
        guard let until = idleUntil, let slot = idleSlot, case .notice(var notice) = items[slot].content
        else {
            return
        }
        notice.arguments["n"] = .number(Int(max(0, (until - now + 999) / 1_000)))
        items[slot].content = .notice(notice)
        stale.append(slot)
    }

    /// Returns the time of the next ``ChatAction/tick`` if nothing else happens; nil if no tick is needed.
    public func nextDeadline(after now: Milliseconds) -> Milliseconds? {
        let now = Times.bounded(now)
        var times = [dots?.until, markUntil]
        for slot in gaps { times.append(items[slot].gapUntil) }
        for slot in waiting {
            let item = items[slot]
            times += [item.failsAt, item.copiesAt.first]
            if item.message?.delivery == .pending { times.append(item.since + Times.sendingLabel) }
        }
        if let idleUntil, idleUntil > now { times.append(now + (idleUntil - now - 1) % 1_000 + 1) }
        return times.compactMap { $0 }.min()
    }
}
