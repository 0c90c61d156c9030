extension ChatModel {
    /// Applies an event of the server.
    mutating func apply(_ event: ChatEvent, at now: Milliseconds) {
        if !event.id.isEmpty, !seen.insert(event.id).inserted { return }
        if let number = event.sequence { sequence = max(sequence, number) }
        switch event.kind {
        case .agentJoined(let name, let avatar):
            revive()
            live = nil
            presence = .agent
            agent = Agent(name: given(name) ?? options.agentName, avatar: given(avatar))
        case .agentThinking: showTyping(agent?.name, now)
        case .agentLeft: dots = nil
        case .message(let content, let speaker): speak(event, content, speaker, at: now)
        case .chunk(let content, let index, let isLast):
            add(content, of: event, index: index, isLast: isLast, at: now)
        case .userMessage(let id, let text, let draftID, let replyTo, let files):
            echo(event, id, text, draftID, given(replyTo), files, at: now)
        case .changed(let id, let change): self.change(id, change)
        case .personJoined, .personTyping, .personLeft: applyPerson(event, at: now)
        case .handoffStarted, .handoffAccepted, .handoffFailed, .queue, .continueElsewhere:
            applyHandoff(event)
        case .systemMessage(let text, let level):
            note("systemMessage", level, "system", of: event, text: text)
        case .language(let code): language = given(code) ?? language
        case .idleWarning:
            dropIdle()
            idleUntil = now + Milliseconds(options.idleGraceSeconds) * 1_000
            idleSlot = note(
                "idleWarning", .warning, "idle.warning", ["n": .number(options.idleGraceSeconds)], of: event)
        case .ended(let reason): endSession(event, reason)
        case .userEnded: isOwnEnd = true
        case .other: break
        }
    }

    /// Applies an event of an older page, which changes only rows.
    mutating func applyEarlier(_ event: ChatEvent, at now: Milliseconds) {
        // Saves single values: a copy of the model would copy the rows at their next change.
        let (speakers, typing, tongue) = ((presence, agent, live), dots, language)
        let (end, loaded) = ((ending, isOver, isOwnEnd), isLoaded)
        let (unseen, notices) = ((mark, markUntil), (queueSlot, idleSlot, idleUntil))
        let streams = (growing, gaps)
        (growing, gaps) = ([], [])
        (isLoaded, mark, idleSlot, queueSlot, ending, agent, live) = (false, nil, nil, nil, nil, nil, nil)
        apply(event, at: now)
        (presence, agent, live) = speakers
        (dots, language, isLoaded) = (typing, tongue, loaded)
        (ending, isOver, isOwnEnd) = end
        (mark, markUntil) = unseen
        (queueSlot, idleSlot, idleUntil) = notices
        (growing, gaps) = streams
    }

    private mutating func applyPerson(_ event: ChatEvent, at now: Milliseconds) {
        switch event.kind {
        case .personJoined(let name, let avatar):
            let name = given(name) ?? options.agentName
            live = Agent(name: name, avatar: given(avatar))
            queueSlot = nil
            revive()
            presence = .person
            note("liveAgentJoined", .info, "handoff.joined", ["name": .text(name)], of: event)
        case .personTyping(let isTyping, let name):
            if isTyping { showTyping(given(name) ?? live?.name, now) } else { dots = nil }
        case .personLeft(let name):
            presence = nil
            let name = given(name) ?? live?.name ?? options.agentName
            note("liveAgentLeft", .info, "handoff.left", ["name": .text(name)], of: event)
            live = nil
            end(by: .person)
        default: break
        }
    }

    private mutating func applyHandoff(_ event: ChatEvent) {
        switch event.kind {
        case .handoffStarted:
            queueSlot = nil
            presence = .transferring
            note("triggeredHandoff", .info, "handoff.started", of: event)
        case .handoffAccepted:
            presence = .queue
            note("handoffAccepted", .info, "handoff.accepted", of: event)
        case .handoffFailed(let hasTimedOut):
            queueSlot = nil
            presence = .agent
            note(
                hasTimedOut ? "handoffTimeout" : "handoffFailed", .error,
                hasTimedOut ? "handoff.timeout" : "handoff.failed", of: event)
        case .continueElsewhere(let route):
            presence = nil
            note(
                "clientHandoffRequired", .warning, "handoff.client", of: event,
                link: route.flatMap(SafeAddress.web))
        case .queue(let position, let wait, let text): showQueue(event, position, wait, given(text))
        default: break
        }
    }

    private mutating func showQueue(_ event: ChatEvent, _ position: Int?, _ wait: Int?, _ text: String?) {
        presence = .queue
        let minutes = wait.map { max(1, Int((Double($0) / 60).rounded(.toNearestOrAwayFromZero))) }
        var arguments: ChatStrings.Arguments = [:]
        arguments["n"] = position.map { .number($0) }
        arguments["m"] = minutes.map { .number($0) }
        let key =
            switch (position, minutes) {
            case (nil, nil): "handoff.waiting"
            case (nil, _): "handoff.wait"
            case (_, nil): "handoff.position"
            case (_, _): "handoff.queue"
            }
        guard let slot = queueSlot, case .notice(var notice) = items[slot].content else {
            queueSlot = note("queueStatus", .info, key, arguments, of: event, text: text)
            return
        }
        if isLoaded, notice.arguments["n"] != arguments["n"] {
            effects.append(.announce(.words(key: key, arguments: arguments, text: text)))
        }
        notice.earlier.append(.init(key: notice.key, arguments: notice.arguments, text: notice.text))
        (notice.key, notice.arguments, notice.text) = (key, arguments, text)
        items[slot].content = .notice(notice)
        stale.append(slot)
    }

    private mutating func endSession(_ event: ChatEvent, _ reason: Ending) {
        let isAnnounced = ending != nil || isOwnEnd || reason == .user
        presence = nil
        live = nil
        end(by: isOwnEnd ? .user : reason)
        isOver = true
        if !isAnnounced {
            note("sessionEnd", .info, reason == .idle ? "ended.idle" : "ended.note", of: event)
        }
    }

    mutating func end(by reason: Ending) {
        ending = ending ?? reason
        dots = nil
        dropIdle()
        for slot in growing.sorted() where items[slot].isPlaced { interrupt(slot) }
        (growing, gaps) = ([], [])
    }

    /// Reopens a conversation that a live agent had left.
    private mutating func revive() {
        if ending == .person, !isOver { ending = nil }
    }

    /// Removes an idle warning that is before `order`, the position of a message of the user.
    mutating func dropIdle(before order: Int) {
        if let idleSlot, items[idleSlot].order < order { dropIdle() }
    }

    mutating func dropIdle() {
        if let idleSlot { removeRow(idleSlot) }
        idleSlot = nil
        idleUntil = nil
    }

    mutating func showTyping(_ name: String?, _ now: Milliseconds) {
        dots = Dots(name: name ?? options.agentName, until: now + Times.typing)
    }

    func given(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    // MARK: Messages

    private mutating func begin(_ event: ChatEvent, _ content: ChatEvent.Content, _ speaker: Speaker) -> Int {
        let id = given(content.id) ?? event.id
        if let known = messages[id] {
            // The first chunk may arrive after later ones.
            if order(of: event) < items[known].order { reorder(known, to: order(of: event), at: event.at) }
            return known
        }
        let who = speaker == .person ? live : agent
        let message = RowMessage(
            id: id, speaker: speaker, name: given(content.name) ?? who?.name ?? options.agentName,
            avatar: given(content.avatar) ?? who?.avatar, text: "", isStreaming: true)
        let slot = add(
            ChatItem(id: "m-" + id, order: order(of: event), at: event.at, content: .message(message)))
        messages[id] = slot
        revive()
        return slot
    }

    private mutating func speak(
        _ event: ChatEvent, _ content: ChatEvent.Content, _ speaker: Speaker, at now: Milliseconds
    ) {
        let slot = begin(event, content, speaker)
        guard items[slot].message.map({ !$0.isEdited && !$0.isDeleted }) == true else { return }
        items[slot].message?.text = content.text
        items[slot].message?.unknownCount = 0
        let old = items[slot].attachments.filter { !$0.id.isEmpty }
        items[slot].attachments = []
        items[slot].suggestions = []
        items[slot].calls = []
        items[slot].gapUntil = nil
        carry(content, to: slot)
        // Files keep the states that changes gave them.
        let new = items[slot].attachments
        items[slot].attachments =
            new.map { file in old.first { $0.id == file.id } ?? file }
            + old.filter { file in !new.contains { $0.id == file.id } }
        finish(slot)
    }

    private mutating func add(
        _ content: ChatEvent.Content, of event: ChatEvent, index: Int, isLast: Bool, at now: Milliseconds
    ) {
        let slot = begin(event, content, .agent)
        guard !items[slot].isDone, index >= 0,
            items[slot].chunks.updateValue(content.text, forKey: index) == nil
        else { return }
        if items[slot].head != nil {
            if items[slot].firstIndex == nil { items[slot].nextIndex = index }
            items[slot].firstIndex = items[slot].firstIndex ?? index
        } else if index == 0 {
            // This server counts chunks from 0. Chunks that came before chunk 0 are joined again.
            items[slot].nextIndex = 0
            items[slot].message?.text = ""
        }
        resumeGrowth(slot)
        carry(content, to: slot)
        if isLast { items[slot].lastIndex = index }
        if !options.isProgressive { showTyping(items[slot].message?.name, now) }
        assemble(slot, at: now)
    }

    private mutating func resumeGrowth(_ slot: Int) {
        items[slot].isCut = false
        items[slot].message?.isInterrupted = false
        growing.insert(slot)
    }

    /// Joins the chunks of a message up to the first missing chunk, or all received chunks once the wait has timed out
    /// (``ChatItem/isLoose``).
    mutating func assemble(_ slot: Int, at now: Milliseconds) {
        var item = items[slot]
        if item.isLoose {
            let known = item.chunks.sorted { $0.key < $1.key }
            let head = item.head ?? ""
            item.message?.text = head + known.map(\.value).joined()
            item.nextIndex = (known.last?.key ?? 0) &+ 1
        } else {
            var news = ""
            while let text = item.chunks[item.nextIndex] {
                news += text
                item.nextIndex += 1
            }
            item.message?.text += news
        }
        let first = item.firstIndex ?? (item.chunks[0] == nil ? 1 : 0)
        let isWhole = item.isLoose || item.chunks.count == item.nextIndex - first
        item.gapUntil = isWhole ? nil : item.gapUntil ?? now + Times.gap
        if isWhole { gaps.remove(slot) } else { gaps.insert(slot) }
        items[slot] = item
        if let id = item.message?.id {
            for other in quoting[id] ?? [] { quote(id, in: other) }
        }
        if let last = item.lastIndex, isWhole, item.isLoose || item.nextIndex > last {
            finish(slot)
        } else {
            reveal(slot)
        }
    }

    private mutating func carry(_ content: ChatEvent.Content, to slot: Int) {
        items[slot].attachments += content.attachments
        items[slot].suggestions += content.suggestions.filter { !$0.text.isEmpty }
        items[slot].calls += content.calls
        items[slot].message?.unknownCount += content.unknownCount
        if let id = given(content.replyTo) { quote(id, in: slot) }
    }

    private mutating func reveal(_ slot: Int) {
        let item = items[slot]
        let hasExtras = item.isDone && !(item.attachments.isEmpty && item.calls.isEmpty)
        let hasText = item.message?.text.isEmpty == false
        if !item.isPlaced, hasText || hasExtras, item.isDone || options.isProgressive {
            place(slot)
        } else {
            stale.append(slot)
        }
        if items[slot].isPlaced { dots = nil }
    }

    private mutating func finish(_ slot: Int) {
        items[slot].isDone = true
        items[slot].isCut = false
        if var message = items[slot].message {
            message.isStreaming = false
            message.isInterrupted = false
            message.attachments = items[slot].attachments
            message.calls = items[slot].calls
            items[slot].message = message
        }
        growing.remove(slot)
        gaps.remove(slot)
        dots = nil
        reveal(slot)
        applyEarly(slot)
        items[slot].chunks = [:]
        welcome(slot)
    }

    /// Announces a complete message, and counts it if the user cannot see it.
    mutating func welcome(_ slot: Int) {
        let item = items[slot]
        guard item.isPlaced, item.isDone, isLoaded, !item.isAnnounced, let message = item.message else {
            return
        }
        items[slot].isAnnounced = true
        effects.append(.announce(.message(message, suggestionCount: item.suggestions.count)))
        if !isAtEnd { below += 1 }
        guard !isVisible else { return }
        unread += 1
        if mark == nil { setMark(slot) }
        markUntil = nil
    }

    /// Handles the echo of a user's message, which may come from another client.
    private mutating func echo(
        _ event: ChatEvent, _ id: String, _ text: String, _ draftID: String?, _ replyTo: String?,
        _ files: [RowAttachment], at now: Milliseconds
    ) {
        dropIdle(before: order(of: event))
        if let draftID = given(draftID), let slot = drafts[draftID] {
            if let replyTo, items[slot].message?.quote == nil { quote(replyTo, in: slot) }
            if !files.isEmpty { items[slot].message?.attachments = files }
            confirm(slot, id, order: order(of: event), at: now, since: event.at)
            return repeated(slot, id, text, event)
        }
        let id = given(id) ?? event.id
        if let slot = messages[id] { return repeated(slot, id, text, event) }
        var message = RowMessage(id: id, speaker: .user, name: "", text: text, delivery: .sent)
        message.attachments = files
        let slot = add(
            ChatItem(
                id: "m-" + id, order: order(of: event), at: event.at, content: .message(message), isDone: true
            ))
        messages[id] = slot
        if let draftID = given(draftID) { drafts[draftID] = slot }
        if let replyTo { quote(replyTo, in: slot) }
        setMark(nil)
        place(slot)
        applyEarly(slot)
    }

    /// Gives a message of the user the text and the position of its echo. The echo of a copy, which has another id,
    /// changes nothing.
    private mutating func repeated(_ slot: Int, _ id: String, _ text: String, _ event: ChatEvent) {
        guard let message = items[slot].message, message.speaker == .user, message.id == id else { return }
        // A client may send another text than its app passed to it.
        if !text.isEmpty, text != message.text, !message.isEdited, !message.isDeleted {
            items[slot].message?.text = text
            stale.append(slot)
            for other in quoting[id] ?? [] { quote(id, in: other) }
        }
        if let sequence = event.sequence, sequence > 0 {
            reorder(slot, to: order(of: event), at: event.at)
        }
    }

    private func order(of event: ChatEvent) -> Int { event.sequence.map { Self.order($0) } ?? nextOrder }

    var nextOrder: Int { Self.order(sequence) + 1 }

    private static func order(_ sequence: Int) -> Int { 2 * min(max(sequence, .min / 4), .max / 4) }

    // MARK: Notices

    @discardableResult
    private mutating func note(
        _ event: String, _ level: RowNotice.Level, _ key: String, _ arguments: ChatStrings.Arguments = [:],
        of cause: ChatEvent, text: String? = nil, link: String? = nil
    ) -> Int {
        let notice = RowNotice(
            event: event, level: level, key: key, arguments: arguments, text: text, link: link)
        return show(notice, order: order(of: cause), at: cause.at)
    }

    mutating func note(_ event: String, _ level: RowNotice.Level, _ key: String, at time: Milliseconds) {
        _ = show(RowNotice(event: event, level: level, key: key), order: nextOrder, at: time)
    }

    private mutating func show(_ notice: RowNotice, order: Int, at time: Milliseconds) -> Int {
        noticeCount += 1
        let slot = add(ChatItem(id: "n-\(noticeCount)", order: order, at: time, content: .notice(notice)))
        place(slot)
        if isLoaded { announce(notice) }
        return slot
    }

    mutating func announce(_ notice: RowNotice) {
        effects.append(.announce(.words(key: notice.key, arguments: notice.arguments, text: notice.text)))
    }
}
