import Clocks
import RunWire
import Texts

extension RunDecompiler {
    /// Calls without a result.
    struct OpenCalls {
        private var tools: [String: String] = [:]
        private var calls: [String: [String]] = [:]

        mutating func append(_ id: String, of tool: String) {
            tools[id] = tool
            calls[tool, default: []].append(id)
        }

        func tool(ofLast id: String) -> String? { tools[id].flatMap { calls[$0]?.last == id ? $0 : nil } }

        mutating func removeLast(of tool: String) {
            if let id = calls[tool]?.popLast() { tools[id] = nil }
        }
    }

    struct Call {
        var id: String
        var tool: SeenTool
        var parent: String?
        var start: Int
        var pieces: [String] = []
        var end: Int?
        var result: Int?
        var isAwaitedLater = false
    }

    /// Decompiles one or several calls, with the results that follow directly.
    mutating func calls(at place: Int) -> Found? {
        guard let read = readCalls(at: place) else { return nil }
        var (calls, next, isInterleaved) = read
        var order: [Int] = []
        while let result = result(at: next), isNew(result.messageID),
            let index = calls.firstIndex(where: { $0.id == result.toolCallID && $0.result == nil })
        {
            calls[index].result = next
            order.append(index)
            next += 1
        }
        let isLast = next + 1 == events.count
        var late: [String] = []
        // If the run ends without results, only the client can send them.
        for index in calls.indices where isForClient(calls[index], from: next) {
            let name = calls[index].tool.name
            calls[index].tool.isOfClient = known(name)?.isOfClient ?? true
            if !isLast || !calls[index].tool.isOfClient {
                calls[index].isAwaitedLater = true
                late.append(name)
            }
        }
        let known = tools.count
        guard calls.allSatisfy({ declare($0.tool) }), let steps = steps(of: calls, order, isInterleaved)
        else {
            forgetTools(after: known)
            return nil
        }
        for call in calls {
            expect("tool", call.tool.name)
            if call.result == nil { open.append(call.id, of: call.tool.name) }
            if call.tool.isOfClient, !call.isAwaitedLater { isSuspended = true }
        }
        awaited += late
        if !order.isEmpty { owner = nil }
        return ([steps], next)
    }

    /// Whether the run ends in success, and has no text, no reasoning and no result of the call from `place` on.
    private func isForClient(_ call: Call, from place: Int) -> Bool {
        guard call.result == nil, case .runFinished(let finish)? = events.last?.event.kind,
            Self.isSuccess(finish)
        else { return false }
        return events[place...].allSatisfy { event in
            switch event.event.kind {
            case .textStart, .textContent, .reasoningStart, .reasoningMessageStart: false
            case .toolResult(let result): result.toolCallID != call.id
            default: true
            }
        }
    }

    static func isSuccess(_ finish: RunFinish) -> Bool {
        switch finish.outcome {
        case nil, .success: true
        case .interrupt, .cancelled: false
        }
    }

    /// Reads calls that follow one another, or that are interleaved.
    func readCalls(at place: Int) -> (calls: [Call], next: Int, isInterleaved: Bool)? {
        var calls: [Call] = []
        var next = place
        while calls.count < FixtureLimits.recordedTogether, let call = start(at: next) {
            // Either all calls of a step have the same parent message, or none has one.
            if let first = calls.first, first.parent != call.parent { break }
            guard !calls.contains(where: { $0.id == call.id }) else { return nil }
            calls.append(call)
            next += 1
            if calls.count == 1 || calls[calls.count - 2].end != nil {
                let begun = next
                finish(&calls, &next)
                // A call without fragments and without an end can only be read if it is interleaved with the next call.
                if calls[calls.count - 1].end == nil, next == begun, start(at: next) == nil { return nil }
            }
        }
        guard !calls.isEmpty else { return nil }
        if calls.allSatisfy({ $0.end != nil }) { return (calls, next, false) }
        return interleaved(at: place)
    }

    func finish(_ calls: inout [Call], _ next: inout Int) {
        let (last, id) = (calls.count - 1, calls[calls.count - 1].id)
        while case .toolArguments(id, let delta)? = kind(next), !delta.isEmpty {
            calls[last].pieces.append(delta)
            next += 1
        }
        guard kind(next) == .toolEnd(id: id) else { return }
        calls[last].end = next
        next += 1
    }

    /// Reads interleaved calls in the order of a `together` step: all starts, fragments in turn, all ends.
    func interleaved(at place: Int) -> (calls: [Call], next: Int, isInterleaved: Bool)? {
        var calls: [Call] = []
        var next = place
        while calls.count < FixtureLimits.recordedTogether, let call = start(at: next),
            calls.first.map({ $0.parent == call.parent }) ?? true
        {
            calls.append(call)
            next += 1
        }
        while case .toolArguments(let id, let delta)? = kind(next), !delta.isEmpty,
            let index = calls.firstIndex(where: { $0.id == id })
        {
            calls[index].pieces.append(delta)
            next += 1
        }
        var found: [(id: String, piece: String)] = []
        var (left, number) = (calls.filter { !$0.pieces.isEmpty }, 0)
        while !left.isEmpty {
            found += left.map { ($0.id, $0.pieces[number]) }
            number += 1
            left.removeAll { $0.pieces.count == number }
        }
        let fragments = place + calls.count..<next
        for (event, found) in zip(events[fragments], found) {
            guard event.event.kind == .toolArguments(id: found.id, delta: found.piece) else { return nil }
        }
        for index in calls.indices {
            guard kind(next) == .toolEnd(id: calls[index].id) else { return nil }
            calls[index].end = next
            next += 1
        }
        return calls.count > 1 ? (calls, next, true) : nil
    }

    func start(at place: Int) -> Call? {
        guard stands(place), case .toolStart(let id, let name, let parent) = events[place].event.kind,
            events[place].event.rawEvent == nil, events[place].event.subagentRunID == nil, !seen.contains(id)
        else { return nil }
        var tool = SeenTool(name: name)
        for member in events[place].event.metadata?.members ?? [] {
            guard let words = member.value.string, !words.isEmpty else { return nil }
            switch member.name {
            case "mock.displayName": tool.title = words
            case "mock.executionText": tool.label = words
            default: return nil
            }
        }
        return Call(id: id, tool: tool, parent: parent, start: place)
    }

    mutating func steps(of calls: [Call], _ order: [Int], _ isInterleaved: Bool) -> JSONObject? {
        var steps: [JSONObject] = []
        for call in calls {
            guard let step = step(of: call) else { return nil }
            steps.append(step)
        }
        guard steps.count > 1 else { return steps.first }
        var group: JSONObject = ["together": .array(steps.map { .object($0) })]
        if isInterleaved { group.add("order", .string("interleaved")) }
        if order != order.sorted() {
            group.add("results", .array(order.map { .integer(Int64($0) + 1) }))
        }
        return group
    }

    mutating func step(of call: Call) -> JSONObject? {
        var step: JSONObject = ["tool": .string(call.tool.name)]
        let text = call.pieces.joined()
        if let value = Self.json(text), value.object != nil {
            step.add("with", call.pieces.count > 1 ? Placeholders.escaped(value) : json(value))
        } else {
            step.add("text", call.pieces.count > 1 ? Placeholders.text(text) : json(.string(text)))
        }
        if call.pieces.count > 1 {
            if let size = Self.size(of: call.pieces) {
                step.add("cut", .string(size))
            } else {
                step.add("pieces", .array(call.pieces.map(Placeholders.text)))
            }
        }
        step.add("id", pin(call.id))
        hold(call, in: &step)
        if let result = call.result {
            guard let found = outcome(at: result) else { return nil }
            step.members += found.members
            if let end = call.end.flatMap({ events[$0].time }), let time = events[result].time,
                time - end >= .milliseconds(1)
            {
                step.add("takes", measured(time - end))
            }
        } else if !call.tool.isOfClient || call.isAwaitedLater {
            step.add("silent", .bool(true))
        }
        guard call.pieces.count > 1, let end = call.end else { return step }
        return timed(step, call.start..<end)
    }

    /// Adds `owner` to the step, unless the engine would choose the same parent message.
    mutating func hold(_ call: Call, in step: inout JSONObject) {
        guard let parent = call.parent else { return step.add("owner", .null) }
        if parent == owner { return }
        if owner == nil, isNew(parent) {
            owner = parent
            return
        }
        pinned.insert(parent)
        step.add("owner", pin(parent))
    }

    // MARK: - Results

    func result(at place: Int) -> RunToolResult? {
        guard stands(place), case .toolResult(let result) = events[place].event.kind,
            events[place].event.rawEvent == nil, events[place].event.subagentRunID == nil
        else { return nil }
        return result
    }

    /// Returns the result of a call as `gives`, `parts` or `fails`.
    mutating func outcome(at place: Int) -> JSONObject? {
        guard let result = result(at: place) else { return nil }
        if case .parts = result.content {
            guard events[place].event.metadata == nil, isKnown("content", at: place),
                let parts = events[place].body["content"]
            else { return nil }
            return ["parts": json(parts)]
        }
        let text = result.content.text
        let value = Self.json(text)
        switch events[place].event.metadata {
        case nil:
            guard let value, value.object != nil || value.array != nil else {
                return ["gives": json(.string(text))]
            }
            return ["gives": json(value)]
        case ["mock.toolStatus": .string("failed")]?:
            guard let value, value.string == nil else { return nil }
            if let words = value["error"]?.string, value.object?.members.count == 1 {
                return ["fails": json(.string(words))]
            }
            return ["fails": json(value)]
        default: return nil
        }
    }

    /// Decompiles a delayed result.
    mutating func lateResult(_ result: RunToolResult, at place: Int) -> Found? {
        guard let tool = open.tool(ofLast: result.toolCallID), isNew(result.messageID),
            let found = outcome(at: place)
        else { return nil }
        open.removeLast(of: tool)
        owner = nil
        return ([JSONObject([.init("result", .string(tool))] + found.members)], place + 1)
    }

    /// Parses a text as JSON. Nil if the value would be written differently.
    static func json(_ text: String) -> JSONValue? {
        guard let value = try? JSONReader.read(Array(text.utf8)), JSONWriter.bytes(value) == Array(text.utf8)
        else { return nil }
        return value
    }
}
