import Clocks

/// What clients say.
extension Conversation {
    mutating func receive(
        _ input: ClientInput, from connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        advance(to: now, &outbox)
        touch(connection, at: now)
        if case .say = input.word, options.echoDelay > .zero, !hasEnded {
            delayedInputs.append((now + options.echoDelay, input, connection))
        } else {
            act(on: input, from: connection, at: now, &outbox)
        }
    }

    mutating func act(
        on input: ClientInput, from connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        switch input.word {
        case .refused(let problem, let detail):
            complain(problem, detail: detail, to: connection, metadata: input.metadata, at: now, &outbox)
        case .heartbeat where !hasEnded:
            tell(only: connection, .heartbeat, metadata: input.metadata, at: now, &outbox)
        case .ignored, .typing:
            break
        case _ where hasEnded:
            complain(.sessionGone, to: connection, metadata: input.metadata, at: now, &outbox)
        case .join(let greeting):
            join(greeting: greeting, metadata: input.metadata, at: now, &outbox)
        case .say(let text):
            say(text, from: connection, metadata: input.metadata, at: now, &outbox)
        case .end:
            tell(.userEnded, metadata: input.metadata, at: now, &outbox)
            end(.user, at: now, &outbox)
        case .heartbeat:
            break
        }
    }

    /// An error notice for the sender alone (poly-messaging 3.6, 5.12).
    private mutating func complain(
        _ problem: KnownProblem, detail: String? = nil, to connection: ConnectionID, metadata: String?,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        tell(
            only: connection, .notice(.error, .known(problem, detail: detail)), metadata: metadata, at: now,
            &outbox)
    }

    private mutating func join(
        greeting: String?, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        tell(.joinRequested, metadata: metadata, at: now, &outbox)
        let isFirst = floor == .nobody
        guard isFirst || (floor == .agent && options.duplicateJoin == .regreet) else { return }
        if strike(.reply(replyCount + 1), metadata: metadata, at: now, &outbox) { return }
        if isFirst {
            floor = .agent
            tell(.agentJoined(script.agent), at: now, &outbox)
            outbox.append(.note(handle, .agentJoined(script.agent.name)))
        }
        var steps = script.greeting
        if options.honorsGreetingMessage, let greeting, !greeting.isEmpty {
            steps = [Step(.say(Speech(texts: [Template(literal: greeting)])))]
        }
        perform(Turn(steps: steps, origin: .greeting, message: "", metadata: metadata), at: now, &outbox)
    }

    private mutating func say(
        _ text: String, from connection: ConnectionID, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        if options.dropsRepeatedLocalIDs, let metadata, let first = firstEcho(of: metadata) {
            if links.contains(where: { $0.id == connection && $0.historyDue == nil }) {
                outbox.append(.tell(handle, first, audience: .one(connection)))
            }
            return
        }
        userMessageCount += 1
        lastMessage = text
        tell(
            .userMessage(id: messageID("msg_u_"), text: text), metadata: metadata,
            isSilent: options.droppedEchoes.contains(userMessageCount), at: now, &outbox)
        guard !hasEnded else { return }
        switch floor {
        case .nobody:
            complain(.noConversation, to: connection, metadata: metadata, at: now, &outbox)
        case .agent, .person:
            if strike(.userMessage(userMessageCount), metadata: metadata, at: now, &outbox) { return }
            answer(text, metadata: metadata, at: now, &outbox)
        case .waiting:
            outbox.append(.note(handle, .ignored(reason: "the user is still in the queue")))
        case .departed:
            outbox.append(.note(handle, .ignored(reason: "the agent has left")))
        case .ended:
            break
        }
    }

    /// The journaled echo of a message that carried the same `local_id`.
    private func firstEcho(of metadata: String) -> JournalEntry? {
        journal.first { entry in
            guard case .userMessage = entry.event else { return false }
            return entry.metadata == metadata
        }
    }

    /// Lets a server-wide trouble strike at `moment` where it acts inside the talk: agent errors.
    ///
    /// - Returns: true when the agent failed, so that nothing else is to be said.
    mutating func strike(
        _ moment: Trouble.Moment, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) -> Bool {
        for (index, trouble) in options.troubles.enumerated() where trouble.moment == moment {
            guard case .agentError(let problem) = trouble.effect, isStruck(by: trouble, index) else {
                continue
            }
            outbox.append(.note(handle, .troubled(trouble.name)))
            tell(
                .notice(.error, .known(problem, detail: nil)), metadata: metadata, at: now, &outbox)
            return true
        }
        return false
    }

    /// The outcome that a trouble forces on a handoff at `moment`; nil when none strikes.
    mutating func forcedOutcome(_ moment: Trouble.Moment, _ outbox: inout [Effect]) -> Handoff.Outcome? {
        for (index, trouble) in options.troubles.enumerated() where trouble.moment == moment {
            guard case .handoff(let outcome) = trouble.effect, isStruck(by: trouble, index) else { continue }
            outbox.append(.note(handle, .troubled(trouble.name)))
            return outcome
        }
        return nil
    }

    /// Counts a strike against the trouble's `times`, which is 1 unless it says otherwise.
    private mutating func isStruck(by trouble: Trouble, _ index: Int) -> Bool {
        let count = strikes[index, default: 0]
        guard count < trouble.times ?? 1 else { return false }
        if trouble.chance < 1, jitter.unit() >= trouble.chance { return false }
        strikes[index] = count + 1
        return true
    }
}
