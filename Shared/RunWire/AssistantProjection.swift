package import Texts

/// A run in the words of CometChat's guide to AI agents: frames of a message socket while it goes on, and stored messages
/// behind its end. Pure.
///
/// Takes events in their long forms (``RunExpander``). Arguments of a call go out in one piece, at its end: a client of that
/// platform reads one piece as a whole. State, steps, reasoning and activities have no word there.
package struct AssistantProjection: Sendable {
    /// Who talks with whom, and the numbers of that platform.
    package struct Terms: Equatable, Sendable {
        package var appID: String
        package var agent: String
        package var user: String
        package var deviceID: String
        /// The first message of the thread; 0 when there is none.
        package var parentID: Int
        /// The user's message that has caused the run; it names the run as well. Stored messages get the numbers behind it.
        package var runID: Int

        package init(
            appID: String = "mock-app", agent: String, user: String, deviceID: String = "", parentID: Int = 0,
            runID: Int
        ) {
            self.appID = appID
            self.agent = agent
            self.user = user
            self.deviceID = deviceID
            self.parentID = parentID
            self.runID = runID
        }
    }

    private struct Call: Sendable {
        var id: String
        var name: String
        var owner: String
        var displayName: String
        var executionText: String
        var arguments = ""
        var result: String?

        /// The fields that all events of a call have.
        var fields: [(String, JSONValue?)] {
            [
                ("toolCallId", .string(id)), ("toolCallName", .string(name)),
                ("displayName", .string(displayName)), ("executionText", .string(executionText)),
                ("arguments", .string(arguments)),
            ]
        }
    }

    private struct Text: Sendable {
        var id: String
        var words = ""
    }

    private let terms: Terms
    private var threadID = ""
    private var calls: [Call] = []
    private var texts: [Text] = []
    private var cards: [JSONValue] = []
    private var openTexts: [String] = []
    private var suggestions: JSONValue?
    private var storedCount = 0

    package init(_ terms: Terms) {
        self.terms = terms
    }

    /// The frames that tell `event`, as JSON. `seconds`: since 1970, for stored messages.
    package mutating func frames(for event: RunEvent, seconds: Int64) -> [JSONValue] {
        switch event.kind {
        case .runStarted(let start):
            threadID = start.threadID
            return [frame("run_started", [("streamMessageId", .string("")), ("role", .string("assistant"))])]
        case .toolStart, .toolArguments, .toolEnd, .toolResult: return tool(event)
        case .textStart, .textContent, .textEnd: return text(event.kind)
        case .custom(let name, let value): return custom(name, value)
        case .runFinished(let finish): return end(finish, seconds)
        case .runError(let error):
            return [ended] + stored(seconds, error: error)
        default: return []
        }
    }

    // MARK: - Tools

    private mutating func tool(_ event: RunEvent) -> [JSONValue] {
        switch event.kind {
        case .toolStart(let id, let name, let parent):
            let metadata = event.metadata
            let call = Call(
                id: id, name: name, owner: parent ?? id,
                displayName: metadata?["mock.displayName"]?.string ?? "",
                executionText: metadata?["mock.executionText"]?.string ?? "")
            calls.append(call)
            return [
                frame("tool_call_start", [("streamParentMessageId", .string(call.owner))] + call.fields)
            ]
        case .toolArguments(let id, let delta):
            if let index = calls.lastIndex(where: { $0.id == id }) { calls[index].arguments += delta }
            return []
        case .toolEnd(let id):
            guard let call = calls.last(where: { $0.id == id }) else { return [] }
            return [
                frame("tool_call_args", call.fields + [("delta", .string(call.arguments))]),
                frame("tool_call_end", call.fields),
            ]
        case .toolResult(let result):
            let content = result.content.text
            // The call may be one of an earlier run.
            var call = Call(id: result.toolCallID, name: "", owner: "", displayName: "", executionText: "")
            if let index = calls.lastIndex(where: { $0.id == result.toolCallID }) {
                calls[index].result = content
                call = calls[index]
            } else {
                call.result = content
                calls.append(call)
            }
            let own: [(String, JSONValue?)] = [
                ("streamMessageId", .string(result.messageID)), ("content", .string(content)),
                ("role", .string("tool")),
            ]
            return [frame("tool_call_result", own + call.fields)]
        default: return []
        }
    }

    // MARK: - Texts and cards

    private mutating func text(_ kind: RunEvent.Kind) -> [JSONValue] {
        switch kind {
        case .textStart(let id, let role, _):
            guard (role ?? .assistant) == .assistant else { return [] }
            openTexts.append(id)
            if !texts.contains(where: { $0.id == id }) { texts.append(Text(id: id)) }
            return [
                frame(
                    "text_message_start",
                    [("streamMessageId", .string(id)), ("role", .string("assistant"))])
            ]
        case .textContent(let id, let delta):
            guard openTexts.contains(id), let index = texts.lastIndex(where: { $0.id == id }) else {
                return []
            }
            texts[index].words += delta
            return [
                frame(
                    "text_message_content", [("streamMessageId", .string(id)), ("delta", .string(delta))])
            ]
        case .textEnd(let id):
            guard openTexts.contains(id) else { return [] }
            openTexts.removeAll { $0 == id }
            defer { suggestions = nil }
            return [
                frame(
                    "text_message_end",
                    [
                        ("streamMessageId", .string(id)), ("messageId", .string(id)),
                        ("type", .string("text")), ("suggestions", suggestions),
                    ])
            ]
        default: return []
        }
    }

    private mutating func custom(_ name: String, _ value: JSONValue) -> [JSONValue] {
        if name == "mock.suggestions" {
            suggestions = value["items"]
            return []
        }
        guard name == "mock.card", let id = value["cardId"], let card = value["card"] else { return [] }
        cards.append(value)
        let own: [(String, JSONValue?)] = [
            ("streamMessageId", .string(openTexts.last ?? "")), ("cardId", id),
        ]
        return [
            frame("card_start", own + [("executionText", value["executionText"] ?? .string(""))]),
            frame("card", own + [("card", card)]), frame("card_end", own),
        ]
    }

    // MARK: - The end

    private var ended: JSONValue { frame("run_finished", [("streamMessageId", .string(""))]) }

    private mutating func end(_ finish: RunFinish, _ seconds: Int64) -> [JSONValue] {
        var frames: [JSONValue] = []
        if case .interrupt(let interrupts)? = finish.outcome {
            // There is no word for a question: it is told as what the agent says.
            for interrupt in interrupts {
                let said: [RunEvent.Kind] = [
                    .textStart(id: interrupt.id, role: .assistant, name: nil),
                    .textContent(id: interrupt.id, delta: interrupt.message ?? interrupt.reason),
                    .textEnd(id: interrupt.id),
                ]
                for kind in said { frames += text(kind) }
            }
        }
        for id in openTexts { frames += text(.textEnd(id: id)) }
        return frames + [ended] + stored(seconds, error: nil)
    }

    /// For each model turn the calls, then their results; at last the whole reply, also after a failure: clients wait for it.
    private mutating func stored(_ seconds: Int64, error: RunError?) -> [JSONValue] {
        var frames: [JSONValue] = []
        var rest = calls[...]
        while let first = rest.first {
            let turn = rest.prefix { $0.owner == first.owner }
            rest = rest.dropFirst(turn.count)
            let named = turn.filter { !$0.name.isEmpty }
            if !named.isEmpty {
                frames.append(
                    message("tool-arguments", seconds, [("toolCalls", .array(named.map(Self.entry)))]))
            }
            for call in turn {
                guard let result = call.result else { continue }
                frames.append(
                    message(
                        "tool-result", seconds,
                        [("toolCallId", .string(call.id)), ("text", .string(result))]))
            }
        }
        let words = error == nil ? texts.map(\.words).filter { !$0.isEmpty } : []
        let elements =
            words.map { JSONValue.object(["type": .string("text"), "value": .string($0)]) }
            + cards.map { .object(["type": .string("card"), "value": $0]) }
        frames.append(
            message(
                "assistant", seconds,
                [
                    ("text", .string(words.joined(separator: "\n\n"))), ("elements", .array(elements)),
                    ("error", error.map { Self.error($0) }),
                ]))
        return frames
    }

    private static func entry(_ call: Call) -> JSONValue {
        .object([
            "id": .string(call.id), "type": .string("function"), "displayName": .string(call.displayName),
            "executionText": .string(call.executionText),
            "function": .object(["name": .string(call.name), "arguments": .string(call.arguments)]),
        ])
    }

    private static func error(_ error: RunError) -> JSONValue {
        object([("message", .string(error.message)), ("code", error.code.map { .string($0) })])
    }

    // MARK: - Frames

    private static func object(_ fields: [(String, JSONValue?)]) -> JSONValue {
        .object(JSONObject(fields.compactMap { name, value in value.map { .init(name, $0) } }))
    }

    private var conversationID: String { "\(terms.agent)_user_\(terms.user)" }

    private func data(_ fields: [(String, JSONValue?)]) -> JSONValue {
        let own: [(String, JSONValue?)] = [
            ("runId", .integer(Int64(terms.runID))), ("threadId", .string(threadID)),
        ]
        return Self.object(own + fields)
    }

    private func envelope(_ type: String, _ body: JSONValue) -> JSONValue {
        .object([
            "appId": .string(terms.appID), "receiver": .string(terms.user), "receiverType": .string("user"),
            "sender": .string(terms.agent), "deviceId": .string(terms.deviceID), "type": .string(type),
            "body": body,
        ])
    }

    private func frame(_ type: String, _ fields: [(String, JSONValue?)]) -> JSONValue {
        envelope(
            "streamed_message",
            .object([
                "type": .string(type), "id": .integer(Int64(terms.runID)),
                "conversationId": .string(conversationID), "parentId": .integer(Int64(terms.parentID)),
                "data": data(fields),
            ]))
    }

    private mutating func message(
        _ type: String, _ seconds: Int64, _ fields: [(String, JSONValue?)]
    ) -> JSONValue {
        storedCount += 1
        return envelope(
            "message",
            .object([
                "id": .integer(Int64(terms.runID + storedCount)), "muid": .string(""),
                "sender": .string(terms.agent), "receiver": .string(terms.user),
                "receiverType": .string("user"), "category": .string("agentic"), "type": .string(type),
                "conversationId": .string(conversationID), "parentId": .integer(Int64(terms.parentID)),
                "sentAt": .integer(seconds), "updatedAt": .integer(seconds),
                "data": data(fields + [("entities", .object([:]))]),
            ]))
    }
}
