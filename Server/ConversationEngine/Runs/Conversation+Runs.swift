import Clocks
import Matching

/// Agent runs.
extension Conversation {
    /// Starts a requested run, or queues it if another run is active.
    mutating func run(
        _ request: RunRequest, from connection: ConnectionID, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        keepRuns()
        if request.words == .replay { return replay(request, to: connection, at: now, &outbox) }
        if log.runs.contains(where: { $0.facts.id == request.run }) {
            outbox.append(.note(handle, .ignored(reason: "the run id \(request.run) was used before")))
        }
        var request = request
        if !script.runs.echoes { request.input = request.input.threadAlone }
        guard !log.isRunning else {
            guard log.waiting.count < ConversationLimits.waitingTurns else {
                return outbox.append(.note(handle, .ignored(reason: "too many runs are waiting already")))
            }
            // The client did not know the active run's messages, so its request must not replace the thread.
            request.bringsThread = false
            log.waiting.append((request, connection))
            return outbox.append(.note(handle, .ignored(reason: "the run waits: one talk has one order")))
        }
        start(request, for: connection, metadata: metadata, at: now, &outbox)
    }

    /// Sends the history as an unrecorded run. During an active run, adds that run's earlier and later events.
    private mutating func replay(
        _ request: RunRequest, to connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        if log.isRunning, !script.writesBoundaries, let run = log.runs.last {
            func send(_ event: AgentEvent, _ facts: RunInfo) {
                outbox.append(.run(handle, facts, RunEntry(event, 0, precedingCount: 0, at: now)))
            }
            let number = run.facts.number
            let history = RunInfo(request, number: number, connection: connection, script: keptScript)
            send(.started, history)
            send(.messages, history)
            var request = request
            request.words = .nothing
            let follower = RunInfo(request, number: number, connection: connection, script: keptScript)
            for entry in run.entries where entry.event != .started {
                outbox.append(.run(handle, follower, entry))
            }
            return log.followers.append(follower)
        }
        let facts = RunInfo(request, number: 0, connection: connection, script: keptScript)
        let events = [AgentEvent.started, .messages, .finished(RunEnd(log.leftOpen))]
        for (place, event) in events.enumerated() {
            outbox.append(.run(handle, facts, RunEntry(event, place, precedingCount: journal.count, at: now)))
        }
    }

    private mutating func start(
        _ request: RunRequest, for connection: ConnectionID, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        let (request, isFirst) = checkpoint(request, at: now)
        begin(request, for: connection, at: now, &outbox)
        guard log.isRunning else {
            machine.isGivenUp = false
            return settleRuns(at: now, &outbox)
        }
        if responder == .nobody {
            // A run needs no join by the client.
            record(.joinRequested, metadata: metadata, at: now, &outbox)
            bringAgent(at: now, &outbox)
        }
        let suspension = log.suspension
        if request.needsDecisions, let failure = log.uncovered(by: request.words) {
            failRun(failure, at: now, &outbox)
            return settleRuns(at: now, &outbox)
        }
        if script.writesBoundaries {
            // The script plays a recorded run, which answers any input, even without text.
            if case .text(let text) = request.words {
                receiveText(text.heard, from: connection, metadata: metadata, localID: nil, at: now, &outbox)
            } else {
                answer("", metadata: metadata, at: now, &outbox)
            }
            return settleRuns(at: now, &outbox)
        }
        switch request.words {
        case .text(let text):
            // A message without text counts as a file if a rule matches the file.
            if text.allSatisfy(\.isWhitespace),
                let file = request.files.first(where: { self.hears($0, at: now) })
            {
                record(.userFile(file), metadata: metadata, at: now, &outbox)
                answer(file, metadata: metadata, at: now, &outbox)
            } else {
                receiveText(text.heard, from: connection, metadata: metadata, localID: nil, at: now, &outbox)
            }
        case .answers(let answers): resume(answers, suspension, metadata: metadata, at: now, &outbox)
        case .decisions(let decisions):
            resume(
                decisions, suspension,
                isTolerant: toleratesStrangeDecisions(in: request), metadata: metadata, at: now, &outbox)
        case .nothing where isFirst:
            enqueue(
                Turn(
                    steps: script.greeting, origin: .greeting, message: "", metadata: metadata,
                    mark: cause.mark), at: now, &outbox)
        case .nothing, .replay: break
        }
        settleRuns(at: now, &outbox)
    }

    private func hears(_ file: UserFile, at now: Instant) -> Bool {
        rule(hearing: { if case .file(let type)? = $0 { file.matches(type) } else { false } }, at: now) != nil
    }

    private mutating func begin(
        _ request: RunRequest, for connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]
    ) {
        open(request, for: connection)
        if !script.writesBoundaries { recordRun(.started, at: now, &outbox) }
        guard let state = script.runs.state, log.count == 1 || log.isFirstAgain, !request.bringsState else {
            return
        }
        for (name, value) in script.runs.statePaths { log.given["state.\(name)"] = value }
        recordRun(.state(value: state), at: now, &outbox)
    }

    private mutating func open(_ request: RunRequest, for connection: ConnectionID) {
        log.begin(request, for: connection)
        machine = RunMachine(order: script.runs.order?.begin(), thinkingSince: machine.thinkingSince)
    }

    /// Starts a run for a message of a client without runs, if the script or the session has runs.
    mutating func beginRunIfNeeded(at now: Instant, _ outbox: inout [Effect]) {
        if !hasRunLog {
            guard script.hasRuns else { return }
            keepRuns()
        }
        guard !log.isRunning else { return }
        let name = UniqueID.version4(from: &log.ids).text
        let last = log.runs.last?.facts
        let request = RunRequest(
            thread: last?.thread ?? id, run: name, words: .text(lastMessage), manner: last?.manner ?? 0)
        log.checkpoint = nil
        begin(request, for: .none, at: now, &outbox)
    }

    // MARK: - Sending

    mutating func recordRun(_ event: AgentEvent, at now: Instant, _ outbox: inout [Effect]) {
        guard log.isRunning, !hasEnded else { return }
        if !faults.isEmpty, let run = log.runs.last {
            log.hasFired = true
            let moment = Fault.Moment.runEvent(run.facts.number, run.entries.count + 1)
            let moments = run.entries.isEmpty ? [.run(run.facts.number), moment] : [moment]
            if !event.isFailure,
                moments.contains(where: { fire($0, metadata: nil, at: now, &outbox) })
            {
                machine.isGivenUp = true
                // The fault replaced the run's end, so no answer of the client is expected.
                if event.isEnd { log.suspension = nil }
                return
            }
            for moment in moments { fireOnWire(moment, &outbox) }
            if run.facts.connection != .none { fireOnWire(.anyEvent, &outbox) }
        }
        if log.isFull, !event.isEnd {
            machine.isGivenUp = true
            log.suspension = nil
            return failRun(
                RunFailure(
                    "The run has \(ConversationLimits.runEntries) events, which is the most.",
                    code: "run_full"), at: now, &outbox)
        }
        if let problem = machine.order?.check(event) { return breakOff(problem, at: now, &outbox) }
        note(event, at: now, &outbox)
    }

    private mutating func note(_ event: AgentEvent, at now: Instant, _ outbox: inout [Effect]) {
        let (facts, entry) = log.note(event, at: now, precedingCount: journal.count)
        machine.follow(event)
        outbox.append(.run(handle, facts, entry))
        for follower in log.followers { outbox.append(.run(handle, follower, entry)) }
        if event.isEnd { log.followers = [] }
    }

    /// Fails the run, because the script violates the order of events.
    private mutating func breakOff(_ problem: String, at now: Instant, _ outbox: inout [Effect]) {
        machine.order = nil
        machine.isGivenUp = true
        log.suspension = nil
        let words = (machine.place.line > 0 ? "\(script.file):\(machine.place.line): " : "") + problem
        outbox.append(.note(handle, .brokenOff(words)))
        recordFailure(at: now, &outbox)
        failRun(RunFailure(words, code: "scenario_error"), at: now, &outbox)
    }

    /// Records the run events that correspond to an event of the session.
    mutating func mirror(_ event: Event, at now: Instant, _ outbox: inout [Effect]) {
        guard log.isRunning, !machine.isMuted, !script.writesBoundaries else { return }
        switch event {
        case .agentThinking: machine.thinkingSince = now
        case .agentChunk(let chunk):
            recordText(
                chunk.messageID, chunk.text, name: nil, parts: chunk.parts, ends: chunk.isComplete, at: now,
                &outbox)
        case .agentMessage(let message):
            let isStreamed = machine.openText == message.id
            recordText(
                message.id, isStreamed ? "" : message.text, name: nil, parts: message.parts, ends: true,
                at: now, &outbox)
        case .liveAgentMessage(let message, let profile):
            recordText(
                message.id, message.text, name: profile.name, parts: message.parts, ends: true, at: now,
                &outbox)
        default: break
        }
    }

    /// Records the run events of a message's text or of one chunk.
    mutating func recordText(
        _ id: String, _ piece: String, name: String?, parts: MessageParts, ends: Bool, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        machine.thinkingSince = nil
        // A pushed message does not end the text that the script is streaming.
        let isBeside = machine.besideText == id || pusher != nil && (machine.openText ?? id) != id
        if (isBeside ? machine.besideText : machine.openText) != id {
            endText(isBeside: isBeside, at: now, &outbox)
            if isBeside { machine.besideText = id } else { (machine.openText, machine.owner) = (id, id) }
            recordRun(.textStarted(id: id, role: "assistant", name: name), at: now, &outbox)
        }
        if !piece.isEmpty { recordRun(.textDelta(id: id, piece), at: now, &outbox) }
        guard ends else { return }
        if !parts.suggestions.isEmpty {
            recordRun(.suggestions(message: id, parts.suggestions), at: now, &outbox)
        }
        endText(isBeside: isBeside, at: now, &outbox)
    }

    /// Whether the audience is the last run's connection, which gets run events instead of entries.
    func receivesRunsOnly(_ audience: Audience) -> Bool {
        guard hasRunLog, case .one(let connection) = audience else { return false }
        return log.runs.last?.facts.connection == connection
    }

    /// Whether replies are streamed in chunks.
    var isCut: Bool { isStreaming || hasRunLog && log.isRunning }

    private mutating func endText(isBeside: Bool = false, at now: Instant, _ outbox: inout [Effect]) {
        guard let open = isBeside ? machine.besideText : machine.openText else { return }
        if isBeside { machine.besideText = nil } else { machine.openText = nil }
        recordRun(.textEnded(id: open), at: now, &outbox)
    }

    // MARK: - Ending

    /// Ends the run after its turn, then starts the next queued run.
    mutating func settleRuns(at now: Instant, _ outbox: inout [Effect]) {
        guard hasRunLog, pause == nil else { return }
        if log.isRunning {
            guard isTurnOver else { return }
            if case .waiting = responder { return }
            finishRun(at: now, &outbox)
        }
        guard !log.isRunning, !log.waiting.isEmpty, !hasEnded else { return }
        let next = log.waiting.removeFirst()
        start(next.request, for: next.connection, metadata: nil, at: now, &outbox)
    }

    private var isTurnOver: Bool { player.turns.isEmpty && player.activity.isIdle && player.dueAt == nil }

    /// Ends the current and queued runs. `isCut` cancels a run whose turn is not over.
    mutating func endRuns(isCut: Bool, at now: Instant, _ outbox: inout [Effect]) {
        // The end of a session does not violate the order.
        machine.order = nil
        if isCut, !isTurnOver { cancelRun(at: now, &outbox) } else { finishRun(at: now, &outbox) }
        failRuns(RunFailure("The session has ended.", code: "agent_unavailable"), at: now, &outbox)
    }

    mutating func failRuns(_ failure: RunFailure, at now: Instant, _ outbox: inout [Effect]) {
        machine.order = nil
        failRun(failure, at: now, &outbox)
        let waiting = log.waiting
        log.waiting = []
        for next in waiting {
            open(next.request, for: next.connection)
            failRun(failure, at: now, &outbox)
        }
    }

    mutating func finishRun(at now: Instant, _ outbox: inout [Effect]) {
        guard log.isRunning else { return }
        if script.writesBoundaries {
            // The script wrote the run's end, or left it out on purpose.
            return cutRun(at: now, &outbox)
        }
        defer { machine.isGivenUp = false }
        closeItems(at: now, &outbox)
        let outcome: RunEnd.Outcome =
            machine.asks.isEmpty
            ? .done(pending: (log.suspension?.calls ?? []).map(\.id)) : .asks(machine.asks)
        // A snapshot must contain all messages, so it is sent only if the log has them all.
        if !machine.asks.isEmpty, log.isWhole { recordRun(.messages, at: now, &outbox) }
        recordRun(.finished(RunEnd(outcome, result: machine.result, usage: machine.usage)), at: now, &outbox)
    }

    /// Ends the run without sending an event.
    mutating func cutRun(at now: Instant, _ outbox: inout [Effect]) {
        guard log.isRunning else { return }
        note(.finished(RunEnd(.cut)), at: now, &outbox)
    }

    private mutating func closeItems(at now: Instant, _ outbox: inout [Effect]) {
        endText(at: now, &outbox)
        endText(isBeside: true, at: now, &outbox)
        if let open = machine.openReasoning {
            if let text = open.text { recordRun(.reasoningTextEnded(id: text), at: now, &outbox) }
            recordRun(.reasoningEnded(id: open.span), at: now, &outbox)
        }
        for call in machine.openArguments { recordRun(.callEnded(id: call), at: now, &outbox) }
        let asks = log.suspension == nil ? nil : machine.asks.map(\.id)
        for subagent in machine.openSubagents.reversed() {
            recordRun(.subagentEnded(id: subagent.id, result: nil, error: nil, asks: asks), at: now, &outbox)
        }
        machine.openSubagents = []
        for step in machine.openSteps { recordRun(.stepFinished(step), at: now, &outbox) }
        machine.openSteps = []
    }

    mutating func failRun(_ failure: RunFailure, at now: Instant, _ outbox: inout [Effect]) {
        guard hasRunLog, log.isRunning else { return }
        var failure = failure
        failure.usage = machine.usage
        (machine.openText, machine.besideText) = (nil, nil)
        recordRun(.failed(failure), at: now, &outbox)
    }

    mutating func cancelRun(at now: Instant, _ outbox: inout [Effect]) {
        guard hasRunLog, log.isRunning else { return }
        machine.order = nil
        keepPartialText(at: now, &outbox)
        closeItems(at: now, &outbox)
        recordRun(.finished(RunEnd(.cancelled, usage: machine.usage)), at: now, &outbox)
        machine.isGivenUp = false
        if case .waiting = responder { return }
        player = StepPlayer()
    }

    mutating func abandonRuns(of connection: ConnectionID, at now: Instant, _ outbox: inout [Effect]) {
        guard hasRunLog else { return }
        log.waiting.removeAll { $0.connection == connection }
        log.followers.removeAll { $0.connection == connection }
        guard log.isRunning, log.runs.last?.facts.connection == connection, !script.runs.outlivesClients
        else { return }
        outbox.append(.note(handle, .ignored(reason: "the client is gone: its run stops")))
        cancelRun(at: now, &outbox)
        settleRuns(at: now, &outbox)
    }

    /// Journals the part of an interrupted reply that was already sent.
    private mutating func keepPartialText(at now: Instant, _ outbox: inout [Effect]) {
        guard case .streaming(let utterance) = player.activity, let open = machine.openText,
            open == utterance.message.id
        else { return }
        let streamed = utterance.pieces[..<player.nextPiece].joined()
        if isStreaming {
            let chunk = Chunk(
                messageID: open, index: options.firstChunkIndex + player.nextPiece, isComplete: true,
                text: "")
            record(.agentChunk(chunk), at: now, &outbox)
        } else if !streamed.isEmpty {
            record(.agentMessage(Message(id: open, text: streamed)), at: now, &outbox)
        }
    }
}

extension String {
    fileprivate var heard: String {
        guard utf8.count > ConversationLimits.heardBytes else { return self }
        var end = utf8.index(startIndex, offsetBy: ConversationLimits.heardBytes)
        // Moves back to the first byte of a UTF-8 character.
        while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
