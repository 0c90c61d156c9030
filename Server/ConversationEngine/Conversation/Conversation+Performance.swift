import Clocks
import Matching

/// Doing the steps of the script, each at its instant.
extension Conversation {
    mutating func perform(_ turn: Turn, at now: Instant, _ outbox: inout [Effect]) {
        guard !turn.steps.isEmpty else { return }
        guard performance.turns.count < ConversationLimits.waitingTurns else {
            return outbox.append(.note(handle, .ignored(reason: "too many replies are waiting already")))
        }
        performance.turns.append(turn)
        if pause != nil { return holdTurns() }
        if performance.dueAt == nil { performance.dueAt = now }
        var left = EngineLimits.stepsOfTurn
        while left > 0, let due = performance.dueAt, due <= now, !hasEnded {
            left -= 1
            continuePerformance(at: due, &outbox)
        }
    }

    /// Goes on with whatever was due at `now`; leaves the next deadline in `performance.dueAt`.
    mutating func continuePerformance(at now: Instant, _ outbox: inout [Effect]) {
        let outer = cause
        defer {
            cause = outer
            if hasRunLog { settleRuns(at: now, &outbox) }
        }
        performance.dueAt = nil
        if case .waiting(let run) = floor { return continueQueue(run, at: now, &outbox) }
        cause = performance.turns.isEmpty ? Cause() : performance.turns[0].cause
        let activity = performance.activity
        performance.activity = .idle
        switch activity {
        case .idle, .pausing: break
        case .composing(let utterance): deliver(utterance, at: now, &outbox)
        case .streaming(let utterance): stream(utterance, from: performance.nextPiece, at: now, &outbox)
        case .playing(let play): continuePlay(play, at: now, &outbox)
        }
        guard !dropFailedTurn(at: now), performance.activity.isIdle, !hasEnded else { return }
        nextStep(at: now, &outbox)
        dropFailedTurn(at: now)
    }

    /// Drops what is left of a turn whose run has failed while it was told. False when none has.
    @discardableResult
    private mutating func dropFailedTurn(at now: Instant) -> Bool {
        guard hasRunLog, machine.isGivenUp else { return false }
        machine.isGivenUp = false
        performance.activity = .idle
        dropTurn()
        performance.dueAt = performance.turns.isEmpty ? nil : now
        return true
    }

    /// Drops what is under way, and what is left of its turn; the next turn begins. A queue stands still.
    mutating func dropActivity(at now: Instant, _ outbox: inout [Effect]) {
        performance.dueAt = nil
        if case .waiting = floor { return }
        performance.activity = .idle
        if !performance.turns.isEmpty { performance.turns.removeFirst() }
        if !performance.turns.isEmpty { continuePerformance(at: now, &outbox) }
    }

    private mutating func nextStep(at now: Instant, _ outbox: inout [Effect]) {
        while let turn = performance.turns.first, turn.next >= turn.steps.count {
            performance.turns.removeFirst()
        }
        guard !performance.turns.isEmpty else { return }
        let index = performance.turns[0].next
        performance.turns[0].next += 1
        performance.dueAt = now
        cause = performance.turns[0].cause
        act(performance.turns[0].steps[index].verb, step: index, of: performance.turns[0], at: now, &outbox)
    }

    private mutating func act(
        _ verb: Verb, step: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) {
        switch verb {
        case .say(let speech):
            compose(speech, step: step, of: turn, at: now, &outbox)
        case .think(let interval):
            showThinking(at: now, &outbox)
            pause(for: interval, at: now)
        case .wait(let interval):
            pause(for: interval, at: now)
        case .remember(let changes):
            for change in changes {
                memory[change.slot] = fill(
                    change.value, message: turn.message, at: now, limit: EngineLimits.rememberedBytes)
            }
        case .forget(let slots):
            for slot in slots { memory[slot] = nil }
        case .handoff(let index):
            startHandoff(index, of: turn, at: now, &outbox)
        case .transfer(let index):
            transfer(to: index, of: turn, at: now, &outbox)
        case .receipt(let isRead):
            acknowledge(isRead: isRead, at: now, &outbox)
        case .presence(let status):
            tell(.personStatus(status, speaker), isSilent: true, at: now, &outbox)
        case .leave(let reason):
            leave(reason: reason, at: now, &outbox)
        case .giveBack(let reason):
            giveBack(reason: reason, at: now, &outbox)
        case .end(let reason):
            end(reason, at: now, &outbox)
        case .system(let level, let words):
            notice(level, words, of: turn, at: now, &outbox)
        case .language(let code):
            tell(.languageChanged(code: code), at: now, &outbox)
        case .emit(let type, let payload):
            tell(.raw(type: type, payload: payload), at: now, &outbox)
        case .trouble(let index):
            arm(script.troubles[index], id: nil)
            outbox.append(.note(handle, .armed(script.troubles[index].name)))
        case .run(let run):
            perform(run, place: step, of: turn, at: now, &outbox)
        }
    }

    private mutating func pause(for interval: Interval, at now: Instant) {
        performance.activity = .pausing
        performance.dueAt = now + interval
    }

    /// Tells that the user's last message was delivered, or read.
    private mutating func acknowledge(isRead: Bool, at now: Instant, _ outbox: inout [Effect]) {
        for entry in journal.reversed() {
            guard case .userMessage(let id, _) = entry.event else { continue }
            var receipt = isRead ? Receipt.agentRead : .agentReceived
            if case .person = floor { receipt = isRead ? .personRead : .personReceived }
            return tell(.receipt(receipt, messageID: id.text), at: now, &outbox)
        }
        outbox.append(.note(handle, .ignored(reason: "the user has said nothing that could be received")))
    }

    /// Who speaks for the other side now.
    private var speaker: Profile {
        if case .person(let present) = floor { profile(of: present) } else { script.agent }
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
        // Errors name the event that caused them (protocol.md#metadata-echo).
        tell(.notice(level, text), metadata: level == .error ? turn.metadata : nil, at: now, &outbox)
    }

    private mutating func showThinking(at now: Instant, _ outbox: inout [Effect]) {
        if case .person(let present) = floor {
            tell(.personTyping(.started, profile(of: present)), at: now, &outbox)
        } else {
            tell(.agentThinking, at: now, &outbox)
        }
    }

    // MARK: - Speaking

    private mutating func compose(
        _ speech: Speech, step: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) {
        let pace = wishedPace ?? speech.pace ?? script.pace
        let utterance = utterance(speech, pace: pace, step: step, of: turn, at: now, &outbox)
        showThinking(at: now, &outbox)
        performance.activity = .composing(utterance)
        performance.dueAt = now + pace.think
    }

    private mutating func utterance(
        _ speech: Speech, pace: Pace, step: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) -> Utterance {
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
        return Utterance(
            message: message, pieces: pieces, every: pace.every, jitter: pace.jitter, number: replyCount,
            metadata: turn.metadata)
    }

    private mutating func deliver(_ utterance: Utterance, at now: Instant, _ outbox: inout [Effect]) {
        if case .person(let present) = floor {
            let person = profile(of: present)
            tell(.personTyping(.stopped, person), at: now, &outbox)
            strikeWire(.reply(utterance.number), &outbox)
            tell(.personMessage(utterance.message, person), at: now, &outbox)
        } else if strike(.reply(utterance.number), metadata: utterance.metadata, at: now, &outbox) {
            dropTurn()
        } else if !utterance.pieces.isEmpty {
            stream(utterance, from: 0, at: now, &outbox)
        } else {
            strikeWire(.reply(utterance.number), &outbox)
            tell(.agentMessage(utterance.message), at: now, &outbox)
        }
    }

    private mutating func stream(
        _ utterance: Utterance, from index: Int, at now: Instant, _ outbox: inout [Effect]
    ) {
        let moment = Trouble.Moment.replyChunk(utterance.number, index + 1)
        let isLast = index + 1 == utterance.pieces.count
        // What the session had cut otherwise may have fewer chunks than the fixture counts on.
        let standsForMore = isLast && wishedChunks != nil
        if strike(
            moment, standsForMore: standsForMore, metadata: utterance.metadata, at: now, &outbox)
        {
            // An abandoned stream: its last chunk never comes (protocol.md#abandoned-stream).
            return dropTurn()
        }
        if index == 0 { strikeWire(.reply(utterance.number), &outbox) }
        strikeWire(moment, standsForMore: standsForMore, &outbox)
        var text = utterance.pieces[index]
        if options.trimsChunks {
            while text.last?.isWhitespace == true { text.removeLast() }
        }
        if isStreaming {
            let chunk = Chunk(
                messageID: utterance.message.id, index: options.firstChunkIndex + index, isComplete: isLast,
                text: text, parts: isLast ? utterance.message.parts : MessageParts())
            tell(.agentChunk(chunk), at: now, &outbox)
        } else {
            tellText(
                utterance.message.id, text, name: nil, parts: MessageParts(), ends: false, at: now, &outbox)
            if isLast, !machine.isGivenUp { tell(.agentMessage(utterance.message), at: now, &outbox) }
        }
        guard !isLast, !hasEnded else { return }
        performance.activity = .streaming(utterance)
        performance.nextPiece = index + 1
        performance.dueAt = now + gap(utterance)
    }

    /// Gives up the rest of the turn under way; a session that just ended has none.
    private mutating func dropTurn() {
        if !performance.turns.isEmpty { performance.turns.removeFirst() }
    }

    private mutating func gap(_ utterance: Utterance) -> Interval {
        guard utterance.jitter > 0, utterance.every > .zero else { return utterance.every }
        return utterance.every.scaled(by: 1 + utterance.jitter * (2 * jitter.unit() - 1))
    }

    // MARK: - Filling gaps

    /// Adds the gaps for which there is nothing to `empty`.
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

    /// The value of a gap (fixtures/README.md); `slot.words` counts from one to the slot's number.
    func value(of name: String, message: String, at now: Instant) -> String? {
        if let remembered = memory[name] { return remembered }
        if hasRunLog, let given = log.given[name] { return given }
        switch name {
        case "message": return message
        case "now": return localTime(at: now).text
        case "agent.name": return script.agent.name
        case "person.name":
            if case .person(let present) = floor { return profile(of: present).name }
            return nil
        default: break
        }
        if name.hasSuffix(".words") {
            return memory[String(name.dropLast(6))].map { Counting.upTo($0) }
        }
        return script.values[name]
    }
}

/// The text of `{slot.words}`: counting from one, for replies whose length the user chooses.
enum Counting {
    /// No reply counts further than this; the number of words is the user's choice.
    static let mostWords = 500

    /// `"3"` gives `one two three`; empty for anything that is not a positive whole number.
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
