import Clocks
import Matching
import Patterns

extension Conversation {
    /// `isDue` is false if no timer can be due.
    mutating func receive(
        _ input: borrowing ClientInput, mark: UInt32, from connection: ConnectionID, isDue: Bool = true,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        if isDue { advance(to: now, &outbox) }
        touch(connection, at: now)
        switch input.word {
        case .say where options.echoDelay > .zero && !hasEnded:
            guard delayedInputs.count < ConversationLimits.delayedInputs else { return }
            var later = copy input
            later.mark = mark
            return delayedInputs.append((now + options.echoDelay, later, connection))
        case .join, .end:
            // Delayed messages come first, because the client sent them before this join or end.
            applyDelayedInputs(dueAt: .distantFuture, at: now, &outbox)
        default: break
        }
        apply(input, mark: mark, from: connection, at: now, &outbox)
    }

    /// Like ``receive(_:mark:from:at:_:)``, and returns the values that the engine reads after each change.
    mutating func receiveInTurn(
        _ input: borrowing ClientInput, mark: UInt32, from connection: ConnectionID, isDue: Bool,
        at now: Instant,
        _ outbox: inout [Effect]
    ) -> Outcome {
        receive(input, mark: mark, from: connection, isDue: isDue, at: now, &outbox)
        return (findNextDeadline(), hasEnded)
    }

    /// Applies an operator's input as if it came from the client that connected last.
    mutating func speak(_ input: ClientInput, by name: String, at now: Instant, _ outbox: inout [Effect]) {
        advance(to: now, &outbox)
        var client = links.last?.id ?? .none
        // A run requested by an operator has no connection.
        if case .run = input.word { client = .none }
        touch(client, at: now)
        // Delayed messages come first, because the client sent them before this input.
        applyDelayedInputs(dueAt: .distantFuture, at: now, &outbox)
        pusher = name
        defer { pusher = nil }
        apply(input, mark: input.mark, from: client, at: now, &outbox)
    }

    /// Applies the delayed inputs that are due by `deadline`.
    mutating func applyDelayedInputs(
        dueAt deadline: Instant, at now: Instant? = nil, _ outbox: inout [Effect]
    ) {
        while let delayed = delayedInputs.first, delayed.due <= deadline {
            delayedInputs.removeFirst()
            apply(delayed.input, mark: delayed.input.mark, from: delayed.from, at: now ?? deadline, &outbox)
        }
    }

    mutating func applyNextDelayedInput(at now: Instant, _ outbox: inout [Effect]) {
        guard !delayedInputs.isEmpty else { return }
        let first = delayedInputs.removeFirst()
        apply(first.input, mark: first.input.mark, from: first.from, at: now, &outbox)
    }

    private static let notJoined =
        "no agent has joined: the client must ask for the agent to join before its first message"
    private static let hasEndedReason = "the session has ended: the client must create a new one"

    private mutating func apply(
        _ input: borrowing ClientInput, mark: UInt32, from connection: ConnectionID, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        cause = Cause(mark: mark)
        defer { cause = Cause() }
        switch input.word {
        case .refused(let problem, let detail):
            complain(problem, detail: detail, to: connection, metadata: input.metadata, at: now, &outbox)
        case .ignored: break
        case _ where hasEnded:
            complain(.sessionGone, to: connection, metadata: input.metadata, at: now, &outbox)
            if case .say = input.word { outbox.append(.note(handle, .ignored(reason: Self.hasEndedReason))) }
        case .join(let greeting): join(greeting: greeting, metadata: input.metadata, at: now, &outbox)
        case .say(let text):
            receiveText(
                text, files: input.files, from: connection, metadata: input.metadata, localID: input.localID,
                at: now, &outbox)
        case .file(let file) where extensions.contains(.files):
            arrive(file, metadata: input.metadata, at: now, &outbox)
        case .file(let file):
            record(.userFile(file), metadata: input.metadata, at: now, &outbox)
            answer(file, metadata: input.metadata, at: now, &outbox)
        case .end:
            record(.userEnded, metadata: input.metadata, at: now, &outbox)
            end(.user, at: now, &outbox)
        case .heartbeat:
            heartbeatCount += 1
            deliver(
                only: connection, .heartbeat, metadata: input.metadata,
                firedAt: .heartbeat(heartbeatCount), at: now, &outbox)
        case .typing(let state):
            if terms?.value.relaysTyping == true {
                record(.userTyping(state), metadata: input.metadata, at: now, &outbox)
            }
        case .run(let request): run(request, from: connection, metadata: input.metadata, at: now, &outbox)
        case .receipt(let receipt, let messageID):
            receive(receipt, of: messageID, from: connection, metadata: input.metadata, at: now, &outbox)
        case .change(let change):
            receive(change, from: connection, metadata: input.metadata, at: now, &outbox)
        }
    }

    /// Sends an error notice to the sender only (protocol.md#told-to-the-sender).
    mutating func complain(
        _ problem: KnownProblem, detail: String? = nil, to connection: ConnectionID, metadata: String?,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        deliver(
            only: connection, .notice(.error, .known(problem, detail: detail)), metadata: metadata, at: now,
            &outbox)
    }

    private mutating func join(
        greeting: String?, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        record(.joinRequested, metadata: metadata, at: now, &outbox)
        pusher = nil
        let isFirst = responder == .nobody
        if pause?.displaced == .nobody { pause?.isAgentAwaited = true }
        let greetsAgain = responder == .agent && options.greetsAgain && pause == nil
        guard isFirst || greetsAgain else { return }
        if fire(.reply(replyCount + 1), metadata: metadata, at: now, &outbox) { return }
        if isFirst { bringAgent(at: now, &outbox) }
        var steps = script.greeting
        if script.session.greetingMessage ?? options.honorsGreetingMessage, let greeting, !greeting.isEmpty {
            steps = [Step(.say(SayStep(texts: [Template(literal: greeting)])))]
        }
        let turn = Turn(steps: steps, origin: .greeting, message: "", metadata: metadata, mark: cause.mark)
        enqueue(turn, at: now, &outbox)
    }

    mutating func bringAgent(at now: Instant, _ outbox: inout [Effect]) {
        responder = .agent
        record(.agentJoined(script.agent), at: now, &outbox)
        outbox.append(.note(handle, .agentJoined(script.agent.name)))
    }

    mutating func receiveText(
        _ text: String, files: [String] = [], from connection: ConnectionID, metadata: String?,
        localID: Substring?, at now: Instant, _ outbox: inout [Effect]
    ) {
        if options.dropsRepeatedLocalIDs, let localID = localID.map(String.init) {
            if let first = echoes[localID], first < journal.count {
                return redeliver(journal[first], to: connection, &outbox)
            }
            if options.isJournaled(.userMessage) { echoes[localID] = journal.count }
        }
        userMessageCount += 1
        lastMessage = text
        fireOnWire(.userMessage(userMessageCount), &outbox)
        let id = MessageID(terms?.value.userMessagePrefix ?? "msg_u_", messageWord())
        record(
            message: id, text, metadata: metadata,
            isSilent: options.droppedEchoes.contains(userMessageCount), at: now, &outbox)
        // The script is the author of the reply, even if an operator pushed the message.
        pusher = nil
        guard !hasEnded else { return }
        if extensions.contains(.receipts) { acknowledgeByItself(isRead: false, at: now, &outbox) }
        if !files.isEmpty { connect(files, with: id.text, metadata: metadata, at: now, &outbox) }
        // A message of files alone needs no answer: rules match the files one by one.
        if !files.isEmpty, text.allSatisfy(\.isWhitespace) { return }
        beginRunIfNeeded(at: now, &outbox)
        if hasRunLog, machine.isGivenUp {
            machine.isGivenUp = false
            return
        }
        if pause != nil, responder != .nobody { return keepUnanswered(text, metadata: metadata, &outbox) }
        switch responder {
        case .nobody:
            complain(.noConversation, to: connection, metadata: metadata, at: now, &outbox)
            outbox.append(.note(handle, .ignored(reason: Self.notJoined)))
        case .agent, .liveAgent:
            if !fire(.userMessage(userMessageCount), metadata: metadata, at: now, &outbox) {
                if extensions.contains(.receipts) { acknowledgeByItself(isRead: true, at: now, &outbox) }
                answer(text, metadata: metadata, at: now, &outbox)
            }
        case .waiting: outbox.append(.note(handle, .ignored(reason: "the user is still in the queue")))
        case .departed: outbox.append(.note(handle, .ignored(reason: "the agent has left")))
        case .conducted, .guest, .ended: break
        }
        if hasRunLog { settleRuns(at: now, &outbox) }
    }

    /// Answers a file with the first rule that matches the file's media type.
    mutating func answer(
        _ file: UserFile, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        answer(file.words, as: file.name, file: file, metadata: metadata, at: now, &outbox) { kind in
            if case .file(let type)? = kind { file.matches(type) } else { false }
        }
    }

    /// Answers input that is not text with the first rule that `fits`. Reports show `words`; replies use `message`.
    mutating func answer(
        _ words: String, as message: String, file: UserFile? = nil, metadata: String?, at now: Instant,
        _ outbox: inout [Effect], _ fits: (AnswerKind?) -> Bool
    ) {
        guard !hasEnded else { return }
        if pause != nil, responder != .nobody {
            if let file { return keepUnanswered(words, file: file, metadata: metadata, &outbox) }
            return outbox.append(
                .note(handle, .ignored(reason: "the script is paused by someone at the controls")))
        }
        switch responder {
        case .agent, .liveAgent: break
        case .waiting: return outbox.append(.note(handle, .ignored(reason: "the user is still in the queue")))
        case .departed: return outbox.append(.note(handle, .ignored(reason: "the agent has left")))
        case .nobody: return outbox.append(.note(handle, .ignored(reason: Self.notJoined)))
        case .conducted, .guest, .ended: return
        }
        guard let (rule, origin) = rule(hearing: fits, at: now) else {
            guard let file else { return }
            var unmatched = unmatched(words, answeredBy: .none)
            unmatched.file = file
            return outbox.append(.note(handle, .unmatched(unmatched)))
        }
        let cause = Cause(mark: cause.mark, part: ScriptPart(origin))
        outbox.append(
            .note(
                handle,
                .heard(
                    text: words, rule: rule.name ?? name(of: origin), place: rule.place, stage: stageName,
                    cause: cause)))
        uses.useRule(origin)
        if let then = rule.then { stage = then }
        var turn = Turn(
            steps: rule.steps, origin: origin, message: message, metadata: metadata, mark: cause.mark)
        turn.cause = cause
        enqueue(turn, at: now, &outbox)
    }

    /// Sends an echo again.
    private mutating func redeliver(
        _ entry: JournalEntry, to connection: ConnectionID, _ outbox: inout [Effect]
    ) {
        guard let index = links.firstIndex(where: { $0.id == connection }) else { return }
        if links[index].historyDue == nil {
            outbox.append(.deliver(handle, entry, audience: .one(connection)))
        } else if let sequence = entry.sequence, sequence <= links[index].cursor {
            links[index].hold(Held(entry: entry, journalCount: journal.count))
        }
    }
}

/// Selection of the answering rule: the first match in the order of the file (fixtures/README.md#what-is-heard).
extension Conversation {
    /// A matching rule as a place in its list. A copy of the rule would retain six values.
    struct Hearing {
        /// Stands for no rule. Not an optional, since its value is copied when it is bound.
        static let none = Hearing(rules: [], index: -1, origin: .overridden(0), caught: Captures())

        let rules: [Rule]
        let index: Int
        let origin: Origin
        let caught: Captures

        var isFound: Bool { index >= 0 }

        var name: String? { read { $0.pointee.name } }
        var place: SourcePlace { read { $0.pointee.place } }
        var hasPattern: Bool { isFound && read { $0.pointee.hears != nil } }
        var limit: Int? { read { $0.pointee.limit } }
        var steps: [Step] { read { $0.pointee.steps } }
        var then: Int? { read { $0.pointee.then } }

        @inline(__always)
        private func read<Part>(_ body: (UnsafePointer<Rule>) -> Part) -> Part {
            rules.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + index) }
        }
    }

    private struct Listening {
        /// Number of matcher steps, a measure of the cost.
        var steps = 0
        /// The message's words, made at first use.
        private var words: PreparedMessage?

        mutating func words(of text: String) -> PreparedMessage {
            if let words { return words }
            let made = PreparedMessage(text)
            words = made
            return made
        }
    }

    mutating func answer(
        _ text: String, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        if hasRunLog {
            // Not for every session, since the call copies it.
            if let decisions = decisions(in: text) {
                return resume(
                    decisions, log.suspension, isTolerant: true, metadata: metadata, at: now, &outbox)
            }
            log.suspension = nil
        }
        var listening = Listening()
        let hearing = hearing(text, &listening, at: now)
        matchSteps += listening.steps
        let overridden =
            overrides.isEmpty ? nil : override(on: text, hearing, metadata: metadata, &outbox)
        if !hearing.hasPattern, overridden == nil {
            outbox.append(.note(handle, .unmatched(unmatched(text, answeredBy: hearing))))
        }
        guard hearing.isFound else {
            guard let overridden else { return }
            outbox.append(
                .note(
                    handle,
                    .heard(
                        text: text, rule: ReplyOverride.unmatched, place: SourcePlace(), stage: stageName,
                        cause: overridden.cause)))
            return enqueue(overridden, at: now, &outbox)
        }
        let cause = Cause(mark: cause.mark, part: ScriptPart(hearing.origin))
        outbox.append(
            .note(
                handle,
                .heard(
                    text: text, rule: hearing.name ?? name(of: hearing.origin), place: hearing.place,
                    stage: stageName, cause: cause)))
        uses.useRule(hearing.origin)
        for entry in hearing.caught.entries { memory[entry.name] = entry.value }
        if let then = hearing.then { stage = then }
        if var overridden {
            overridden.cause = cause
            return enqueue(overridden, at: now, &outbox)
        }
        guard hasRoom(for: hearing.steps, &outbox) else { return }
        // The turn creates the same cause from its origin and mark. Made in its place, since a copy retains six values.
        player.turns.append(
            Turn(
                steps: hearing.steps, origin: hearing.origin, message: text, metadata: metadata,
                mark: cause.mark))
        beginTurn(at: now, &outbox)
    }

    private func unmatched(_ text: String, answeredBy hearing: Hearing) -> UnmatchedMessage {
        var result = UnmatchedMessage(
            text: text, number: userMessageCount, stage: stageName, mark: cause.mark)
        if case .liveAgent(let present) = responder { result.handoff = present.handoff }
        guard hearing.isFound else { return result }
        let origin = hearing.origin
        var said: Template?
        for (index, step) in hearing.steps.enumerated() {
            guard case .say(let speech) = step.verb, !speech.texts.isEmpty else { continue }
            said = speech.texts[uses.speech(of: origin, step: index) % speech.texts.count]
            break
        }
        result.substitute = UnmatchedMessage.Substitute(
            name: hearing.name ?? name(of: origin), place: hearing.place, uses: uses.rule(origin) + 1,
            limit: hearing.limit, text: said)
        return result
    }

    func localTime(at now: Instant) -> LocalTime { LocalTime(now, shift: Int(clockShift)) }

    /// The name of the current stage; empty if the script has no stages.
    package var stageName: String { atStage { $0.pointee.name } ?? "" }

    /// Reads a part of the current stage in place; nil if the script has no stages. A subscript would copy the stage.
    @inline(__always)
    private func atStage<Part>(_ body: (UnsafePointer<Stage>) -> Part) -> Part? {
        let stage = stage
        return keptScript.read { script in
            script.stages.withUnsafeBufferPointer {
                $0.indices.contains(stage) ? body($0.baseAddress.unsafelyUnwrapped + stage) : nil
            }
        }
    }

    /// Mutating, like ``first(of:_:at:origin:)``, since a call of another method would copy the session.
    private mutating func hearing(
        _ text: String, _ listening: inout Listening, at now: Instant
    ) -> Hearing {
        if case .liveAgent(let present) = responder {
            let index = present.handoff
            let handoff = script.handoffs[index]
            let found = first(of: handoff.rules, text, &listening, at: now) { .handoffRule(index, $0) }
            if found.isFound { return found }
            return first(of: handoff.otherwise, text, &listening, at: now) { .handoffOtherwise(index, $0) }
        }
        // A closure with the property would copy the session: 1,600 of the 37,200 instructions of a round trip.
        let stage = stage
        let staged = atStage { $0.pointee.rules } ?? []
        var found = first(of: consume staged, text, &listening, at: now) { .stage(stage, $0) }
        if found.isFound { return found }
        found = first(of: script.anywhere, text, &listening, at: now) { .anywhere($0) }
        if found.isFound { return found }
        return first(of: script.otherwise, text, &listening, at: now) { .otherwise($0) }
    }

    private mutating func first(
        of rules: consuming [Rule], _ text: String, _ listening: inout Listening, at now: Instant,
        origin: (Int) -> Origin
    ) -> Hearing {
        // By index, because a rule's copy retains all its values.
        for index in rules.indices {
            if rules[index].answers != nil { continue }
            let origin = origin(index)
            if let limit = rules[index].limit, uses.rule(origin) >= limit { continue }
            var caught = Captures()
            if let hears = rules[index].hears, !hears.isAnything {
                guard listening.steps < MatchingLimits.messageSteps else { continue }
                var cost = MatchCost()
                let captures = hears.match(listening.words(of: text), cost: &cost)
                listening.steps += cost.steps
                guard let captures else { continue }
                caught = captures
            }
            guard rules[index].conditions.isEmpty || holds(rules[index].conditions, caught, at: now) else {
                continue
            }
            return Hearing(rules: rules, index: index, origin: origin, caught: caught)
        }
        return .none
    }

    private func holds(_ conditions: [Condition], _ caught: Captures, at now: Instant) -> Bool {
        for condition in conditions where !holds(condition, caught, at: now) { return false }
        return true
    }

    func holds(_ condition: Condition, _ caught: Captures, at now: Instant) -> Bool {
        if case .isWithin(let hours) = condition.test { return hours.contains(localTime(at: now)) }
        let value =
            caught[condition.slot] ?? memory[condition.slot]
            ?? (hasRunLog ? log.given[condition.slot] : nil)
        switch condition.test {
        case .equals(let wanted): return value.map { Folding.fold($0) == Folding.fold(wanted) } ?? false
        case .differs(let unwanted): return value.map { Folding.fold($0) != Folding.fold(unwanted) } ?? true
        case .atLeast(let bound): return value.flatMap { Double($0) }.map { $0 >= bound } ?? false
        case .atMost(let bound): return value.flatMap { Double($0) }.map { $0 <= bound } ?? false
        case .isKnown(let wanted): return (value != nil) == wanted
        case .isWithin: return false
        }
    }

    func name(of origin: Origin) -> String { script.name(of: origin) }
}
