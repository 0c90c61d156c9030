package import Texts

/// Warning about an event, or a part of it, that could not be applied.
public enum ReducerWarning: Sendable, Equatable {
    /// A JSON Patch failed. None of its operations was applied.
    case patchFailed(path: String)
    /// The thread has no such message.
    case unknownMessage(MessageID)
    /// The thread has no such tool call.
    case unknownToolCall(ToolCallID)
    /// The type of the event is unknown.
    case unknownEvent(String)
}

/// Messages and state of a thread, changed by events in long form (``RunExpander``).
package struct RunReducer: Sendable {
    package enum Phase: Equatable, Sendable {
        case idle
        case running
        case finished(RunFinish)
        case failed(RunError)
    }

    package private(set) var messages: [RunMessage]
    package private(set) var state: JSONValue
    package private(set) var phase = Phase.idle
    package private(set) var threadID = ""
    package private(set) var runID = ""
    package private(set) var openSteps: [String] = []
    package var openTexts: [String] { texts.list }
    package var openCalls: [String] { started.list }
    /// Ids of this run's tool calls that have no result yet.
    package private(set) var pendingCalls: [String] {
        get { pending.list }
        set { pending = OrderedIDs(newValue) }
    }
    /// Ids of the assistant messages that this run has started or extended.
    package var runTexts: [String] { spoken.list }
    package private(set) var interrupts: [RunInterrupt] = []
    /// Earlier value of ``interrupts``, which is restored if a request fails before its run starts.
    private var askedBefore: [RunInterrupt] = []

    private var texts = OrderedIDs()
    private var started = OrderedIDs()
    private var pending = OrderedIDs()
    private var spoken = OrderedIDs()
    private var places: [String: Int] = [:]
    private var owners: [String: (message: String, index: Int)] = [:]

    package init(messages: [RunMessage] = [], state: JSONValue = .object([:])) {
        self.messages = messages
        self.state = state
        reindex()
    }

    package func message(_ id: String) -> RunMessage? { places[id].map { messages[$0] } }

    package func call(_ id: String) -> RunToolCall? {
        guard let owner = owners[id], let calls = places[owner.message].flatMap({ messages[$0].toolCalls }),
            owner.index < calls.count
        else { return nil }
        return calls[owner.index]
    }

    package mutating func append(_ message: RunMessage) {
        places[message.id] = messages.count
        messages.append(message)
        own(message)
    }

    /// Removes the last message if it has this id and is a user's. Otherwise returns false.
    package mutating func removeLast(_ id: String) -> Bool {
        guard let last = messages.last, last.id == id, last.role == .user else { return false }
        messages.removeLast()
        places[id] = nil
        return true
    }

    private mutating func own(_ message: RunMessage) {
        for (index, call) in (message.toolCalls ?? []).enumerated() { owners[call.id] = (message.id, index) }
    }

    package mutating func expect(threadID: String, runID: String) {
        (self.threadID, self.runID, phase) = (threadID, runID, .idle)
        askedBefore = interrupts
        (openSteps, interrupts) = ([], [])
        (texts, started, pending, spoken) = (OrderedIDs(), OrderedIDs(), OrderedIDs(), OrderedIDs())
    }

    /// Restores the earlier interrupts after a request that failed before its run started.
    package mutating func giveUp(runID: String) {
        guard phase == .idle, self.runID == runID else { return }
        (interrupts, askedBefore) = (askedBefore, [])
    }

    /// Replaces the message of the same id. Otherwise inserts a tool message after the message with its call and the
    /// tool messages that follow there. If the call is unknown, appends the message and returns false.
    @discardableResult
    package mutating func answer(_ message: RunMessage) -> Bool {
        let call = message.toolCallID ?? ""
        pending.remove(call)
        if let place = places[message.id] {
            messages[place] = message
            return true
        }
        guard let owner = owners[call].flatMap({ places[$0.message] }) else {
            append(message)
            return false
        }
        // Fast path for tool messages that arrive in order, which is usual.
        if let last = messages.last, last.role == .tool, let other = last.toolCallID,
            owners[other]?.message == owners[call]?.message
        {
            append(message)
            return true
        }
        var place = owner + 1
        while place < messages.count, messages[place].role == .tool { place += 1 }
        guard place < messages.count else {
            append(message)
            return true
        }
        messages.insert(message, at: place)
        reindex()
        return true
    }

    package mutating func apply(_ event: RunEvent) -> [ReducerWarning] {
        switch event.kind {
        case .textContent(let id, let delta): return append(delta, to: id, event)
        case .toolArguments(let id, let delta):
            return changeCall(id) { call in
                call.arguments += delta
                call.metadata = Self.merged(call.metadata, event.metadata)
            }
        case .reasoningContent(let id, let delta): return append(delta, to: id, event)
        case .textStart(let id, let role, let name): startText(id, role ?? .assistant, name, event)
        case .textEnd(let id):
            texts.remove(id)
            return change(id, event) { _ in }
        case .toolStart(let id, let name, let parent): startCall(id, name, parent, event)
        case .toolEnd(let id):
            started.remove(id)
            return changeCall(id) { $0.metadata = Self.merged($0.metadata, event.metadata) }
        case .toolResult(let result): return apply(result, event)
        case .reasoningMessageStart(let id, _): startText(id, .reasoning, nil, event)
        case .reasoningMessageEnd(let id): return change(id, event) { _ in }
        case .reasoningEncrypted(let subtype, let id, let value):
            switch subtype {
            case .message: return change(id, event) { $0.encryptedValue = value }
            case .toolCall: return changeCall(id) { $0.encryptedValue = value }
            }
        case .stateSnapshot(let snapshot): state = snapshot
        case .stateDelta(let patch): return Self.patch(&state, patch)
        case .messagesSnapshot(let snapshot): merge(snapshot)
        case .activitySnapshot(let id, let type, let content, let replace):
            showActivity(id, type, content, replace: replace ?? true, event)
        case .activityDelta(let id, _, let patch): return patchActivity(id, patch, event)
        case .stepStarted(let name): openSteps.append(name)
        case .stepFinished(let name): openSteps.removeAll { $0 == name }
        case .runStarted(let start): begin(start)
        case .runFinished(let finish):
            phase = .finished(finish)
            switch finish.outcome {
            case .interrupt(let asked): interrupts = asked
            // When a thread is replayed, the run's last event lists the pending calls.
            case .success(let waiting): for id in waiting ?? [] where call(id) != nil { pending.insert(id) }
            case .cancelled, nil: break
            }
        case .runError(let error): phase = .failed(error)
        case .unknown(let type, _): return [.unknownEvent(type)]
        case .reasoningStart, .reasoningEnd, .raw, .custom, .subagentStarted, .subagentFinished,
            .subagentError:
            break
        case .textChunk, .toolChunk, .reasoningChunk, .thinkingStart, .thinkingEnd, .thinkingTextStart,
            .thinkingTextContent, .thinkingTextEnd:
            // `RunExpander` has already replaced these events.
            break
        }
        return []
    }

    // MARK: - Runs

    private mutating func begin(_ start: RunStart) {
        expect(threadID: start.threadID, runID: start.runID)
        phase = .running
        for message in start.input?.messages ?? [] where places[message.id] == nil { append(message) }
    }

    // MARK: - Messages

    private mutating func startText(_ id: String, _ role: MessageRole, _ name: String?, _ event: RunEvent) {
        if role != .reasoning {
            texts.insert(id)
            if role == .assistant { spoken.insert(id) }
        }
        guard let place = places[id] else {
            return append(
                RunMessage(
                    id: id, role: role, content: .text(""), name: name, metadata: event.metadata,
                    subagentRunID: event.subagentRunID))
        }
        if messages[place].content == nil { messages[place].content = .text("") }
        messages[place].metadata = Self.merged(messages[place].metadata, event.metadata)
    }

    private mutating func append(_ delta: String, to id: String, _ event: RunEvent) -> [ReducerWarning] {
        change(id, event) { message in
            // The text is moved out of the message first. With two references, the append would copy it.
            guard case .text(var text)? = message.content else {
                if message.content == nil { message.content = .text(delta) }
                return
            }
            message.content = nil
            text += delta
            message.content = .text(text)
        }
    }

    private mutating func change(
        _ id: String, _ event: RunEvent, _ body: (inout RunMessage) -> Void
    ) -> [ReducerWarning] {
        guard let place = places[id] else { return [.unknownMessage(MessageID(rawValue: id))] }
        body(&messages[place])
        if event.metadata != nil {
            messages[place].metadata = Self.merged(messages[place].metadata, event.metadata)
        }
        return []
    }

    /// Replaces the messages by those of a snapshot. Known ids keep their order, new ids follow. Activities are kept if
    /// the snapshot has none. The same applies to reasoning.
    private mutating func merge(_ snapshot: [RunMessage]) {
        let new = Dictionary(snapshot.map { ($0.id, $0) }) { $1 }
        let roles = Set(snapshot.map(\.role))
        var merged: [RunMessage] = []
        for message in messages {
            if let other = new[message.id] {
                merged.append(other)
            } else if message.role == .activity || message.role == .reasoning,
                !roles.contains(message.role)
            {
                merged.append(message)
            }
        }
        var known = Set(messages.map(\.id))
        for message in snapshot where known.insert(message.id).inserted {
            merged.append(new[message.id] ?? message)
        }
        messages = merged
        reindex()
    }

    private mutating func reindex() {
        places = [:]
        owners = [:]
        for (place, message) in messages.enumerated() {
            places[message.id] = place
            own(message)
        }
    }

    // MARK: - Tools

    private mutating func startCall(_ id: String, _ name: String, _ parent: String?, _ event: RunEvent) {
        started.insert(id)
        pending.insert(id)
        var owner = parent ?? id
        if let place = places[owner], messages[place].role != .assistant { owner = id }
        if places[owner] == nil {
            append(RunMessage(id: owner, role: .assistant, subagentRunID: event.subagentRunID))
        }
        spoken.insert(owner)
        guard let place = places[owner], owners[id]?.message != owner else { return }
        var calls = messages[place].toolCalls ?? []
        messages[place].toolCalls = nil
        owners[id] = (owner, calls.count)
        calls.append(RunToolCall(id: id, name: name, arguments: "", metadata: event.metadata))
        messages[place].toolCalls = calls
    }

    private mutating func changeCall(_ id: String, _ body: (inout RunToolCall) -> Void) -> [ReducerWarning] {
        guard let owner = owners[id], let place = places[owner.message],
            var calls = messages[place].toolCalls, owner.index < calls.count
        else { return [.unknownToolCall(ToolCallID(rawValue: id))] }
        messages[place].toolCalls = nil
        body(&calls[owner.index])
        messages[place].toolCalls = calls
        return []
    }

    private mutating func apply(_ result: RunToolResult, _ event: RunEvent) -> [ReducerWarning] {
        let message = RunMessage(
            id: result.messageID, role: .tool, content: result.content, toolCallID: result.toolCallID,
            metadata: event.metadata, subagentRunID: event.subagentRunID)
        return answer(message) ? [] : [.unknownToolCall(ToolCallID(rawValue: result.toolCallID))]
    }

    // MARK: - Activities and state

    private mutating func showActivity(
        _ id: String, _ type: String, _ content: JSONObject, replace: Bool, _ event: RunEvent
    ) {
        let activity = RunMessage.Activity(type: type, content: .object(content))
        guard let place = places[id] else {
            return append(
                RunMessage(
                    id: id, role: .activity, activity: activity, metadata: event.metadata,
                    subagentRunID: event.subagentRunID))
        }
        if replace { messages[place].activity = activity }
        messages[place].metadata = Self.merged(messages[place].metadata, event.metadata)
    }

    private mutating func patchActivity(
        _ id: String, _ patch: [JSONPatchOperation], _ event: RunEvent
    ) -> [ReducerWarning] {
        guard let place = places[id], var activity = messages[place].activity else {
            return [.unknownMessage(MessageID(rawValue: id))]
        }
        messages[place].activity = nil
        let warnings = Self.patch(&activity.content, patch)
        messages[place].activity = activity
        messages[place].metadata = Self.merged(messages[place].metadata, event.metadata)
        return warnings
    }

    private static func patch(
        _ document: inout JSONValue, _ operations: [JSONPatchOperation]
    ) -> [ReducerWarning] {
        do throws(JSONPatchError) {
            document = try JSONPatch.apply(operations, to: document)
            return []
        } catch {
            return [.patchFailed(path: error.path)]
        }
    }

    /// Merges metadata by key.
    private static func merged(_ old: JSONObject?, _ new: JSONObject?) -> JSONObject? {
        guard let new else { return old }
        guard var result = old else { return new }
        for member in new.members {
            if let index = result.members.firstIndex(where: { $0.name == member.name }) {
                result.members[index].value = member.value
            } else {
                result.members.append(member)
            }
        }
        return result
    }
}

/// Ordered set of ids. Insertion and removal take constant time on average.
struct OrderedIDs: Sendable {
    private var ids: [String?] = []
    private var places: [String: Int] = [:]

    init(_ ids: [String] = []) {
        for id in ids { insert(id) }
    }

    var list: [String] { ids.compactMap { $0 } }

    func contains(_ id: String) -> Bool { places[id] != nil }

    mutating func insert(_ id: String) {
        guard places[id] == nil else { return }
        places[id] = ids.count
        ids.append(id)
    }

    mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id) else { return }
        ids[place] = nil
        // Compacted only when many places are empty, so that a removal takes constant time on average.
        guard ids.count > 2 * places.count + 16 else { return }
        ids = ids.filter { $0 != nil }
        for (place, id) in ids.enumerated() { if let id { places[id] = place } }
    }
}
