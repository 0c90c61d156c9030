import Clocks

/// The live agent's chair: what a human at the controls does (protocol.md#human-at-the-controls).
extension Conversation {
    /// Who sits in the chair; nil when the script plays alone.
    package var chair: Chair? {
        guard let takeover else { return nil }
        return Chair(
            seat: seat, by: takeover.by, since: takeover.since, isTyping: takeover.isTyping,
            unanswered: pause?.unanswered?.text)
    }

    private var seat: Chair.Seat {
        switch floor {
        case .person(let present): .person(profile(of: present))
        case .guest(let profile): .person(profile)
        default: .agent
        }
    }

    mutating func act(
        _ action: ChairAction, by name: String, at now: Instant, _ outbox: inout [Effect]
    ) -> ChairRefusal? {
        if let refusal = refusal(of: action) { return refusal }
        outbox.append(.note(handle, .chair(action: action.name, by: name, unusual: whyUnusual(action))))
        pusher = name
        defer { pusher = nil }
        switch action {
        case .takeOver:
            pauseScript(at: now)
            takeover = ScriptPause.Takeover(by: name, since: now)
        case .handBack(let answersLast):
            handBack(answersLast: answersLast, at: now, &outbox)
        case .join(let profile):
            joinAsPerson(profile, by: name, at: now, &outbox)
        case .typing(let state):
            type(state, at: now, &outbox)
        case .send(let text, let parts, let pieces):
            let message = Message(
                id: messageID(terms?.value.agentMessagePrefix ?? "msg_"), text: text, parts: parts)
            send(message, pieces: pieces, at: now, &outbox)
        case .leave(let reason, let ends):
            leaveAsPerson(reason: reason, ends: ends, at: now, &outbox)
        case .triggerHandoff:
            triggerHandoff(at: now, &outbox)
        case .accept(let queueName):
            tell(.handoffAccepted(queueName: queueName), at: now, &outbox)
            if case .conducted = floor { floor = .conducted(isAccepted: true) }
        case .updateQueue(let status):
            tell(.queueStatus(status), at: now, &outbox)
        case .fail(let reason):
            concludeHandoff(.handoffFailed(reason: reason), at: now, &outbox)
        case .timeOut(let reason):
            concludeHandoff(.handoffTimedOut(reason: reason), at: now, &outbox)
        case .requireClientHandoff(let reason, let route):
            requireClientHandoff(reason: reason, route: route, at: now, &outbox)
        }
        return nil
    }

    private func refusal(of action: ChairAction) -> ChairRefusal? {
        if hasEnded { return .sessionOver }
        switch action {
        case .takeOver:
            if let takeover { return .taken(by: takeover.by) }
            return floor == .departed ? .nobodyHasTheFloor : nil
        case .handBack:
            return pause == nil ? .notTakenOver : nil
        case .typing, .send:
            return takeover == nil ? .notTakenOver : nil
        case .leave:
            return seat == .agent ? .noPerson : nil
        case .join, .triggerHandoff, .accept, .updateQueue, .fail, .timeOut, .requireClientHandoff:
            return nil
        }
    }

    // MARK: - Sitting down and getting up

    private mutating func handBack(answersLast: Bool, at now: Instant, _ outbox: inout [Effect]) {
        stopTyping(at: now, &outbox)
        guard !hasEnded else { return }
        let unanswered = pause?.unanswered
        resumeScript(at: now, &outbox)
        // From here on the script speaks.
        pusher = nil
        guard answersLast, let unanswered else { return }
        cause = Cause(mark: unanswered.mark)
        defer { cause = Cause() }
        switch floor {
        case .agent, .person:
            let moment = Trouble.Moment.userMessage(userMessageCount)
            if strike(moment, metadata: unanswered.metadata, at: now, &outbox) { return }
            answer(unanswered.text, metadata: unanswered.metadata, at: now, &outbox)
        default: break
        }
    }

    private mutating func joinAsPerson(
        _ profile: Profile, by name: String, at now: Instant, _ outbox: inout [Effect]
    ) {
        stopTyping(at: now, &outbox)
        if floor == .agent {
            tell(.handoffTriggered, at: now, &outbox)
            tell(.agentLeft(reason: nil), at: now, &outbox)
        }
        if !isHandoffAccepted { tell(.handoffAccepted(queueName: nil), at: now, &outbox) }
        strikeWire(.personJoins, &outbox)
        tell(.personJoined(profile), at: now, &outbox)
        guard !hasEnded else { return }
        pauseScript(at: now)
        takeover = ScriptPause.Takeover(by: name, since: now)
        guard case .waiting(let run) = floor else {
            return displaceScript(to: .guest(profile), at: now)
        }
        // The person of this queue came; whether the script ever plays them shows when the human hands back.
        let handoff = script.handoffs[run.index]
        outbox.append(.note(handle, .handoff(name: handoff.name, state: "\(profile.name) joined")))
        floor = .person(HandoffPerson(handoff: run.index, standIn: profile))
        performance = Performance()
        pause?.remaining = nil
        guard !handoff.opens.isEmpty else { return }
        performance.turns = [
            Turn(
                steps: handoff.opens, origin: .opening(run.index), message: lastMessage,
                metadata: run.rest.metadata, mark: run.rest.cause.mark)
        ]
        pause?.remaining = .zero
        pause?.holdsOpening = true
    }

    /// Nothing is left to be told between a request for a person and their joining.
    private var isHandoffAccepted: Bool {
        switch floor {
        case .agent, .conducted(isAccepted: false): false
        case .waiting(let run):
            script.handoffs[run.index].queue != nil || script.handoffs[run.index].outcome == .joins
        default: true
        }
    }

    private mutating func leaveAsPerson(
        reason: String?, ends: Bool, at now: Instant, _ outbox: inout [Effect]
    ) {
        guard case .person(let profile) = seat else { return }
        stopTyping(at: now, &outbox)
        tell(.personLeft(profile, reason: reason), at: now, &outbox)
        guard !ends else { return end(.natural, at: now, &outbox) }
        guard !hasEnded else { return }
        if case .guest = floor {
            resumeScript(at: now, &outbox)
            if floor == .departed { floor = .agent }
        } else {
            // What the person still had to say goes with them.
            performance = Performance()
            pause = nil
            floor = .agent
        }
    }

    // MARK: - Speaking

    private mutating func type(_ state: TypingState, at now: Instant, _ outbox: inout [Effect]) {
        switch (seat, state) {
        case (.person(let profile), _):
            takeover?.isTyping = state == .started
            tell(.personTyping(state, profile), at: now, &outbox)
        case (.agent, .started):
            tell(.agentThinking, at: now, &outbox)
        case (.agent, .stopped):
            // Thinking is over when the message comes; the protocol has no word for giving up.
            break
        }
    }

    private mutating func stopTyping(at now: Instant, _ outbox: inout [Effect]) {
        guard takeover?.isTyping == true else { return }
        type(.stopped, at: now, &outbox)
        takeover?.isTyping = false
    }

    private mutating func send(
        _ message: Message, pieces: Int, at now: Instant, _ outbox: inout [Effect]
    ) {
        stopTyping(at: now, &outbox)
        if pause?.holdsOpening == true {
            performance.turns.removeFirst()
            let isOver = performance.turns.isEmpty
            pause?.holdsOpening = false
            pause?.remaining = isOver ? nil : .zero
        }
        pause?.unanswered = nil
        switch seat {
        case .person(let profile): tell(.personMessage(message, profile), at: now, &outbox)
        case .agent where isStreaming: sendChunks(of: message, pieces: pieces, at: now, &outbox)
        case .agent: tell(.agentMessage(message), at: now, &outbox)
        }
    }

    private mutating func sendChunks(
        of message: Message, pieces: Int, at now: Instant, _ outbox: inout [Effect]
    ) {
        let count = message.text.count
        let wanted = min(max(pieces, 1), max(count, 1))
        var texts = ChunkCutter.cut(message.text, size: (count + wanted - 1) / wanted, unit: .characters)
        if texts.isEmpty || options.endsWithEmptyChunk { texts.append("") }
        for (index, text) in texts.enumerated() {
            let isLast = index + 1 == texts.count
            tell(
                .agentChunk(
                    Chunk(
                        messageID: message.id, index: options.firstChunkIndex + index, isComplete: isLast,
                        text: text, parts: isLast ? message.parts : MessageParts())),
                at: now, &outbox)
        }
    }
}
