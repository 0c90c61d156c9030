import Clocks
import ConversationEngine
import DialectKit
import Texts

extension Contact {
    /// Encodes a new entry.
    func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput
    ) {
        if isNew(entry) { encode(entry, to: audience, at: entry.time, into: &output.steps) }
    }

    private func encode(
        _ entry: JournalEntry, to audience: Audience, at now: Instant,
        into steps: inout Steps
    ) {
        // The customer's join must be the transcript's first item.
        if !isConnected, makesItems(entry.event) { connectCustomer(at: now, into: &steps) }
        switch entry.event {
        case .sessionStarted(let facts): hasScriptedReceipts = facts.hasReceipts
        case .heartbeat:
            for id in audience.connections {
                answer(entry.metadata == "\"ping\"" ? "ping" : "heartbeat", id, into: &steps)
            }
        case .userMessage(let id, let text): recordCustomerMessage(text, id.text, at: now, into: &steps)
        case .userTyping(.started): showTyping(of: customer, at: now, into: &steps)
        case .userEnded: leaveAsCustomer(at: now, into: &steps)
        case .agentJoined: joinBot(at: now, into: &steps)
        case .agentLeft:
            thinkingAgain = nil
            guard settings.botRole == .customBot else { return }
            let bot = bot
            deliver(.event(.left), from: bot, at: now, into: &steps)
            connectedBots.remove(bot.place)
            restartTimers(at: now)
        case .agentThinking: think(at: now, into: &steps)
        case .agentMessage(let message):
            thinkingAgain = nil
            deliverReply(message.text, message.parts, message.id, from: bot, at: now, into: &steps)
            noteBot(at: now, into: &steps)
        case .agentChunk(let chunk): deliverReply(chunk, at: now, into: &steps)
        case .sessionEnded: end(at: now, into: &steps)
        case .receipt(let receipt, let id): record(receipt, id, at: now, into: &steps)
        case .idleWarning: deliver(.event(.idle), from: customer, at: now, into: &steps)
        case .raw(let type, let payload): relay(type, payload, at: now, into: &steps)
        default: encodePersonEvent(entry.event, at: now, into: &steps)
        }
    }

    /// Whether the event connects a customer who is not connected yet.
    private func makesItems(_ event: Event) -> Bool {
        switch event {
        case .userMessage, .agentMessage, .agentChunk, .handoffAccepted, .clientHandoffRequired, .queueStatus,
            .handoffFailed, .handoffTimedOut, .liveAgentJoined, .notice, .surveyRequested, .raw:
            true
        default: false
        }
    }

    /// Sends a scripted event of this protocol.
    private func relay(_ type: String, _ payload: String, at now: Instant, into steps: inout Steps) {
        guard type.hasPrefix(ContactEvent.prefix),
            let event = ContactEvent(rawValue: String(type.dropFirst(ContactEvent.prefix.count)))
        else { return }
        guard event == .authenticationInitiated else {
            if event.isOfAuthentication { authentication = nil }
            deliver(.event(event), from: event.isOfParticipant ? agent ?? bot : nil, at: now, into: &steps)
            return
        }
        let given = (try? JSONReader.read(Array(payload.utf8)))?["SessionId"]?.string
        let session = given ?? token()
        authentication = (session, now + .minutes(1))
        let content = JSONWriter.line([("SessionId", .string(session))])
        deliver(.event(event, content: content), from: nil, at: now, into: &steps)
    }

    /// Encodes events of live agents and of the contact flow.
    private func encodePersonEvent(_ event: Event, at now: Instant, into steps: inout Steps) {
        switch event {
        case .handoffTriggered: isTransferring = agent != nil
        case .handoffAccepted(let queue):
            guard settings.announcesAgent, !isTransferring else { return }
            let guest = add(.agent, queue ?? "Agent")
            invited = guest
            deliver(.event(.invited), from: guest, at: now, into: &steps)
        case .clientHandoffRequired(let reason, let queue, let route):
            let words = [reason, queue.map { "Queue: \($0)" }, route.map { "Go to \($0)" }].compactMap { $0 }
            remark(
                words.isEmpty ? "Please contact an agent." : words.joined(separator: " "), at: now,
                into: &steps)
        case .queueStatus(let status):
            let position = status.position.map { "You are number \($0) in line." }
            remark(status.displayMessage ?? position ?? "You are in line.", at: now, into: &steps)
        case .handoffFailed(let reason), .handoffTimedOut(let reason):
            if isTransferring, let agent {
                deliver(.event(.transferFailed), from: agent, at: now, into: &steps)
            }
            isTransferring = false
            invited = nil
            remark(reason ?? "No agent is available.", at: now, into: &steps)
        case .liveAgentJoined(let profile): join(profile, at: now, into: &steps)
        case .liveAgentTyping(.started, let profile):
            if let person = person(profile) { showTyping(of: person, at: now, into: &steps) }
        case .liveAgentMessage(let message, let profile):
            guard let person = person(profile) else { return }
            if let place = reservations.firstIndex(where: { $0.sender === person && $0.heard == message.text }
            ) {
                deliver(reservations.remove(at: place), message.id, at: now, into: &steps)
            } else {
                deliverReply(message.text, message.parts, message.id, from: person, at: now, into: &steps)
            }
            noteWord(of: person, at: now, into: &steps)
        case .liveAgentLeft(let profile, _): leave(profile, at: now, into: &steps)
        case .liveAgentStatus(let status, let profile):
            let person = person(profile) ?? bot
            switch status {
            case .idle: deliver(.event(.idle), from: person, at: now, into: &steps)
            case .returned: deliver(.event(.returned), from: person, at: now, into: &steps)
            case .transferring: isTransferring = true
            case .transferred: passOn(from: person, at: now, into: &steps)
            }
        case .notice(_, let text):
            switch text {
            case .words(let words): remark(words, at: now, into: &steps)
            case .known(let problem, let detail):
                remark(detail.map { "\(problem.rawValue): \($0)" } ?? problem.rawValue, at: now, into: &steps)
            }
        case .surveyRequested(let title, let question):
            let survey = Interactive.survey(title: title, question: question)
            let content: Item.Content =
                takes(.interactive)
                ? .message(.interactive, survey) : .message(.plain, "\(title)\n\(question)")
            deliver(content, from: flow, at: now, into: &steps)
        default: break
        }
    }

    /// Returns false for a transient entry that the engine delivers a second time.
    private func isNew(_ entry: JournalEntry) -> Bool {
        guard entry.sequence == nil, entry.kind != .heartbeat else { return true }
        if recentEntries.contains(entry.id) { return false }
        if recentEntries.count == 8 { recentEntries.removeFirst() }
        recentEntries.append(entry.id)
        return true
    }

    // MARK: - The customer

    private func recordCustomerMessage(
        _ text: String, _ source: String, at now: Instant, into steps: inout Steps
    ) {
        let place: Int
        if let index = reservations.firstIndex(where: { $0.sender === customer && $0.heard == text }) {
            place = deliver(reservations.remove(at: index), source, at: now, into: &steps)
        } else {
            deliver(.message(.plain, text), from: customer, source: source, at: now, into: &steps)
            place = items.count - 1
        }
        noteWord(of: customer, at: now, into: &steps)
        guard !hasScriptedReceipts, let agent else { return }
        mark(place, reader: agent, isRead: false, at: now, into: &steps)
        unread.append((items[place].id, now + settings.readDelay))
    }

    /// Adds a reserved message. If its sender has already received a response, uses the id and time of the response.
    @discardableResult
    private func deliver(
        _ reservation: Reservation, _ source: String, at now: Instant, into steps: inout Steps
    ) -> Int {
        let time = reservation.sent?.time ?? moment(at: now)
        let id = reservation.sent?.id ?? uniqueID(at: time)
        echo = (reservation.number, id, time)
        let item = Item(
            id: id, time: time,
            content: .message(reservation.type, reservation.content),
            sender: reservation.sender, contact: current, source: source)
        let place = items.keep(item)
        if let reply = stream, reply.item >= place { stream?.item += 1 }
        send(item, nil, into: &steps)
        return place
    }

    private func showTyping(of participant: Participant, at now: Instant, into steps: inout Steps) {
        guard announcedTyping == 0 else {
            announcedTyping -= 1
            return
        }
        deliver(.event(.typing), from: participant, at: now, into: &steps)
    }

    private func leaveAsCustomer(at now: Instant, into steps: inout Steps) {
        guard ending != .stopped else { return }
        ending = .customerLeft
        guard isConnected else { return }
        let leaver = start.endsWithAgent ? agent ?? customer : customer
        deliver(.event(.left), from: leaver, at: now, into: &steps)
    }

    private func end(at now: Instant, into steps: inout Steps) {
        guard endedAt == nil else { return }
        deliver(.event(.ended), from: nil, at: now, into: &steps)
        endedAt = now
        for first in start.continued?.firsts ?? [] {
            steps.append(.name(SessionName(first, as: ConnectDialect.LastContact.self)))
        }
        // Removes rejected files and files without a scan result.
        for (id, upload) in uploads where !upload.isOpen || !upload.isGood { steps.append(.unshelve(id: id)) }
        (thinkingAgain, stream, agent) = (nil, nil, nil)
        (unread, reservations, connectedBots) = ([], [], [])
    }

    // MARK: - The bot

    private func joinBot(at now: Instant, into steps: inout Steps) {
        guard settings.botRole == .customBot else { return }
        let bot = bot
        deliver(.event(.joined), from: bot, at: now, into: &steps)
        connectedBots.insert(bot.place)
        restartTimers(at: now)
    }

    private func noteBot(at now: Instant, into steps: inout Steps) {
        if settings.botRole == .customBot { noteWord(of: bot, at: now, into: &steps) }
    }

    /// Sends a typing event, and schedules the next one in eight seconds.
    func think(at now: Instant, into steps: inout Steps) {
        deliver(.event(.typing), from: bot, at: now, into: &steps)
        thinkingAgain = now + .seconds(8)
    }

    func deliverReply(
        _ text: String, _ parts: MessageParts, _ source: String, from sender: Participant, at now: Instant,
        into steps: inout Steps
    ) {
        let speech = ItemText(text, parts, takes: start.contentTypes, settings: settings)
        if let first = speech.contents.first {
            deliver(first, from: sender, source: source, at: now, into: &steps)
        }
        deliverRest(of: speech, from: sender, at: now, into: &steps)
    }

    private func deliverRest(
        of speech: ItemText, from sender: Participant, at now: Instant, into steps: inout Steps
    ) {
        if !speech.slots.isEmpty { slots = speech.slots }
        for content in speech.contents.dropFirst() { deliver(content, from: sender, at: now, into: &steps) }
        for file in speech.files { show(file, from: sender, at: now, into: &steps) }
    }

    private func show(
        _ file: ScriptFile, from sender: Participant, at now: Instant, into steps: inout Steps
    ) {
        let id = token()
        steps.append(.shelve(id: id, name: file.name, type: file.type, bytes: file.bytes))
        deliver(
            .file(Item.File(id: id, name: file.name, type: file.type, status: .approved)), from: sender,
            at: now, into: &steps)
    }

    private func deliverReply(_ chunk: Chunk, at now: Instant, into steps: inout Steps) {
        thinkingAgain = nil
        if stream?.message != chunk.messageID {
            var begun = item(
                .message(takes(.markdown) ? .markdown : .plain, ""), from: bot, source: chunk.messageID,
                at: now)
            begun.isPending = true
            stream = (chunk.messageID, items.keep(begun), 0, "")
        }
        guard var reply = stream else { return }
        reply.text += chunk.text
        if !chunk.text.isEmpty, streams {
            reply.pieces += 1
            var item = items[reply.item]
            if case .message(let type, _) = item.content { item.content = .message(type, chunk.text) }
            send(item, Item.Piece(number: reply.pieces, isComplete: false), into: &steps)
        }
        stream = reply
        guard chunk.isComplete else { return }
        stream = nil
        // The complete reply replaces the chunks.
        let speech = ItemText(reply.text, chunk.parts, takes: start.contentTypes, settings: settings)
        if let whole = speech.contents.first { items[reply.item].content = whole }
        items[reply.item].isPending = false
        let piece = streams ? Item.Piece(number: reply.pieces + 1, isComplete: true) : nil
        send(items[reply.item], piece, into: &steps)
        deliverRest(of: speech, from: bot, at: now, into: &steps)
        noteBot(at: now, into: &steps)
    }

    private func remark(_ text: String, at now: Instant, into steps: inout Steps) {
        thinkingAgain = nil
        deliver(.message(.plain, text), from: flow, at: now, into: &steps)
    }

    // MARK: - People

    /// Returns the bot with the profile's id, otherwise the agent.
    private func person(_ profile: SpeakerProfile) -> Participant? {
        participants.first { $0.role == .customBot && $0.id == profile.id } ?? agent
    }

    private func join(_ profile: SpeakerProfile, at now: Instant, into steps: inout Steps) {
        guard !participants.contains(where: { $0.role == .customBot && $0.id == profile.id }) else { return }
        thinkingAgain = nil
        if let former = agent { passOn(from: former, at: now, into: &steps) }
        isTransferring = false
        let joined = add(.agent, profile.name, id: invited?.id)
        (agent, invited) = (joined, nil)
        deliver(.event(.joined), from: joined, at: now, into: &steps)
        timers.running = []
        restartTimers(at: now)
    }

    /// Lets `former` leave, and gives the contact a new id.
    private func passOn(from former: Participant, at now: Instant, into steps: inout Steps) {
        deliver(.event(.left), from: former, at: now, into: &steps)
        deliver(.event(.transferSucceeded), from: former, at: now, into: &steps)
        formerly.append(current)
        transfers.append(now)
        current = token()
        // The new id must belong to the same shard.
        if settings.shard != nil {
            current = String(
                current.dropLast(BearerToken.digitCount) + initial.suffix(BearerToken.digitCount))
        }
        steps.append(.name(SessionName(current, as: ConnectDialect.LaterContact.self)))
        agent = nil
        restartTimers(at: now)
    }

    private func leave(_ profile: SpeakerProfile, at now: Instant, into steps: inout Steps) {
        guard let person = person(profile) else { return }
        deliver(.event(.left), from: person, at: now, into: &steps)
        if person === agent {
            agent = nil
            unread = []
        } else {
            dismiss(person, into: &steps)
        }
        restartTimers(at: now)
    }

    /// Disconnects a bot that a back end added.
    func dismiss(_ bot: Participant, into steps: inout Steps) {
        connectedBots.remove(bot.place)
        left.insert(bot.place)
        for socket in sockets where socket.party == bot.place {
            steps.append(.close(socket.connection, code: 1_000, reason: "the participant has left"))
        }
        sockets.removeAll { $0.party == bot.place }
    }

    // MARK: - Receipts

    private func record(_ receipt: Receipt, _ source: String, at now: Instant, into steps: inout Steps) {
        guard let place = items.place(ofSource: source) else { return }
        let reader: Participant
        let isRead: Bool
        switch receipt {
        case .userReceived: (reader, isRead) = (customer, false)
        case .userRead: (reader, isRead) = (customer, true)
        case .agentReceived: (reader, isRead) = (bot, false)
        case .agentRead: (reader, isRead) = (bot, true)
        case .liveAgentReceived: (reader, isRead) = (agent ?? bot, false)
        case .liveAgentRead: (reader, isRead) = (agent ?? bot, true)
        }
        mark(place, reader: reader, isRead: isRead, at: now, into: &steps)
    }

    /// Records and sends a new receipt.
    func mark(_ place: Int, reader: Participant, isRead: Bool, at now: Instant, into steps: inout Steps) {
        let message = items[place].id
        guard items[place].sender !== reader else { return }
        if case .event = items[place].content { return }
        // An item's time may be later than the clock, because milliseconds are added to make it unique.
        let now = max(now, items[place].time)
        var marks = receipts[message] ?? []
        let index = marks.firstIndex { $0.reader === reader } ?? marks.count
        if index == marks.count {
            marks.append(ReceiptMark(reader: reader, delivered: now, read: isRead ? now : nil))
        } else {
            guard isRead, marks[index].read == nil else { return }
            marks[index].read = now
        }
        receipts[message] = marks
        let time = moment(at: now)
        let id = uniqueID(at: time)
        pass(id)
        send(
            ItemWriter.metadata(marks[index], of: message, id: id, at: time), type: "MESSAGEMETADATA",
            into: &steps)
    }
}
