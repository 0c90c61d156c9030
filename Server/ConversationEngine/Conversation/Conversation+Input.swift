import Clocks

/// Inputs of clients.
extension Conversation {
    mutating func receive(
        _ input: ClientInput, from connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        advance(to: now, &outbox)
        touch(connection, at: now)
        switch input.word {
        case .say where options.echoDelay > .zero && !hasEnded:
            guard delayedInputs.count < ConversationLimits.delayedInputs else { return }
            return delayedInputs.append((now + options.echoDelay, input, connection))
        case .join, .end:
            // Keeps the order of delayed inputs.
            applyDelayedInputs(dueAt: .distantFuture, at: now, &outbox)
        default: break
        }
        apply(input, from: connection, at: now, &outbox)
    }

    /// An operator's input in place of the client that connected last.
    mutating func speak(
        _ input: ClientInput, by name: String, at now: Instant, _ outbox: inout [Effect]
    ) {
        advance(to: now, &outbox)
        var client = links.last?.id ?? .none
        // A run that no client asked for has no connection.
        if case .run = input.word { client = .none }
        touch(client, at: now)
        // Keeps the order of the client's delayed inputs.
        applyDelayedInputs(dueAt: .distantFuture, at: now, &outbox)
        pusher = name
        defer { pusher = nil }
        apply(input, from: client, at: now, &outbox)
    }

    /// Echoes and answers the messages whose waiting time is over at `deadline`.
    mutating func applyDelayedInputs(
        dueAt deadline: Instant, at now: Instant? = nil, _ outbox: inout [Effect]
    ) {
        while let delayed = delayedInputs.first, delayed.due <= deadline {
            delayedInputs.removeFirst()
            apply(delayed.input, from: delayed.from, at: now ?? deadline, &outbox)
        }
    }

    /// Echoes and answers the first delayed message, whatever its time.
    mutating func applyNextDelayedInput(at now: Instant, _ outbox: inout [Effect]) {
        guard !delayedInputs.isEmpty else { return }
        let first = delayedInputs.removeFirst()
        apply(first.input, from: first.from, at: now, &outbox)
    }

    private mutating func apply(
        _ input: ClientInput, from connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        cause = Cause(mark: input.mark)
        defer { cause = Cause() }
        switch input.word {
        case .refused(let problem, let detail):
            complain(problem, detail: detail, to: connection, metadata: input.metadata, at: now, &outbox)
        case .ignored:
            break
        case _ where hasEnded:
            complain(.sessionGone, to: connection, metadata: input.metadata, at: now, &outbox)
        case .join(let greeting):
            join(greeting: greeting, metadata: input.metadata, at: now, &outbox)
        case .say(let text):
            receiveText(
                text, from: connection, metadata: input.metadata, localID: input.localID, at: now, &outbox)
        case .end:
            record(.userEnded, metadata: input.metadata, at: now, &outbox)
            end(.user, at: now, &outbox)
        case .heartbeat:
            heartbeatCount += 1
            deliver(
                only: connection, .heartbeat, metadata: input.metadata,
                struckAt: .heartbeat(heartbeatCount), at: now, &outbox)
        case .typing(let state):
            if terms?.value.relaysTyping == true {
                record(.userTyping(state), metadata: input.metadata, at: now, &outbox)
            }
        case .run(let request):
            run(request, from: connection, metadata: input.metadata, at: now, &outbox)
        case .receipt(let receipt, let messageID):
            record(.receipt(receipt, messageID: messageID), metadata: input.metadata, at: now, &outbox)
        }
    }

    /// An error notice for the sender alone (protocol.md#told-to-the-sender).
    private mutating func complain(
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
        if strike(.reply(replyCount + 1), metadata: metadata, at: now, &outbox) { return }
        if isFirst { bringAgent(at: now, &outbox) }
        var steps = script.greeting
        if options.honorsGreetingMessage, let greeting, !greeting.isEmpty {
            steps = [Step(.say(SayStep(texts: [Template(literal: greeting)])))]
        }
        let turn = Turn(
            steps: steps, origin: .greeting, message: "", metadata: metadata, mark: cause.mark)
        enqueue(turn, at: now, &outbox)
    }

    mutating func bringAgent(at now: Instant, _ outbox: inout [Effect]) {
        responder = .agent
        record(.agentJoined(script.agent), at: now, &outbox)
        outbox.append(.note(handle, .agentJoined(script.agent.name)))
    }

    mutating func receiveText(
        _ text: String, from connection: ConnectionID, metadata: String?, localID: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        if options.dropsRepeatedLocalIDs, let localID {
            if let first = echoes[localID], first < journal.count {
                return redeliver(journal[first], to: connection, &outbox)
            }
            if options.isJournaled(.userMessage(id: "", text: "")) { echoes[localID] = journal.count }
        }
        userMessageCount += 1
        lastMessage = text
        strikeWire(.userMessage(userMessageCount), &outbox)
        record(
            .userMessage(
                id: MessageID(terms?.value.userMessagePrefix ?? "msg_u_", messageWord()), text: text),
            metadata: metadata,
            isSilent: options.droppedEchoes.contains(userMessageCount), at: now, &outbox)
        // The person spoke for the client; the script answers.
        pusher = nil
        guard !hasEnded else { return }
        beginRunIfNeeded(at: now, &outbox)
        if hasRunLog, machine.isGivenUp {
            // It has failed with its first event.
            machine.isGivenUp = false
            return
        }
        if pause != nil, responder != .nobody { return keepUnanswered(text, metadata: metadata, &outbox) }
        switch responder {
        case .nobody:
            complain(.noConversation, to: connection, metadata: metadata, at: now, &outbox)
        case .agent, .person:
            if !strike(.userMessage(userMessageCount), metadata: metadata, at: now, &outbox) {
                answer(text, metadata: metadata, at: now, &outbox)
            }
        case .waiting:
            outbox.append(.note(handle, .ignored(reason: "the user is still in the queue")))
        case .departed:
            outbox.append(.note(handle, .ignored(reason: "the agent has left")))
        case .conducted, .guest, .ended:
            break
        }
        if hasRunLog { settleRuns(at: now, &outbox) }
    }

    /// Sends an echo once more, unless the history that `connection` still waits for brings it.
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
