import Clocks

package struct QueueStatus: Equatable, Sendable {
    package var queueName: String?
    /// The position in the queue; 1 is the front.
    package var position: Int?
    package var estimatedWaitSeconds: Int?
    package var displayMessage: String?

    package init(
        queueName: String? = nil, position: Int? = nil, estimatedWaitSeconds: Int? = nil,
        displayMessage: String? = nil
    ) {
        self.queueName = queueName
        self.position = position
        self.estimatedWaitSeconds = estimatedWaitSeconds
        self.displayMessage = displayMessage
    }
}

/// Handoffs to live agents: queue, outcome, return to the agent (protocol.md#handoff-by-server).
extension Conversation {
    mutating func startHandoff(_ index: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]) {
        let handoff = script.handoffs[index]
        outbox.append(.note(handle, .handoff(name: handoff.name, state: "triggered")))
        record(.handoffTriggered, at: now, &outbox)
        if case .client(let reason, let route) = handoff.mode {
            record(
                .clientHandoffRequired(reason: reason, queueName: handoff.queue?.name, route: route),
                at: now, &outbox)
            record(.agentLeft(reason: nil), at: now, &outbox)
            player = StepPlayer()
            if !hasEnded { responder = .departed }
            return
        }
        record(.agentLeft(reason: nil), at: now, &outbox)
        if handoff.queue != nil || handoff.outcome == .joins {
            record(.handoffAccepted(queueName: handoff.queue?.name), at: now, &outbox)
        }
        guard !hasEnded else { return }
        player = StepPlayer()
        player.dueAt = now
        responder = .waiting(HandoffRun(index: index, positionsSent: 0, rest: turn))
    }

    /// Starts a transfer to another live agent.
    mutating func transfer(to index: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]) {
        guard case .liveAgent(let former) = responder else {
            return outbox.append(.note(handle, .ignored(reason: "no live agent is here to pass the talk on")))
        }
        let handoff = script.handoffs[index]
        outbox.append(.note(handle, .handoff(name: handoff.name, state: "asked to take over")))
        record(.liveAgentStatus(.transferring, profile(of: former)), isSilent: true, at: now, &outbox)
        if let queue = handoff.queue { record(.handoffAccepted(queueName: queue.name), at: now, &outbox) }
        guard !hasEnded else { return }
        player = StepPlayer()
        player.dueAt = now
        responder = .waiting(HandoffRun(index: index, positionsSent: 0, rest: turn, former: former))
    }

    func responder(without run: HandoffRun) -> Responder {
        run.former.map { .liveAgent($0) } ?? (options.agentReturnsAfterFailedHandoff ? .agent : .departed)
    }

    /// Continues a handoff with the next queue position or the outcome.
    mutating func continueQueue(_ run: HandoffRun, at now: Instant, _ outbox: inout [Effect]) {
        let handoff = script.handoffs[run.index]
        cause = Cause(mark: run.rest.cause.mark, part: .outcome(run.index))
        guard let queue = handoff.queue, run.positionsSent < queue.positions.count else {
            let outcome = forcedOutcome(.liveAgentJoins, &outbox) ?? handoff.outcome
            return finish(run, outcome, at: now, &outbox)
        }
        queueUpdateCount += 1
        if let outcome = forcedOutcome(.queueUpdate(queueUpdateCount), &outbox) {
            return finish(run, outcome, at: now, &outbox)
        }
        let position = queue.positions[run.positionsSent]
        let wait = queue.waitPerPlace.map { ($0 * position).seconds }
        var next = run
        next.positionsSent += 1
        responder = .waiting(next)
        player.dueAt = now + queue.every
        cause.part = .queue(run.index, update: queueUpdateCount)
        fireOnWire(.queueUpdate(queueUpdateCount), &outbox)
        record(
            .queueStatus(
                QueueStatus(
                    queueName: queue.name, position: position, estimatedWaitSeconds: wait.map { Int($0) })),
            at: now, &outbox)
    }

    private mutating func finish(
        _ run: HandoffRun, _ outcome: Handoff.Outcome, at now: Instant, _ outbox: inout [Effect]
    ) {
        let handoff = script.handoffs[run.index]
        switch outcome {
        case .joins:
            if let former = run.former.map({ profile(of: $0) }) {
                record(.liveAgentStatus(.transferred, former), isSilent: true, at: now, &outbox)
                record(.liveAgentLeft(former, reason: nil), at: now, &outbox)
            }
            responder = .liveAgent(HandoffLiveAgent(handoff: run.index))
            outbox.append(
                .note(handle, .handoff(name: handoff.name, state: "\(handoff.liveAgent.name) joined")))
            fireOnWire(.liveAgentJoins, &outbox)
            record(.liveAgentJoined(handoff.liveAgent), at: now, &outbox)
            let opening = Turn(
                steps: handoff.opens, origin: .opening(run.index), message: lastMessage,
                metadata: run.rest.metadata, mark: cause.mark)
            enqueue(opening, at: now, &outbox)
        case .fails(let reason):
            outbox.append(.note(handle, .handoff(name: handoff.name, state: "failed")))
            giveBack(run, .handoffFailed(reason: reason), at: now, &outbox)
        case .timesOut(let reason):
            outbox.append(.note(handle, .handoff(name: handoff.name, state: "timed out")))
            giveBack(run, .handoffTimedOut(reason: reason), at: now, &outbox)
        }
    }

    private mutating func giveBack(
        _ run: HandoffRun, _ event: Event, at now: Instant, _ outbox: inout [Effect]
    ) {
        responder = responder(without: run)
        record(event, at: now, &outbox)
        if responder != .departed, run.rest.next < run.rest.steps.count {
            enqueue(run.rest, at: now, &outbox)
        }
    }

    /// Lets the live agent leave, and the agent answer again.
    mutating func giveBack(reason: String?, at now: Instant, _ outbox: inout [Effect]) {
        guard case .liveAgent(let present) = responder else {
            return outbox.append(
                .note(handle, .ignored(reason: "no live agent is here to give the talk back")))
        }
        record(.liveAgentLeft(profile(of: present), reason: reason), at: now, &outbox)
        guard !hasEnded else { return }
        responder = .agent
    }

    mutating func leave(reason: String?, at now: Instant, _ outbox: inout [Effect]) {
        if case .liveAgent(let present) = responder {
            record(.liveAgentLeft(profile(of: present), reason: reason), at: now, &outbox)
        }
        end(.natural, at: now, &outbox)
    }
}
