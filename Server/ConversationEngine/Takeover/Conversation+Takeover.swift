import Clocks

/// Takeover of a session by an operator (protocol.md#human-at-the-controls).
extension Conversation {
    package var takeover: Takeover? {
        guard let operatorState else { return nil }
        return Takeover(
            seat: seat, by: operatorState.by, since: operatorState.since, isTyping: operatorState.isTyping,
            unanswered: pause?.unanswered?.text)
    }

    private var seat: Takeover.Seat {
        switch responder {
        case .liveAgent(let present): .liveAgent(profile(of: present))
        case .guest(let profile): .liveAgent(profile)
        default: .agent
        }
    }

    mutating func apply(
        _ action: OperatorAction, by name: String, at now: Instant, _ outbox: inout [Effect]
    ) -> OperatorRefusal? {
        if let refusal = refusal(of: action) { return refusal }
        outbox.append(.note(handle, .takeover(action: action.name, by: name, unusual: whyUnusual(action))))
        pusher = name
        defer { pusher = nil }
        switch action {
        case .takeOver:
            pauseScript(at: now)
            operatorState = ScriptPause.OperatorState(by: name, since: now)
        case .handBack(let answersLast): handBack(answersLast: answersLast, at: now, &outbox)
        case .join(let profile): joinAsLiveAgent(profile, by: name, at: now, &outbox)
        case .typing(let state): type(state, at: now, &outbox)
        case .send(let text, let parts, let pieces):
            let message = Message(
                id: messageID(terms?.value.agentMessagePrefix ?? "msg_"), text: text, parts: parts)
            send(message, pieces: pieces, at: now, &outbox)
        case .leave(let reason, let ends): leaveAsLiveAgent(reason: reason, ends: ends, at: now, &outbox)
        case .triggerHandoff: triggerHandoff(at: now, &outbox)
        case .accept(let queueName):
            record(.handoffAccepted(queueName: queueName), at: now, &outbox)
            if case .conducted = responder { responder = .conducted(isAccepted: true) }
        case .updateQueue(let status): record(.queueStatus(status), at: now, &outbox)
        case .fail(let reason): concludeHandoff(.handoffFailed(reason: reason), at: now, &outbox)
        case .timeOut(let reason): concludeHandoff(.handoffTimedOut(reason: reason), at: now, &outbox)
        case .requireClientHandoff(let reason, let route):
            requireClientHandoff(reason: reason, route: route, at: now, &outbox)
        case .change(let kind, let id, let asUser):
            return change(kind, of: id, asUser: asUser, at: now, &outbox)
        }
        return nil
    }

    private func refusal(of action: OperatorAction) -> OperatorRefusal? {
        if hasEnded { return .sessionOver }
        switch action {
        case .takeOver:
            if let operatorState { return .taken(by: operatorState.by) }
            return responder == .departed ? .nobodySpeaks : nil
        case .handBack: return pause == nil ? .notTakenOver : nil
        case .typing, .send: return operatorState == nil ? .notTakenOver : nil
        case .leave: return seat == .agent ? .noLiveAgent : nil
        case .join, .triggerHandoff, .accept, .updateQueue, .fail, .timeOut, .requireClientHandoff, .change:
            return nil
        }
    }

    // MARK: - Taking over and handing back

    private mutating func handBack(answersLast: Bool, at now: Instant, _ outbox: inout [Effect]) {
        stopTyping(at: now, &outbox)
        guard !hasEnded else { return }
        let unanswered = pause?.unanswered
        resumeScript(at: now, &outbox)
        // The script causes the following events, not the operator.
        pusher = nil
        guard answersLast, let unanswered else { return }
        cause = Cause(mark: unanswered.mark)
        defer { cause = Cause() }
        switch responder {
        case .agent, .liveAgent:
            if let file = unanswered.file {
                return answer(file, metadata: unanswered.metadata, at: now, &outbox)
            }
            let moment = Fault.Moment.userMessage(userMessageCount)
            if fire(moment, metadata: unanswered.metadata, at: now, &outbox) { return }
            answer(unanswered.text, metadata: unanswered.metadata, at: now, &outbox)
        default: break
        }
    }

    private mutating func joinAsLiveAgent(
        _ profile: SpeakerProfile, by name: String, at now: Instant, _ outbox: inout [Effect]
    ) {
        stopTyping(at: now, &outbox)
        if responder == .agent {
            record(.handoffTriggered, at: now, &outbox)
            record(.agentLeft(reason: nil), at: now, &outbox)
        }
        if !isHandoffAccepted { record(.handoffAccepted(queueName: nil), at: now, &outbox) }
        fireOnWire(.liveAgentJoins, &outbox)
        record(.liveAgentJoined(profile), at: now, &outbox)
        guard !hasEnded else { return }
        pauseScript(at: now)
        operatorState = ScriptPause.OperatorState(by: name, since: now)
        guard case .waiting(let run) = responder else { return displaceScript(to: .guest(profile), at: now) }
        // The opening of the script's live agent is played if the operator hands back without a message.
        let handoff = script.handoffs[run.index]
        outbox.append(.note(handle, .handoff(name: handoff.name, state: "\(profile.name) joined")))
        responder = .liveAgent(HandoffLiveAgent(handoff: run.index, standIn: profile))
        player = StepPlayer()
        pause?.remaining = nil
        guard !handoff.opens.isEmpty else { return }
        player.turns = [
            Turn(
                steps: handoff.opens, origin: .opening(run.index), message: lastMessage,
                metadata: run.rest.metadata, mark: run.rest.cause.mark)
        ]
        pause?.remaining = .zero
        pause?.holdsOpening = true
    }

    private var isHandoffAccepted: Bool {
        switch responder {
        case .agent, .conducted(isAccepted: false): false
        case .waiting(let run):
            script.handoffs[run.index].queue != nil || script.handoffs[run.index].outcome == .joins
        default: true
        }
    }

    private mutating func leaveAsLiveAgent(
        reason: String?, ends: Bool, at now: Instant, _ outbox: inout [Effect]
    ) {
        guard case .liveAgent(let profile) = seat else { return }
        stopTyping(at: now, &outbox)
        record(.liveAgentLeft(profile, reason: reason), at: now, &outbox)
        guard !ends else { return end(.natural, at: now, &outbox) }
        guard !hasEnded else { return }
        if case .guest = responder {
            resumeScript(at: now, &outbox)
            if responder == .departed { responder = .agent }
        } else {
            player = StepPlayer()
            pause = nil
            responder = .agent
        }
    }

    // MARK: - Speaking

    private mutating func type(_ state: TypingState, at now: Instant, _ outbox: inout [Effect]) {
        switch (seat, state) {
        case (.liveAgent(let profile), _):
            operatorState?.isTyping = state == .started
            record(.liveAgentTyping(state, profile), at: now, &outbox)
        case (.agent, .started): record(.agentThinking, at: now, &outbox)
        case (.agent, .stopped):
            // No event ends thinking; the next message does.
            break
        }
    }

    private mutating func stopTyping(at now: Instant, _ outbox: inout [Effect]) {
        guard operatorState?.isTyping == true else { return }
        type(.stopped, at: now, &outbox)
        operatorState?.isTyping = false
    }

    private mutating func send(_ message: Message, pieces: Int, at now: Instant, _ outbox: inout [Effect]) {
        stopTyping(at: now, &outbox)
        if pause?.holdsOpening == true {
            player.turns.removeFirst()
            let isOver = player.turns.isEmpty
            pause?.holdsOpening = false
            pause?.remaining = isOver ? nil : .zero
        }
        pause?.unanswered = nil
        switch seat {
        case .liveAgent(let profile): record(.liveAgentMessage(message, profile), at: now, &outbox)
        case .agent where isStreaming: sendChunks(of: message, pieces: pieces, at: now, &outbox)
        case .agent: record(.agentMessage(message), at: now, &outbox)
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
            record(
                .agentChunk(
                    Chunk(
                        messageID: message.id, index: options.firstChunkIndex + index, isComplete: isLast,
                        text: text, parts: isLast ? message.parts : MessageParts())),
                at: now, &outbox)
        }
    }
}
