import Clocks
import ConversationEngine
import DialectKit
import RunWire
import Texts

struct RunEventEncoder: Sendable {
    /// Ids in the first scripted `RUN_STARTED` or `RUN_FINISHED`.
    private var written: (thread: String, run: String)?
    /// Names of active subagents by id, for versions without subagents.
    private var subagents: [String: String] = [:]
    /// Ids of the active subagents.
    private var atWork: [String] = []
    private var legacy = LegacyShape()
    private var thinking = RunExpander(profile: .v1)
    private var deltas = DeltaText()
    /// The outcome with which a replay ends: the thread's pending calls or interrupts.
    private var left: RunFinish.Outcome?

    /// Returns the deferred encoding of a long event, or nil.
    mutating func later(_ entry: RunEntry, of run: RunInfo, _ log: RunLog?) -> DeferredMessages? {
        let bytes: Int
        switch entry.event {
        case .started: bytes = run.input?.byteCount ?? 0
        case .messages, .stateTarget: bytes = log?.sentBytes ?? 0
        default: return nil
        }
        // For the oldest clients, the event must wait until the open text or tool call has ended.
        guard bytes > AGUILimits.shortBytes, !legacy.isInside else { return nil }
        if run.words == .replay, entry.event == .messages { left = Self.leftOpen(log) }
        let encoder = self
        return DeferredMessages(from: bytes) {
            var encoder = encoder
            if case .messages = entry.event, let kept = log.flatMap(KeptThread.init) {
                return encoder.encode(kept, entry, of: run)
            }
            var messages = EncodedMessages()
            encoder.encode(entry, of: run, log, into: &messages)
            return messages.messages
        }
    }

    mutating func encode(
        _ entry: RunEntry, of run: RunInfo, _ log: RunLog?, into messages: inout EncodedMessages
    ) {
        let profile = RunProfile(of: run)
        if profile != .legacy, atWork.isEmpty {
            let stamp = run.stamps ? Self.stamp(entry) : nil
            if let (type, id, delta) = entry.event.delta {
                return messages.append(type.rawValue) {
                    deltas.write(type, of: id, delta, timestamp: stamp, into: &$0)
                }
            }
            // The same for all these versions, so without the lists below: 13,000 of the 613,000 instructions of a run.
            if entry.event.isTextBoundary, let kind = Self.kind(of: entry.event) {
                let event = RunEvent(kind, timestamp: stamp)
                return messages.append(event.type) { EventStreamWriter.event(event, into: &$0) }
            }
            // The oldest of these versions needs no change either: the first event comes 4,000 instructions earlier.
            if profile == .v0, case .started = entry.event {
                var event = Self.start(of: run)
                event.timestamp = stamp
                return messages.append(event.type) { EventStreamWriter.event(event, into: &$0) }
            }
        }
        if case .written(let text, isUnchecked: true) = entry.event {
            let type = (try? JSONReader.read(Array(text.utf8)))?["type"]?.string
            return messages.append(type ?? "event") { EventStreamWriter.event(into: &$0) { $0 += text.utf8 } }
        }
        for event in shaped(events(entry, of: run, log), entry, of: run) {
            messages.append(event.type) { EventStreamWriter.event(event, into: &$0) }
        }
    }

    private mutating func encode(_ kept: KeptThread, _ entry: RunEntry, of run: RunInfo) -> [RenderedMessage]
    {
        shaped(kept.snapshots(isWhole: run.words == .replay), entry, of: run).map {
            RenderedMessage(type: $0.type, text: kept.text(of: $0))
        }
    }

    private mutating func shaped(_ events: [RunEvent], _ entry: RunEntry, of run: RunInfo) -> [RunEvent] {
        let profile = RunProfile(of: run)
        var events = events.flatMap { adapted($0, to: profile) }
        if run.stamps {
            for place in events.indices { events[place].timestamp = Self.stamp(entry) }
        }
        return profile == .legacy ? events.flatMap { legacy.shaped($0) } : events
    }

    /// Returns the event-stream text of a run that consists of snapshots of the whole thread.
    static func retelling(
        _ request: RunRequest, _ log: RunLog?, isOver: Bool, as profile: RunProfile
    ) -> [UInt8] {
        var encoder = RunEventEncoder()
        let start = RunStart(threadID: request.thread, runID: request.run, parentRunID: request.parent)
        let finish = RunFinish(
            threadID: request.thread, runID: request.run, outcome: isOver ? nil : leftOpen(log))
        let kept = log.flatMap(KeptThread.init)
        let events =
            [RunEvent(.runStarted(start))]
            + (kept?.snapshots(isWhole: true) ?? snapshots(log, isWhole: true))
            + [RunEvent(.runFinished(finish))]
        var bytes: [UInt8] = []
        for event in events.flatMap({ encoder.adapted($0, to: profile) }) {
            for event in profile == .legacy ? encoder.legacy.shaped(event) : [event] {
                if let kept {
                    bytes += kept.text(of: event)
                } else {
                    EventStreamWriter.event(event, into: &bytes)
                }
            }
        }
        return bytes
    }

    private static func stamp(_ entry: RunEntry) -> Int64 { entry.time.nanoseconds / 1_000_000 }

    /// Returns an entry's events for version 1.
    mutating func events(_ entry: RunEntry, of run: RunInfo, _ log: RunLog?) -> [RunEvent] {
        guard case .written(let text, let isUnchecked) = entry.event else {
            if run.words == .replay, entry.event == .messages { left = Self.leftOpen(log) }
            return ofSubagents(entry.event)
                ?? Self.events(entry, of: run, log).map { finished(owned($0), run) }
        }
        guard var event = try? RunEventReader.read(Array(text.utf8)) else { return [] }
        if !isUnchecked { adopt(&event, run) }
        return [event]
    }

    private func finished(_ event: RunEvent, _ run: RunInfo) -> RunEvent {
        guard run.words == .replay, case .runFinished(var finish) = event.kind, finish.outcome == nil else {
            return event
        }
        finish.outcome = left
        return RunEvent(.runFinished(finish))
    }

    /// Returns the thread's pending calls or interrupts.
    private static func leftOpen(_ log: RunLog?) -> RunFinish.Outcome? {
        guard let log else { return nil }
        if let waiting = outcome(log.leftOpen) { return waiting }
        guard let run = log.runs.last, run.hasEnded else { return nil }
        for entry in run.entries.reversed() {
            guard case .written(let text, isUnchecked: false) = entry.event, text.holds("RUN_FINISHED"),
                case .runFinished(let end)? = (try? RunEventReader.read(Array(text.utf8)))?.kind
            else { continue }
            return end.outcome == .cancelled ? nil : end.outcome
        }
        return nil
    }

    // MARK: - Subagents

    private mutating func ofSubagents(_ event: AgentEvent) -> [RunEvent]? {
        switch event {
        case .subagentStarted(let subagent):
            atWork.append(subagent.id)
            return [
                RunEvent(
                    .subagentStarted(
                        SubagentStart(
                            id: subagent.id, name: subagent.name, description: subagent.about,
                            parentSubagentRunID: subagent.parent)))
            ]
        case .subagentEnded(let id, let result, let error, let asks):
            atWork.removeAll { $0 == id }
            guard let error else {
                let outcome = asks.map { SubagentOutcome.suspended(interruptIDs: $0.isEmpty ? nil : $0) }
                return [RunEvent(.subagentFinished(id: id, result: result.map(Self.json), outcome: outcome))]
            }
            return [RunEvent(.subagentError(id: id, message: error, code: nil))]
        default: return nil
        }
    }

    /// Adds the speaking subagent's id, if the event may have one.
    private func owned(_ event: RunEvent) -> RunEvent {
        switch event.kind {
        case .runStarted, .runFinished, .runError, .messagesSnapshot: return event
        default:
            var event = event
            event.subagentRunID = atWork.last
            return event
        }
    }

    // MARK: - Occurrences

    private static func events(_ entry: RunEntry, of run: RunInfo, _ log: RunLog?) -> [RunEvent] {
        switch entry.event {
        case .started: return [start(of: run)]
        case .finished(let end): return finish(end, of: run)
        case .failed(let failure):
            return [
                RunEvent(
                    .runError(
                        RunError(message: failure.message, code: failure.code, usage: usage(failure.usage))))
            ]
        case .messages: return snapshots(log, isWhole: run.words == .replay)
        case .runMessages(let own):
            let before = RunThread(log?.asItWas(in: run.number, at: 0)).messages
            return [RunEvent(.messagesSnapshot(before + RunThread.messages(own)))]
        case .stateTarget(let value):
            let target = json(value)
            guard let log else { return [RunEvent(.stateSnapshot(target))] }
            return [RunEvent(.stateDelta(JSONPatch.difference(from: RunThread(log).state, to: target)))]
        case .callStarted(let call): return [started(call)]
        case .callResult(let result): return [answered(result)]
        default: return kind(of: entry.event).map { [RunEvent($0)] } ?? []
        }
    }

    private static func start(of run: RunInfo) -> RunEvent {
        var start = RunStart(threadID: run.thread, runID: run.id, parentRunID: run.parent)
        if let input = run.input {
            start.input = try? RunInput(reading: input.whole, maxBytes: AGUILimits.inputBytes)
        }
        return RunEvent(.runStarted(start), metadata: run.manners.metadata.flatMap { json($0).object })
    }

    private static func kind(of event: AgentEvent) -> RunEvent.Kind? {
        switch event {
        case .stepStarted(let name): .stepStarted(name: name)
        case .stepFinished(let name): .stepFinished(name: name)
        case .textStarted(let id, let role, let name):
            .textStart(id: id, role: MessageRole(rawValue: role), name: name)
        case .textDelta(let id, let delta): .textContent(id: id, delta: delta)
        case .textEnded(let id): .textEnd(id: id)
        case .callDelta(let id, let delta): .toolArguments(id: id, delta: delta)
        case .callEnded(let id): .toolEnd(id: id)
        case .reasoningStarted(let id): .reasoningStart(id: id)
        case .reasoningTextStarted(let id): .reasoningMessageStart(id: id)
        case .reasoningDelta(let id, let delta): .reasoningContent(id: id, delta: delta)
        case .reasoningTextEnded(let id): .reasoningMessageEnd(id: id)
        case .reasoningEnded(let id): .reasoningEnd(id: id)
        case .sealed(let entity, let ofCall, let value):
            .reasoningEncrypted(subtype: ofCall ? .toolCall : .message, entityID: entity, value: value)
        case .state(let value): .stateSnapshot(json(value))
        case .stateChanged(let patch): read(["type": .string("STATE_DELTA"), "delta": json(patch)])
        case .activity(let id, let type, let content, let replaces):
            .activitySnapshot(
                id: id, type: type, content: json(content).object ?? JSONObject(),
                replace: replaces)
        case .activityChanged(let id, let type, let patch):
            read([
                "type": .string("ACTIVITY_DELTA"), "messageId": .string(id), "activityType": .string(type),
                "patch": json(patch),
            ])
        case .card(let id, _, let value, _):
            .custom(name: "mock.card", value: .object(["cardId": .string(id), "card": json(value)]))
        case .suggestions(_, let suggestions):
            .custom(
                name: "mock.suggestions",
                value: .object(["items": .array(suggestions.map { .string($0.text) })]))
        case .custom(let name, let value): .custom(name: name, value: json(value))
        case .raw(let value, let source): .raw(event: json(value), source: source)
        case .started, .callStarted, .callResult, .messages, .runMessages, .stateTarget, .subagentStarted,
            .subagentEnded, .written, .finished, .failed:
            nil
        }
    }

    private static func json(_ text: String) -> JSONValue {
        (try? JSONReader.read(Array(text.utf8))) ?? .string(text)
    }

    private static func read(_ object: JSONObject) -> RunEvent.Kind? {
        (try? RunEventReader.read(.object(object)))?.kind
    }

    private static func started(_ call: RunCall) -> RunEvent {
        var shown = JSONObject()
        if let title = call.title { shown.members.append(.init("mock.displayName", .string(title))) }
        if let label = call.label { shown.members.append(.init("mock.executionText", .string(label))) }
        return RunEvent(
            .toolStart(id: call.id, name: call.tool, parentMessageID: call.owner),
            metadata: shown.members.isEmpty ? nil : shown)
    }

    private static func answered(_ result: RunResult) -> RunEvent {
        let object: JSONObject = [
            "type": .string("TOOL_CALL_RESULT"), "messageId": .string(result.id),
            "toolCallId": .string(result.call),
            "content": result.hasParts ? json(result.content) : .string(result.content),
            "role": .string("tool"),
        ]
        let kind =
            read(object)
            ?? .toolResult(
                RunToolResult(messageID: result.id, toolCallID: result.call, content: .text(result.content)))
        return RunEvent(kind, metadata: result.hasFailed ? ["mock.toolStatus": .string("failed")] : nil)
    }

    private static func finish(_ end: RunEnd, of run: RunInfo) -> [RunEvent] {
        if case .cut = end.outcome { return [] }
        let finish = RunFinish(
            threadID: run.thread, runID: run.id, result: end.result.map(json), outcome: outcome(end.outcome),
            usage: usage(end.usage))
        return [RunEvent(.runFinished(finish))]
    }

    private static func outcome(_ outcome: RunEnd.Outcome) -> RunFinish.Outcome? {
        switch outcome {
        case .cut: nil
        case .done(let pending): pending.isEmpty ? nil : .success(pendingToolCallIDs: pending)
        case .cancelled: .cancelled
        case .asks(let asks):
            .interrupt(
                asks.map { ask in
                    RunInterrupt(
                        id: ask.id, reason: ask.reason, message: ask.message, toolCallID: ask.call,
                        responseSchema: ask.schema.flatMap { json($0).object },
                        expiresAt: ask.expires.map { TimeStamp.text(nanoseconds: $0.nanoseconds) },
                        metadata: ask.metadata.flatMap { json($0).object })
                })
        }
    }

    private static func usage(_ text: String?) -> [TokenUsage]? {
        guard let text else { return nil }
        let event = read(["type": .string("RUN_ERROR"), "message": .string(""), "usage": json(text)])
        if case .runError(let error)? = event { return error.usage }
        return nil
    }

    // MARK: - Scripted events

    /// Replaces the ids in a scripted event by those of the request.
    private mutating func adopt(_ event: inout RunEvent, _ run: RunInfo) {
        switch event.kind {
        case .runStarted(var start):
            if written == nil { written = (start.threadID, start.runID) }
            start.threadID = adopted(start.threadID, run)
            start.runID = adopted(start.runID, run)
            start.parentRunID = start.parentRunID.map { adopted($0, run) } ?? run.parent
            start.input?.threadID = start.threadID
            start.input?.runID = start.runID
            event.kind = .runStarted(start)
        case .runFinished(var finish):
            if written == nil { written = (finish.threadID, finish.runID) }
            finish.threadID = adopted(finish.threadID, run)
            finish.runID = adopted(finish.runID, run)
            event.kind = .runFinished(finish)
        default: break
        }
    }

    private func adopted(_ id: String, _ run: RunInfo) -> String {
        guard let written else { return id }
        return id == written.thread ? run.thread : id == written.run ? run.id : id
    }

    // MARK: - Profiles

    /// Converts an event for the client's version.
    private mutating func adapted(_ event: RunEvent, to profile: RunProfile) -> [RunEvent] {
        var event = event
        if profile == .v1 {
            if case .runStarted(var start) = event.kind {
                start.protocolVersion = RunProfile.version
                event.kind = .runStarted(start)
            }
            switch event.kind {
            // Version 1 has reasoning events instead of thinking events.
            case .runStarted, .thinkingStart, .thinkingEnd, .thinkingTextStart, .thinkingTextContent,
                .thinkingTextEnd:
                return (try? thinking.expand(event)) ?? []
            default: return [event]
            }
        }
        event.subagentRunID = nil
        switch event.kind {
        case .runStarted(var start):
            start.protocolVersion = nil
            event.kind = .runStarted(start)
        case .runFinished(var finish):
            switch finish.outcome {
            case .success(let pending) where pending != nil: finish.outcome = nil
            case .cancelled:
                event.kind = .runError(
                    RunError(message: "The run was cancelled.", code: "cancelled", usage: finish.usage))
                return adapted(event, to: profile)
            default: break
            }
            finish.usage = Self.adapted(finish.usage)
            event.kind = .runFinished(finish)
        case .runError(var error):
            error.usage = Self.adapted(error.usage)
            event.kind = .runError(error)
        case .messagesSnapshot(let messages): event.kind = .messagesSnapshot(messages.map(Self.adapted))
        case .toolResult(var result):
            result.content = .text(Self.flat(result.content))
            event.kind = .toolResult(result)
        case .subagentStarted(let start):
            subagents[start.id] = start.name
            event.kind = .stepStarted(name: start.name)
        case .subagentFinished(let id, _, _), .subagentError(let id, _, _):
            event.kind = .stepFinished(name: subagents.removeValue(forKey: id) ?? id)
        default: break
        }
        return [event]
    }

    private static func adapted(_ usage: [TokenUsage]?) -> [TokenUsage]? {
        usage?.map { usage in
            var usage = usage
            usage.cacheWriteInputTokens = nil
            return usage
        }
    }

    private static func adapted(_ message: RunMessage) -> RunMessage {
        var message = message
        message.subagentRunID = nil
        if message.role == .tool { message.content = message.content.map { .text(flat($0)) } }
        return message
    }

    /// Returns content as plain text.
    private static func flat(_ content: RunContent) -> String {
        guard case .parts(let parts) = content else { return content.text }
        return parts.map { part in
            switch part.source {
            case nil: part.text ?? ""
            case .url(let address, _)?: "\(part.kind.rawValue): \(address)"
            case .file(let name, _, _)?: "\(part.kind.rawValue): \(name)"
            case .data(_, let type)?: "\(part.kind.rawValue): \(type)"
            }
        }.joined(separator: "\n")
    }

    private static func snapshots(_ log: RunLog?, isWhole: Bool) -> [RunEvent] {
        let thread = RunThread(log)
        return [RunEvent(.messagesSnapshot(thread.messages))]
            + (isWhole ? [RunEvent(.stateSnapshot(thread.state))] : [])
    }
}

extension AgentEvent {
    fileprivate var isTextBoundary: Bool {
        switch self {
        case .textStarted, .textEnded: true
        default: false
        }
    }

    fileprivate var delta: (type: RunEventType, id: String, delta: String)? {
        switch self {
        case .textDelta(let id, let delta): (.textContent, id, delta)
        case .callDelta(let id, let delta): (.toolArguments, id, delta)
        case .reasoningDelta(let id, let delta): (.reasoningContent, id, delta)
        default: nil
        }
    }
}
