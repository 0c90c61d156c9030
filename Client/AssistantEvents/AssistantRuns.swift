import AgentRuns
import Clocks
import Texts

/// Listener that forwards the runs of one ``AgentRunCenter`` to ``CometChat``.
final class AssistantRuns: AgentRunListener {
    private let words: Locked<AssistantWords>

    init(firstID: Int) {
        words = Locked(AssistantWords(firstID: firstID))
    }

    func agentRunDidReceive(_ event: AgentRunEvent) {
        for body in words.withLock({ $0.events(for: event) }) { CometChat.deliver(event: body) }
    }

    func agentRunDidPersist(_ message: AgenticMessage) {
        if let body = words.withLock({ $0.body(of: message) }) { CometChat.deliver(message: body) }
    }

    func agentRunWasInterrupted(_ run: RunID, reason: AgentRunInterruption) {
        guard let bodies = words.withLock({ $0.interrupted(run, reason) }) else { return }
        CometChat.deliver(event: bodies.end)
        CometChat.deliver(message: bodies.reply)
    }
}

/// Converter of agent runs to the JSON objects of CometChat's guide. Clients parse the arguments of each event as
/// complete JSON, so all arguments of a tool call are in one event.
private struct AssistantWords: Sendable {
    private var runs: [RunID: Run] = [:]
    private var nextID: Int

    init(firstID: Int) {
        nextID = firstID
    }

    private mutating func takeID() -> Int {
        defer { nextID += 1 }
        return nextID
    }

    mutating func events(for event: AgentRunEvent) -> [JSONObject] {
        let kind = event.kind
        var begun: [JSONObject] = []
        switch kind {
        case .runStarted, .runFailed:
            guard runs[event.runID] == nil else { break }
            let run = Run(id: takeID(), threadID: event.threadID.rawValue)
            runs[event.runID] = run
            begun = [run.body("run_started", ["role": "assistant"])]
        default: break
        }
        return begun + (runs[event.runID]?.events(for: kind) ?? [])
    }

    /// Returns the JSON object of a stored message; nil if the message's run is unknown.
    mutating func body(of message: AgenticMessage) -> JSONObject? {
        guard let run = runs[message.runID] else { return nil }
        if case .assistant = message { runs[message.runID] = nil }
        return run.body(of: message, id: takeID())
    }

    /// Returns the end event and a reply with an error, for a run that ended early.
    mutating func interrupted(
        _ id: RunID, _ reason: AgentRunInterruption
    ) -> (end: JSONObject, reply: JSONObject)? {
        guard var run = runs.removeValue(forKey: id) else { return nil }
        run.failure = ["message": "The run was left before its end.", "code": "\(reason)"]
        return (run.body("run_finished"), run.reply([], id: takeID()))
    }
}

private struct Run: Sendable {
    let id: Int
    let threadID: String
    var calls: [ToolCallID: [String: String]] = [:]
    var openTexts: [MessageID] = []
    var suggestions: AgentRuns.JSONValue?
    /// Questions to the user, added to the agent's text. The guide has no event for them.
    var questions: [String] = []
    var failure: [String: String]?

    func body(
        _ type: String, id: Int? = nil, _ texts: [String: String]..., others: JSONObject = [:]
    ) -> JSONObject {
        let own: JSONObject = ["runId": .integer(Int64(self.id)), "threadId": .string(threadID)]
        return [
            "type": .string(type), "id": .integer(Int64(id ?? self.id)), "conversationId": .string(threadID),
            "data": .object(JSONObject(own.members + texts.flatMap(Self.members) + others.members)),
        ]
    }

    private static func members(_ texts: [String: String]) -> [JSONObject.Member] {
        texts.map { JSONObject.Member($0.key, .string($0.value)) }
    }

    // MARK: - Events

    mutating func events(for kind: AgentRunEvent.Kind) -> [JSONObject] {
        switch kind {
        case .toolCallStarted, .toolCallArguments, .toolCallEnded, .toolCallResult: return tool(kind)
        case .textStarted, .textDelta, .textEnded: return text(kind)
        case .custom("mock.suggestions", let value):
            suggestions = value["items"]
            return []
        case .cardReceived(let id, let card):
            let own = ["streamMessageId": openTexts.last?.rawValue ?? "", "cardId": id]
            return [
                body("card_start", own), body("card", own, others: ["card": card.wire]),
                body("card_end", own),
            ]
        case .runFinished(let finish):
            var bodies: [JSONObject] = []
            if case .interrupted(let interrupts) = finish.outcome {
                for interrupt in interrupts { bodies += question(interrupt) }
            }
            for id in openTexts { bodies += text(.textEnded(id)) }
            return bodies + [body("run_finished")]
        case .runFailed(let error):
            failure = ["message": error.message, "code": error.code ?? ""]
            return [body("run_finished")]
        default: return []
        }
    }

    private mutating func tool(_ kind: AgentRunEvent.Kind) -> [JSONObject] {
        switch kind {
        case .toolCallStarted(let start):
            let call = [
                "toolCallId": start.id.rawValue, "toolCallName": start.name, "arguments": "",
                "displayName": start.displayName ?? "", "executionText": start.executionText ?? "",
            ]
            calls[start.id] = call
            let owner = start.parentMessageID?.rawValue ?? start.id.rawValue
            return [body("tool_call_start", call, ["streamParentMessageId": owner])]
        case .toolCallArguments(let id, let delta): calls[id]?["arguments"]? += delta
        case .toolCallEnded(let id):
            guard let call = calls[id], let arguments = call["arguments"] else { break }
            return [body("tool_call_args", call, ["delta": arguments]), body("tool_call_end", call)]
        case .toolCallResult(let result):
            // A call of an earlier run is known only by its id.
            let call = calls[result.toolCallID] ?? ["toolCallId": result.toolCallID.rawValue]
            let own = ["streamMessageId": result.messageID.rawValue, "content": result.content.text]
            return [body("tool_call_result", call, own, ["role": "tool"])]
        default: break
        }
        return []
    }

    private mutating func text(_ kind: AgentRunEvent.Kind) -> [JSONObject] {
        switch kind {
        case .textStarted(let id, .assistant, _):
            openTexts.append(id)
            return [body("text_message_start", ["streamMessageId": id.rawValue, "role": "assistant"])]
        case .textDelta(let id, let delta) where openTexts.contains(id):
            return [body("text_message_content", ["streamMessageId": id.rawValue, "delta": delta])]
        case .textEnded(let id) where openTexts.contains(id):
            openTexts.removeAll { $0 == id }
            defer { suggestions = nil }
            let own = ["streamMessageId": id.rawValue, "messageId": id.rawValue, "type": "text"]
            return [
                body(
                    "text_message_end", own, others: suggestions.map { ["suggestions": $0.wire] } ?? [:])
            ]
        default: return []
        }
    }

    private mutating func question(_ interrupt: Interrupt) -> [JSONObject] {
        let id = MessageID(rawValue: interrupt.id.rawValue)
        let words = interrupt.message ?? interrupt.reason
        questions.append(words)
        return text(.textStarted(id, role: .assistant, name: nil)) + text(.textDelta(id, words))
            + text(.textEnded(id))
    }

    // MARK: - Stored messages

    func body(of message: AgenticMessage, id: Int) -> JSONObject {
        switch message {
        case .toolArguments(let turn):
            let calls = turn.calls.map { call in
                let texts = [
                    "id": call.id.rawValue, "type": "function", "displayName": call.displayName ?? "",
                    "executionText": call.executionText ?? "",
                ]
                let function = Self.members(["name": call.name, "arguments": call.arguments])
                return Texts.JSONValue.object(
                    JSONObject(Self.members(texts) + [.init("function", .object(JSONObject(function)))]))
            }
            return body("tool-arguments", id: id, others: ["toolCalls": .array(calls)])
        case .toolResult(let result):
            return body(
                "tool-result", id: id, ["toolCallId": result.toolCallID.rawValue, "text": result.text])
        case .assistant(let reply): return self.reply(reply.elements, id: id)
        }
    }

    /// Returns the complete reply. A failed run has an error in place of texts.
    func reply(_ elements: [MessageElement], id: Int) -> JSONObject {
        var texts: [String] = []
        var parts: [(type: String, value: Texts.JSONValue)] = []
        for element in elements {
            switch element {
            case .text(let words): texts.append(words)
            case .card(let id, let card):
                parts.append(("card", .object(["cardId": .string(id), "card": card.wire])))
            case .other(let type, let value): parts.append((type, value.wire))
            }
        }
        texts = failure == nil ? texts + questions : []
        if let failure { parts.append(("error", .object(JSONObject(Self.members(failure))))) }
        parts = texts.map { ("text", .string($0)) } + parts
        let all = parts.map { Texts.JSONValue.object(["type": .string($0.type), "value": $0.value]) }
        return body(
            "assistant", id: id, ["text": texts.joined(separator: "\n\n")],
            others: ["elements": .array(all)])
    }
}
