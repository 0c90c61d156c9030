import Clocks
import Matching

extension Conversation {
    mutating func enqueue(_ turn: consuming Turn, at now: Instant, _ outbox: inout [Effect]) {
        guard hasRoom(for: turn.steps, &outbox) else { return }
        player.turns.append(turn)
        beginTurn(at: now, &outbox)
    }

    /// Whether a turn of these steps may be queued.
    func hasRoom(for steps: [Step], _ outbox: inout [Effect]) -> Bool {
        guard !steps.isEmpty else { return false }
        guard player.turns.count < ConversationLimits.waitingTurns else {
            outbox.append(.note(handle, .ignored(reason: "too many replies are waiting already")))
            return false
        }
        return true
    }

    /// Plays the turn just queued, unless it has to wait.
    mutating func beginTurn(at now: Instant, _ outbox: inout [Effect]) {
        if pause != nil { return holdTurns() }
        if player.dueAt == nil { player.dueAt = now }
        var left = EngineLimits.stepsOfTurn
        while left > 0, let due = player.dueAt, due <= now, !hasEnded {
            left -= 1
            continueSteps(at: due, &outbox)
        }
    }

    mutating func continueSteps(at now: Instant, _ outbox: inout [Effect]) {
        let outer = cause
        defer {
            cause = outer
            if hasRunLog { settleRuns(at: now, &outbox) }
        }
        player.dueAt = nil
        if case .waiting(let run) = responder { return continueQueue(run, at: now, &outbox) }
        cause = player.turns.isEmpty ? Cause() : player.turns[0].cause
        let activity = player.activity
        player.activity = .idle
        switch activity {
        case .idle, .pausing: break
        case .composing(let utterance): deliver(utterance, at: now, &outbox)
        case .streaming(let utterance): stream(utterance, from: player.nextPiece, at: now, &outbox)
        case .playing(let play): continuePlay(play, at: now, &outbox)
        }
        guard !dropFailedTurn(at: now), player.activity.isIdle, !hasEnded else { return }
        nextStep(at: now, &outbox)
        dropFailedTurn(at: now)
    }

    /// Drops the remaining steps of the turn if its run has failed. Returns false if no run has failed.
    @discardableResult
    private mutating func dropFailedTurn(at now: Instant) -> Bool {
        guard hasRunLog, machine.isGivenUp else { return false }
        machine.isGivenUp = false
        player.activity = .idle
        player.dropTurn()
        player.dueAt = player.turns.isEmpty ? nil : now
        return true
    }

    /// Stops the timer. Unless the user is in a queue, drops the turn and begins the next one.
    mutating func dropActivity(at now: Instant, _ outbox: inout [Effect]) {
        player.dueAt = nil
        if case .waiting = responder { return }
        player.activity = .idle
        player.dropTurn()
        if !player.turns.isEmpty { continueSteps(at: now, &outbox) }
    }

    private mutating func nextStep(at now: Instant, _ outbox: inout [Effect]) {
        // Access by index does not copy the turn.
        while !player.turns.isEmpty, player.turns[0].next >= player.turns[0].steps.count {
            player.dropTurn()
        }
        guard !player.turns.isEmpty else { return }
        let index = player.turns[0].next
        player.turns[0].next += 1
        player.dueAt = now
        cause = player.turns[0].cause
        // Only the verb, since copies of step and turn retain seven more values. By pointer, since a subscript copies.
        let verb = player.turns[0].steps.withUnsafeBufferPointer {
            $0.baseAddress.unsafelyUnwrapped[index].verb
        }
        execute(verb, step: index, at: now, &outbox)
    }

    /// Executes a step of the first turn.
    private mutating func execute(
        _ verb: Verb, step: Int, at now: Instant, _ outbox: inout [Effect]
    ) {
        switch verb {
        case .say(let speech): compose(speech, step: step, of: player.turns[0], at: now, &outbox)
        case .think(let interval):
            showThinking(at: now, &outbox)
            pause(for: interval, at: now)
        case .wait(let interval): pause(for: interval, at: now)
        case .remember(let changes):
            // By index, because a change's copy retains its values.
            for index in changes.indices {
                let limit = EngineLimits.rememberedBytes
                memory[changes[index].slot] =
                    changes[index].value.literal
                    ?? fill(changes[index].value, message: player.turns[0].message, at: now, limit: limit)
            }
        case .forget(let slots): for slot in slots { memory[slot] = nil }
        case .handoff(let index): startHandoff(index, of: player.turns[0], at: now, &outbox)
        case .transfer(let index): transfer(to: index, of: player.turns[0], at: now, &outbox)
        case .receipt(let isRead): acknowledge(isRead: isRead, at: now, &outbox)
        case .change(let step): change(step, of: player.turns[0], at: now, &outbox)
        case .presence(let status):
            record(.liveAgentStatus(status, speaker), isSilent: true, at: now, &outbox)
        case .leave(let reason): leave(reason: reason, at: now, &outbox)
        case .giveBack(let reason): giveBack(reason: reason, at: now, &outbox)
        case .end(let reason): end(reason, at: now, &outbox)
        case .system(let level, let words): notice(level, words, of: player.turns[0], at: now, &outbox)
        case .language(let code): record(.languageChanged(code: code), at: now, &outbox)
        case .emit(let type, let payload): record(.raw(type: type, payload: payload), at: now, &outbox)
        case .fault(let index):
            inject(script.faults[index], id: nil)
            outbox.append(.note(handle, .faultAdded(script.faults[index].name)))
        case .run(let run): execute(run, place: step, of: player.turns[0], at: now, &outbox)
        }
    }

    private mutating func pause(for interval: Interval, at now: Instant) {
        player.activity = .pausing
        player.dueAt = now + interval
    }

    /// Records a receipt of the present agent or live agent, unless the script has receipts.
    mutating func acknowledgeByItself(isRead: Bool, at now: Instant, _ outbox: inout [Effect]) {
        switch responder {
        case .agent, .liveAgent:
            if !script.hasReceipts { acknowledge(isRead: isRead, at: now, &outbox) }
        default: break
        }
    }

    private mutating func acknowledge(isRead: Bool, at now: Instant, _ outbox: inout [Effect]) {
        for entry in journal.reversed() {
            guard case .userMessage(let id, _) = entry.event else { continue }
            var receipt = isRead ? Receipt.agentRead : .agentReceived
            if case .liveAgent = responder { receipt = isRead ? .liveAgentRead : .liveAgentReceived }
            return record(.receipt(receipt, messageID: id.text), at: now, &outbox)
        }
        outbox.append(.note(handle, .ignored(reason: "the user has said nothing that could be received")))
    }

    private var speaker: SpeakerProfile {
        if case .liveAgent(let present) = responder { profile(of: present) } else { script.agent }
    }

    private mutating func notice(
        _ level: NoticeLevel, _ words: NoticeWords, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) {
        var empty: [String] = []
        let text: NoticeText =
            switch words {
            case .known(let problem): .known(problem, detail: nil)
            case .template(let template): .words(fill(template, of: turn, at: now, &empty))
            }
        note(empty, step: turn.next - 1, of: turn, &outbox)
        // An error notice has the metadata of the message that caused it (protocol.md#metadata-echo).
        record(.notice(level, text), metadata: level == .error ? turn.metadata : nil, at: now, &outbox)
    }

    private mutating func showThinking(at now: Instant, _ outbox: inout [Effect]) {
        if case .liveAgent(let present) = responder {
            record(.liveAgentTyping(.started, profile(of: present)), at: now, &outbox)
        } else {
            record(.agentThinking, at: now, &outbox)
        }
    }

    // MARK: - Speaking

    private mutating func compose(
        _ speech: SayStep, step: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) {
        let pace = wishedPace ?? speech.pace ?? script.pace
        let utterance = utterance(speech, pace: pace, step: step, of: turn, at: now, &outbox)
        showThinking(at: now, &outbox)
        player.activity = .composing(utterance)
        player.dueAt = now + pace.think
    }

    private mutating func utterance(
        _ speech: SayStep, pace: Pace, step: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) -> PendingReply {
        let use = uses.useSpeech(of: turn.origin, step: step)
        var empty: [String] = []
        func filled(_ template: Template) -> String { fill(template, of: turn, at: now, &empty) }
        defer { note(empty, step: step, of: turn, &outbox) }
        let text = speech.texts.isEmpty ? "" : filled(speech.texts[use % speech.texts.count])
        replyCount += 1
        let drawn = messageID(terms?.value.agentMessagePrefix ?? "msg_")
        let message = Message(
            id: speech.id.map(filled) ?? (hasRunLog && script.runs.ids != .seeded ? runID("msg_") : drawn),
            text: text, parts: speech.parts.map(filled))
        var pieces: [String] = []
        if isCut {
            if let unit = wishedChunks {
                pieces = ChunkCutter.cut(text, size: 1, unit: unit)
            } else if let exact = speech.chunks {
                pieces = exact.map(filled)
            } else {
                let cut = speech.cut ?? ChunkSize(count: pace.chunkSize, unit: pace.chunkUnit)
                pieces = ChunkCutter.cut(text, size: cut.count, unit: cut.unit)
            }
            if pieces.isEmpty || options.endsWithEmptyChunk { pieces.append("") }
        }
        return PendingReply(
            message: message, pieces: pieces, every: pace.every, jitter: pace.jitter, number: replyCount,
            metadata: turn.metadata)
    }

    private mutating func deliver(_ utterance: PendingReply, at now: Instant, _ outbox: inout [Effect]) {
        if case .liveAgent(let present) = responder {
            let person = profile(of: present)
            record(.liveAgentTyping(.stopped, person), at: now, &outbox)
            fireOnWire(.reply(utterance.number), &outbox)
            record(.liveAgentMessage(utterance.message, person), at: now, &outbox)
        } else if fire(.reply(utterance.number), metadata: utterance.metadata, at: now, &outbox) {
            player.dropTurn()
        } else if !utterance.pieces.isEmpty {
            stream(utterance, from: 0, at: now, &outbox)
        } else {
            // A reply that is not streamed counts as all chunk numbers.
            let moment = Fault.Moment.replyChunk(utterance.number, 1)
            if fire(moment, standsForMore: true, metadata: utterance.metadata, at: now, &outbox) {
                return player.dropTurn()
            }
            fireOnWire(.reply(utterance.number), &outbox)
            fireOnWire(moment, standsForMore: true, &outbox)
            record(.agentMessage(utterance.message), at: now, &outbox)
        }
    }

    private mutating func stream(
        _ utterance: PendingReply, from index: Int, at now: Instant, _ outbox: inout [Effect]
    ) {
        let moment = Fault.Moment.replyChunk(utterance.number, index + 1)
        let isLast = index + 1 == utterance.pieces.count
        // With a requested chunk size, the last chunk also counts as all later chunk numbers.
        let standsForMore = isLast && wishedChunks != nil
        if fire(moment, standsForMore: standsForMore, metadata: utterance.metadata, at: now, &outbox) {
            // An abandoned stream has no last chunk (protocol.md#abandoned-stream).
            return player.dropTurn()
        }
        if index == 0 { fireOnWire(.reply(utterance.number), &outbox) }
        fireOnWire(moment, standsForMore: standsForMore, &outbox)
        var text = utterance.pieces[index]
        if options.trimsChunks {
            while text.last?.isWhitespace == true { text.removeLast() }
        }
        if isStreaming {
            let chunk = Chunk(
                messageID: utterance.message.id, index: options.firstChunkIndex + index, isComplete: isLast,
                text: text, parts: isLast ? utterance.message.parts : MessageParts())
            record(.agentChunk(chunk), at: now, &outbox)
        } else {
            recordText(
                utterance.message.id, text, name: nil, parts: MessageParts(), ends: false, at: now, &outbox)
            if isLast, !machine.isGivenUp { record(.agentMessage(utterance.message), at: now, &outbox) }
        }
        guard !isLast, !hasEnded else { return }
        player.activity = .streaming(utterance)
        player.nextPiece = index + 1
        player.dueAt = now + gap(utterance)
    }

    private mutating func gap(_ utterance: PendingReply) -> Interval {
        guard utterance.jitter > 0, utterance.every > .zero else { return utterance.every }
        return utterance.every.scaled(by: 1 + utterance.jitter * (2 * jitter.unit() - 1))
    }

    // MARK: - Placeholders

    /// Fills a template. Appends the names of placeholders without a value to `empty`.
    private func fill(
        _ template: Template, of turn: Turn, at now: Instant, _ empty: inout [String]
    ) -> String {
        template.filled(atMost: EngineLimits.filledBytes) { name in
            let value = value(of: name, message: turn.message, at: now)
            if value?.isEmpty != false, !empty.contains(name) { empty.append(name) }
            return value
        }
    }

    func note(_ empty: [String], step: Int, of turn: Turn, _ outbox: inout [Effect]) {
        for name in empty {
            outbox.append(.note(handle, .emptyGap(name: name, place: turn.steps[step].place)))
        }
    }

    func fill(_ template: Template, message: String, at now: Instant, limit: Int) -> String {
        template.filled(atMost: limit) { name in value(of: name, message: message, at: now) }
    }

    /// Returns the value of a placeholder (fixtures/README.md).
    func value(of name: String, message: String, at now: Instant) -> String? {
        if let remembered = memory[name] { return remembered }
        if hasRunLog, let given = log.given[name] { return given }
        switch name {
        case "message": return message
        case "now": return localTime(at: now).text
        case "agent.name": return script.agent.name
        case "liveAgent.name":
            if case .liveAgent(let present) = responder { return profile(of: present).name }
            return nil
        default: break
        }
        if name.hasSuffix(".words") {
            return memory[String(name.dropLast(6))].map { Counting.upTo($0) }
        }
        return script.values[name]
    }
}

/// Text of `{slot.words}`: the numbers from one to the slot's value, spelt out.
enum Counting {
    static let mostWords = 500

    /// Returns `one two three` for `"3"`; empty unless the text is a number of at least 1.
    static func upTo(_ text: String) -> String {
        guard let count = Double(text), count >= 1 else { return "" }
        let last = Int(min(count, Double(mostWords)))
        var words = ""
        for number in 1...last {
            if number > 1 { words += " " }
            EnglishNumbers.append(number, to: &words)
        }
        return words
    }
}
