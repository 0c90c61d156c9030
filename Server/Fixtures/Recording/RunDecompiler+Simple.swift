import Clocks
import RunWire
import Texts

/// Decompiles events that become one step each, and the ends of runs.
extension RunDecompiler {
    mutating func simple(at place: Int) -> Found? {
        guard let kind = kind(place) else { return nil }
        let body = events[place].body
        let step: JSONObject
        switch kind {
        case .stepStarted(let name) where !name.isEmpty: step = ["phase": .string(name)]
        case .stepFinished(let name) where !name.isEmpty: step = ["phaseEnds": .string(name)]
        case .stateSnapshot(let value):
            let state = json(body["snapshot"] ?? .null)
            // An example cannot contain ids that differ in each thread.
            let isPlain = state == Placeholders.escaped(value)
            if isPlain {
                heard.append(
                    "state: " + String(decoding: JSONWriter.bytes(value), as: UTF8.self).prefix(40))
            }
            step = ["state": state]
        case .stateDelta(let patch) where isKnown("delta", at: place) && Self.isWritable(patch):
            step = ["patch": json(body["delta"] ?? .null)]
        case .activitySnapshot(let id, let type, _, let replace) where !id.isEmpty && !type.isEmpty:
            var activity: JSONObject = [
                "id": activityID(id), "type": .string(type), "content": json(body["content"] ?? .null),
            ]
            if let replace { activity.add("keeps", .bool(!replace)) }
            heard.append("event: " + RunEventType.activitySnapshot.rawValue)
            step = ["activity": .object(activity)]
        case .activityDelta(let id, let type, let patch)
        where !id.isEmpty && !type.isEmpty && isKnown("patch", at: place) && Self.isWritable(patch):
            step = [
                "activityPatch": .object([
                    "id": activityID(id), "type": .string(type), "patch": json(body["patch"] ?? .null),
                ])
            ]
        case .custom(let name, _) where !name.isEmpty:
            step = ["custom": .object(["name": .string(name), "value": json(body["value"] ?? .null)])]
        case .raw(_, let source):
            var raw: JSONObject = ["event": json(body["event"] ?? .null)]
            raw.add("source", source.map { .string($0) })
            step = ["raw": .object(raw)]
        case .messagesSnapshot:
            guard let snapshot = snapshot(place) else { return nil }
            guard case .own(let messages) = snapshot else {
                // Before a question, the engine sends this snapshot itself.
                return (asksNext(place) ? [] : [["messages": .bool(true)]], place + 1)
            }
            step = ["messages": json(.array(messages))]
        case .runFinished(let finish): return end(finish, body, at: place)
        case .runError(let error): return failure(error, body, at: place)
        default: return nil
        }
        return ([step], place + 1)
    }

    private static func isWritable(_ patch: [JSONPatchOperation]) -> Bool {
        patch.allSatisfy { operation in
            [operation.path, operation.from ?? ""].allSatisfy { $0.isEmpty || $0.hasPrefix("/") }
        }
    }

    /// Returns the fixture's text for an activity's id (``name(_:)``), or `id` itself if it has no such text.
    private mutating func activityID(_ id: String) -> JSONValue { .string(name(id) ?? id) }

    /// Whether an `ask` step follows the event at `place`.
    private mutating func asksNext(_ place: Int) -> Bool {
        guard case .runFinished(let finish)? = kind(place + 1), case .interrupt? = finish.outcome else {
            return false
        }
        return asks(finish, at: place + 1) != nil
    }

    /// Whether the usage has only members that the `usage` step can express.
    private func isUsageKnown(_ place: Int) -> Bool {
        let usage = events[place].body["usage"] ?? .null
        return usage == .null || isKnown("usage", at: place)
    }

    mutating func end(_ finish: RunFinish, _ body: JSONObject, at place: Int) -> Found? {
        guard place + 1 == events.count, !isAtFault, isUsageKnown(place) else { return nil }
        var steps: [JSONObject] = []
        if let result = body["result"], result != .null {
            steps.append(["returns": json(result)])
        }
        if let usage = body["usage"], usage != .null { steps.append(["usage": usage]) }
        switch finish.outcome {
        case nil: break
        case .success(let pending):
            guard pending?.isEmpty != false || isSuspended || !awaited.isEmpty else { return nil }
        case .cancelled:
            guard finish.result == nil else { return nil }
            steps.append(["cancel": .bool(true)])
        case .interrupt:
            guard let asks = asks(finish, at: place) else { return nil }
            heard += asks.indices.map { "asks: ask-\($0 + 1)" }
            steps.append(["ask": asks.count == 1 ? asks[0] : .array(asks)])
            isSuspended = true
            return (steps, place + 1)
        }
        if !isSuspended, !awaited.isEmpty {
            isSuspended = true
            let tools = awaited.map { JSONValue.string($0) }
            return (steps + [["awaits": tools.count == 1 ? tools[0] : .array(tools)]], place + 1)
        }
        // The turn waits at a call for the client, so these steps must come before that call.
        if isSuspended, !self.steps.isEmpty {
            self.steps.insert(contentsOf: steps.map { Lifted(step: $0) }, at: self.steps.count - 1)
            return ([], place + 1)
        }
        return (steps, place + 1)
    }

    mutating func failure(_ error: RunError, _ body: JSONObject, at place: Int) -> Found? {
        guard place + 1 == events.count, place > 0, !isAtFault, error.code != "", isUsageKnown(place) else {
            return nil
        }
        var steps: [JSONObject] = []
        expect("fails", error.code ?? error.message)
        if let usage = body["usage"], usage != .null { steps.append(["usage": usage]) }
        if let code = error.code {
            steps.append([
                "fail": .object(["message": Placeholders.text(error.message), "code": .string(code)])
            ])
        } else {
            steps.append(["fail": Placeholders.text(error.message)])
        }
        return (steps, place + 1)
    }

    /// Returns the interrupts at the run's end as values of an `ask` step; nil if the step could not reproduce the
    /// events.
    private mutating func asks(_ finish: RunFinish, at place: Int) -> [JSONValue]? {
        let (body, time) = (events[place].body, events[place].time)
        guard place + 1 == events.count, !isAtFault, isUsageKnown(place), body["result"] ?? .null == .null,
            case .interrupt(let interrupts)? = finish.outcome
        else { return nil }
        var asks: [JSONValue] = []
        for (number, interrupt) in interrupts.enumerated() {
            guard !interrupt.reason.isEmpty else { return nil }
            var ask: JSONObject = ["name": .string("ask-\(number + 1)")]
            ask.add("id", pin(interrupt.id))
            ask.add("message", interrupt.message.map { Placeholders.text($0) })
            ask.add("reason", .string(interrupt.reason))
            if let id = interrupt.toolCallID {
                guard let tool = open.tool(ofLast: id) else { return nil }
                ask.add("tool", .string(tool))
            }
            if let schema = interrupt.responseSchema { ask.add("schema", .object(schema)) }
            if let expiry = interrupt.expiresAt {
                ask.add("expires", Self.length(Self.patience(expiry, time)))
            }
            ask.add("metadata", interrupt.metadata.map { json(.object($0)) })
            asks.append(.object(ask))
        }
        return asks
    }

    /// Returns the time until the interrupt expires, or one hour if that is not known.
    private static func patience(_ expiry: String, _ time: Interval?) -> Interval {
        guard let time, let end = TimeStamp.parse(expiry) else { return .hours(1) }
        let left = Interval(nanoseconds: end) - time + .milliseconds(500)
        return max(left - .nanoseconds(left.nanoseconds % 1_000_000_000), .seconds(1))
    }
}
