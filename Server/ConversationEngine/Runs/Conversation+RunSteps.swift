import Clocks
import Matching

extension Conversation {
    /// Events and pauses of one step, in order.
    struct RunPlayback: Sendable {
        enum Act: Sendable {
            case record(AgentEvent)
            case wait(Interval)
            case settle(AgentEvent, call: String)
            case suspend
        }

        var acts: [Act] = []
        var next = 0

        mutating func record(_ event: AgentEvent) { acts.append(.record(event)) }

        mutating func wait(_ interval: Interval) {
            if interval > .zero { acts.append(.wait(interval)) }
        }
    }

    mutating func execute(
        _ step: RunStep, place: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) {
        beginRunIfNeeded(at: now, &outbox)
        guard hasRunLog, log.isRunning else { return }
        machine.place = turn.steps[place].place
        var filler = RunTemplateContext(turn: turn, now: now)
        var play = RunPlayback()
        switch step {
        case .stepStarted(let name):
            machine.openSteps.append(name)
            play.record(.stepStarted(name))
        case .stepFinished(let name):
            machine.openSteps.removeAll { $0 == name }
            play.record(.stepFinished(name))
        case .reason(let reasoning):
            showSignOfThinking(at: now, &outbox)
            reason(reasoning, &filler, into: &play)
        case .call(let calls, let order):
            showSignOfThinking(at: now, &outbox)
            plan(calls, order, &filler, into: &play)
        case .result(let tool, let outcome): planResult(of: tool, outcome, &filler, into: &play)
        case .state(let value, let asPatch):
            let text = json(value, &filler)
            play.record(asPatch ? .stateTarget(value: text) : .state(value: text))
        case .subagentStarted(let name, let about, let id):
            let id = id.map { text($0, &filler) } ?? runID("sub_")
            let parent = machine.openSubagents.last?.id
            machine.openSubagents.append((id, name))
            // A subagent's calls do not belong to a message of the main agent.
            machine.owner = nil
            play.record(
                .subagentStarted(
                    RunSubagent(id: id, name: name, about: about.map { text($0, &filler) }, parent: parent)))
        case .subagentEnded(let name, let result, let error):
            guard let place = machine.openSubagents.lastIndex(where: { $0.name == name }) else { break }
            machine.owner = nil
            play.record(
                .subagentEnded(
                    id: machine.openSubagents.remove(at: place).id, result: result.map { json($0, &filler) },
                    error: error.map { text($0, &filler) }))
        case .patch(let value): play.record(.stateChanged(patch: json(value, &filler)))
        case .messages(let own):
            play.record(own.map { .runMessages(value: json($0, &filler)) } ?? .messages)
        case .awaits(let tools):
            for name in tools.map({ script.tools[$0].name }) {
                let place = machine.openCalls.lastIndex { $0.tool == name && !$0.isOfClient }
                if let place { machine.openCalls[place].isOfClient = true }
            }
            if machine.openCalls.contains(where: \.isOfClient) { play.acts.append(.suspend) }
        case .activity(let id, let type, let content, let replaces):
            play.record(
                .activity(
                    id: text(id, &filler), type: type, content: json(content, &filler), replaces: replaces))
        case .activityPatch(let id, let type, let patch):
            play.record(.activityChanged(id: text(id, &filler), type: type, patch: json(patch, &filler)))
        case .card(let id, let value, let label):
            let name = id ?? runID("card_")
            play.record(.card(id: name, message: machine.owner, value: json(value, &filler), label: label))
        case .custom(let name, let value): play.record(.custom(name: name, value: json(value, &filler)))
        case .raw(let value, let source): play.record(.raw(value: json(value, &filler), source: source))
        case .ask(let asks):
            ask(asks, &filler, at: now, &outbox)
            play.acts.append(.suspend)
        case .returns(let value): machine.result = json(value, &filler)
        case .usage(let value): machine.usage = value
        case .expects(let conditions, let isRequired):
            guard let words = missed(conditions, place, of: turn, at: now, &outbox), isRequired else { break }
            recordFailure(at: now, &outbox)
            failRun(RunFailure(words, code: "scenario_error"), at: now, &outbox)
            return abandonTurn()
        case .fail(let message, let code):
            let words = text(message, &filler)
            recordFailure(at: now, &outbox)
            failRun(RunFailure(words, code: code), at: now, &outbox)
            return abandonTurn()
        case .cancel: return cancelRun(at: now, &outbox)
        case .event(let value, let isUnchecked, let endsRun):
            recordRun(.written(value: json(value, &filler), isUnchecked: isUnchecked), at: now, &outbox)
            machine.hasSentEnd = machine.hasSentEnd || endsRun
            guard log.isRunning, machine.hasSentEnd, !Self.goesOn(after: place, of: turn) else { return }
            cutRun(at: now, &outbox)
            return abandonTurn()
        case .recorded(let events):
            let every = (wishedPace ?? script.pace).every
            for event in events {
                if !play.acts.isEmpty { play.wait(every) }
                play.record(event)
            }
        }
        note(filler.empty, step: place, of: turn, &outbox)
        continuePlay(play, at: now, &outbox)
    }

    /// Returns whether the next step, apart from pauses, writes another unchecked event.
    private static func goesOn(after place: Int, of turn: Turn) -> Bool {
        let next = turn.steps[(place + 1)...].first { step in
            switch step.verb {
            case .wait, .think: false
            default: true
            }
        }
        guard case .run(.event(_, isUnchecked: true, _))? = next?.verb else { return false }
        return true
    }

    /// Returns the report on unmet expectations of the request, or nil.
    private func missed(
        _ conditions: [Condition], _ place: Int, of turn: Turn, at now: Instant, _ outbox: inout [Effect]
    ) -> String? {
        guard log.inputRun == log.count, let run = log.runs.last?.facts.id else { return nil }
        let reasons = conditions.filter { !holds($0, Captures(), at: now) }.map { condition in
            condition.complaint(about: memory[condition.slot] ?? log.given[condition.slot])
        }
        guard !reasons.isEmpty else { return nil }
        let missed = MissedExpectation(
            text: turn.message, run: run, reasons: reasons, place: turn.steps[place].place, mark: cause.mark)
        outbox.append(.note(handle, .missed(missed)))
        return missed.report
    }

    mutating func continuePlay(_ play: RunPlayback, at now: Instant, _ outbox: inout [Effect]) {
        var play = play
        while play.next < play.acts.count, log.isRunning, !hasEnded {
            let act = play.acts[play.next]
            play.next += 1
            switch act {
            case .record(let event):
                recordRun(event, at: now, &outbox)
                if script.writesBoundaries { journal(event, at: now, &outbox) }
            case .settle(let event, let call):
                machine.openCalls.removeAll { $0.id == call }
                machine.owner = nil
                recordRun(event, at: now, &outbox)
            case .suspend: suspend()
            case .wait(let interval):
                player.activity = .playing(play)
                player.dueAt = now + interval
                return
            }
        }
    }

    /// Records the texts of a recorded run as messages or chunks, for clients of protocols without runs.
    private mutating func journal(_ event: AgentEvent, at now: Instant, _ outbox: inout [Effect]) {
        switch event {
        case .textStarted(let id, _, _): (machine.openText, machine.recorded, machine.pieces) = (id, "", 0)
        case .textDelta(let id, let delta) where id == machine.openText:
            machine.recorded += delta
            machine.pieces += 1
            if isStreaming { record(.agentChunk(chunk(id, delta, isComplete: false)), at: now, &outbox) }
        case .textEnded(let id) where id == machine.openText:
            machine.openText = nil
            if isStreaming {
                machine.pieces += 1
                record(.agentChunk(chunk(id, "", isComplete: true)), at: now, &outbox)
            } else {
                record(.agentMessage(Message(id: id, text: machine.recorded)), at: now, &outbox)
            }
        default: break
        }
    }

    private func chunk(_ id: String, _ text: String, isComplete: Bool) -> Chunk {
        Chunk(
            messageID: id, index: options.firstChunkIndex + machine.pieces - 1, isComplete: isComplete,
            text: text
        )
    }

    func runPieces(_ text: String, _ cut: ChunkSize?) -> [String] {
        guard let cut else { return text.isEmpty ? [] : [text] }
        return ChunkCutter.cut(text, size: cut.count, unit: cut.unit)
    }

    private mutating func reason(
        _ reasoning: Reasoning, _ filler: inout RunTemplateContext, into play: inout RunPlayback
    ) {
        let span = runID("rs_")
        play.record(.reasoningStarted(id: span))
        var last = span
        for (place, template) in reasoning.texts.enumerated() {
            if place > 0 { play.wait(reasoning.every) }
            last = reasoning.sharesID ? span : runID("r_")
            play.record(.reasoningTextStarted(id: last))
            let pieces =
                reasoning.pieces?.map { text($0, &filler) }
                ?? runPieces(text(template, &filler), reasoning.cut)
            for (number, piece) in pieces.enumerated() {
                if number > 0 { play.wait(reasoning.every) }
                play.record(.reasoningDelta(id: last, piece))
            }
            play.record(.reasoningTextEnded(id: last))
        }
        if let sealed = reasoning.sealed { play.record(.sealed(entity: last, ofCall: false, value: sealed)) }
        play.record(.reasoningEnded(id: span))
    }

    // MARK: - Tools

    private struct PlannedCall {
        var call: RunLog.OpenCall
        var started: AgentEvent
        var pieces: [String]
        var every: Interval
        var takes: Interval
        var result: AgentEvent?
    }

    private mutating func plan(
        _ calls: [ScriptedCall], _ order: CallOrder, _ filler: inout RunTemplateContext,
        into play: inout RunPlayback
    ) {
        if machine.owner == nil, calls.contains(where: { $0.owner == .own }) { machine.owner = runID("msg_") }
        let planned = calls.map { plan($0, &filler) }
        if order.interleaves {
            for call in planned { play.record(call.started) }
            for number in 0..<(planned.map(\.pieces.count).max() ?? 0) {
                for call in planned where number < call.pieces.count {
                    if number > 0 { play.wait(call.every) }
                    play.record(.callDelta(id: call.call.id, call.pieces[number]))
                }
            }
            for call in planned { play.record(.callEnded(id: call.call.id)) }
        } else {
            for call in planned {
                play.record(call.started)
                for (number, piece) in call.pieces.enumerated() {
                    if number > 0 { play.wait(call.every) }
                    play.record(.callDelta(id: call.call.id, piece))
                }
                play.record(.callEnded(id: call.call.id))
            }
        }
        var places = order.results ?? Array(planned.indices)
        if order.byTime {
            places = planned.indices.sorted { (planned[$0].takes, $0) < (planned[$1].takes, $1) }
        }
        var elapsed = Interval.zero
        for place in places where planned.indices.contains(place) {
            let call = planned[place]
            // Calls run in parallel, so only the time since the previous result is waited for.
            play.wait(call.takes - elapsed)
            elapsed = max(elapsed, call.takes)
            if let result = call.result { play.acts.append(.settle(result, call: call.call.id)) }
        }
        machine.openCalls += planned.map(\.call)
        if planned.contains(where: \.call.isOfClient) { play.acts.append(.suspend) }
    }

    private mutating func plan(_ call: ScriptedCall, _ filler: inout RunTemplateContext) -> PlannedCall {
        let tool = script.tools[call.tool]
        let id = call.id.map { text($0, &filler) } ?? runID("call_")
        let arguments = call.isJSON ? json(call.arguments, &filler) : text(call.arguments, &filler)
        for (name, value) in call.parts {
            let filled = text(value, &filler)
            log.given["args.\(name)"] = filled
        }
        let pieces =
            call.pieces.map { pieces in pieces.map { text($0, &filler) } } ?? runPieces(arguments, call.cut)
        let owner =
            switch call.owner {
            case .own: machine.owner
            case .none: String?.none
            case .message(let id): text(id, &filler)
            }
        let started = AgentEvent.callStarted(
            RunCall(id: id, tool: tool.name, owner: owner, title: tool.title, label: tool.label))
        let outcome = call.outcome ?? (tool.isOfClient ? .nothing : self.outcome(of: tool, at: filler.now))
        return PlannedCall(
            // A call of a client's tool with a scripted outcome is not awaited.
            call: RunLog.OpenCall(
                id: id, tool: tool.name, isOfClient: tool.isOfClient && call.outcome == nil),
            started: started,
            pieces: pieces, every: call.every, takes: call.takes ?? tool.takes,
            result: result(outcome, of: id, &filler))
    }

    private func outcome(of tool: Tool, at now: Instant) -> ToolOutcome {
        tool.rows.first { row in row.conditions.allSatisfy { holds($0, Captures(), at: now) } }?.outcome
            ?? .gives(Template(literal: "{}"))
    }

    private mutating func result(
        _ outcome: ToolOutcome, of call: String, _ filler: inout RunTemplateContext
    ) -> AgentEvent? {
        switch outcome {
        case .says(let value):
            .callResult(RunResult(id: runID("t_"), call: call, content: text(value, &filler)))
        case .gives(let value):
            .callResult(RunResult(id: runID("t_"), call: call, content: json(value, &filler)))
        case .parts(let value):
            .callResult(RunResult(id: runID("t_"), call: call, content: json(value, &filler), hasParts: true))
        case .fails(let value):
            .callResult(
                RunResult(id: runID("t_"), call: call, content: json(value, &filler), hasFailed: true))
        case .nothing: nil
        }
    }

    private mutating func planResult(
        of tool: Int, _ outcome: ToolOutcome, _ filler: inout RunTemplateContext, into play: inout RunPlayback
    ) {
        let name = script.tools[tool].name
        guard let call = machine.openCalls.last(where: { $0.tool == name }),
            let event = result(outcome, of: call.id, &filler)
        else { return }
        play.acts.append(.settle(event, call: call.id))
    }

    // MARK: - Waiting for the client

    private mutating func ask(
        _ asks: [ScriptedAsk], _ filler: inout RunTemplateContext, at now: Instant, _ outbox: inout [Effect]
    ) {
        for ask in asks {
            let tool = ask.tool.map { script.tools[$0].name }
            let call = machine.openCalls.last { $0.tool == tool }?.id
            let id = ask.id.map { text($0, &filler) } ?? runID("ask_")
            let message = ask.message.map { text($0, &filler) }
            machine.asks.append(
                RunAsk(
                    id: id, name: ask.name, reason: ask.reason, message: message, call: call,
                    schema: ask.schema, expires: ask.expires.map { now + $0 },
                    metadata: ask.metadata.map { json($0, &filler) }, choices: ask.choices))
            if message != nil || !ask.choices.isEmpty {
                recordQuestion(message ?? "", ask.choices, at: now, &outbox)
            }
        }
    }

    /// Records a question as a message, for clients without runs.
    private mutating func recordQuestion(
        _ text: String, _ choices: [RunChoice], at now: Instant, _ outbox: inout [Effect]
    ) {
        machine.isMuted = true
        defer { machine.isMuted = false }
        let parts = MessageParts(suggestions: choices.map { Suggestion(text: $0.text) })
        let name = runID(terms?.value.agentMessagePrefix ?? "msg_")
        if isStreaming {
            let chunk = Chunk(
                messageID: name, index: options.firstChunkIndex, isComplete: true, text: text, parts: parts)
            record(.agentChunk(chunk), at: now, &outbox)
        } else {
            record(.agentMessage(Message(id: name, text: text, parts: parts)), at: now, &outbox)
        }
    }

    private mutating func suspend() {
        guard !player.turns.isEmpty else { return }
        let rest = player.turns.removeFirst()
        let calls = machine.openCalls.filter(\.isOfClient)
        log.suspension = RunLog.Suspension(
            rest: rest, calls: calls, open: machine.openCalls, asks: machine.asks)
    }

    private mutating func abandonTurn() {
        machine.isGivenUp = false
        player.dropTurn()
    }

    // MARK: - Signs

    /// Records a thinking event for clients without runs, at most every eight seconds.
    private mutating func showSignOfThinking(at now: Instant, _ outbox: inout [Effect]) {
        if machine.openText != nil { return }
        if let since = machine.thinkingSince, now - since < .seconds(8) { return }
        record(.agentThinking, at: now, &outbox)
    }

    mutating func recordFailure(at now: Instant, _ outbox: inout [Effect]) {
        record(.notice(.error, .known(.cannotRespond, detail: nil)), at: now, &outbox)
    }

    mutating func runID(_ prefix: String) -> String { log.id(prefix) }

    // MARK: - Placeholders

    func text(_ template: Template, _ filler: inout RunTemplateContext) -> String {
        fill(template, &filler) { $0 }
    }

    func json(_ template: Template, _ filler: inout RunTemplateContext) -> String {
        fill(template, &filler) { RunTemplateContext.escaped($0) }
    }

    private func fill(
        _ template: Template, _ filler: inout RunTemplateContext, _ change: (String) -> String
    ) -> String {
        let (message, now) = (filler.turn.message, filler.now)
        var empty = filler.empty
        let text = template.filled(atMost: EngineLimits.filledBytes) { name in
            let value = value(of: name, message: message, at: now)
            if value?.isEmpty != false, !empty.contains(name) { empty.append(name) }
            return value.map(change)
        }
        filler.empty = empty
        return text
    }
}

/// Input for the placeholders of a step. Collects the names of placeholders without a value.
struct RunTemplateContext {
    let turn: Turn
    let now: Instant
    var empty: [String] = []

    /// Escapes `text` for use between the quotes of a JSON string (RFC 8259 §7).
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
