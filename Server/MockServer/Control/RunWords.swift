import ConversationEngine
import Texts

enum RunWords {
    static func name(of words: RunRequest.Content) -> String {
        switch words {
        case .nothing: "nothing"
        case .text: "text"
        case .answers: "answers"
        case .decisions: "decisions"
        case .replay: "replay"
        }
    }

    /// The members of an event: `kind` first, followed by the members that have a value.
    static func members(of event: AgentEvent) -> [(String, JSONValue)] {
        let (kind, more) = parts(of: event)
        return [("kind", .string(kind))] + more.filter { $0.1 != .null }
    }

    private static func parts(of event: AgentEvent) -> (String, [(String, JSONValue)]) {
        switch event {
        case .started: ("started", [])
        case .stepStarted(let name): ("stepStarted", [("name", .string(name))])
        case .stepFinished(let name): ("stepFinished", [("name", .string(name))])
        case .textStarted(let id, let role, let name):
            ("textStarted", [("id", .string(id)), ("role", .string(role)), ("name", text(name))])
        case .textDelta(let id, let delta): ("textDelta", piece(id, delta))
        case .textEnded(let id): ("textEnded", [("id", .string(id))])
        case .callStarted(let call): ("callStarted", members(of: call))
        case .callDelta(let id, let delta): ("callDelta", piece(id, delta))
        case .callEnded(let id): ("callEnded", [("id", .string(id))])
        case .callResult(let result): ("callResult", members(of: result))
        case .reasoningStarted(let id): ("reasoningStarted", [("id", .string(id))])
        case .reasoningTextStarted(let id): ("reasoningTextStarted", [("id", .string(id))])
        case .reasoningDelta(let id, let delta): ("reasoningDelta", piece(id, delta))
        case .reasoningTextEnded(let id): ("reasoningTextEnded", [("id", .string(id))])
        case .reasoningEnded(let id): ("reasoningEnded", [("id", .string(id))])
        case .sealed(let entity, _, let value):
            ("sealed", [("id", .string(entity)), ("value", .string(value))])
        case .state(let value): ("state", [("value", json(value))])
        case .stateChanged(let patch): ("stateChanged", [("value", json(patch))])
        case .stateTarget(let value): ("stateTarget", [("value", json(value))])
        case .subagentStarted(let subagent):
            (
                "subagentStarted",
                [
                    ("id", .string(subagent.id)), ("name", .string(subagent.name)),
                    ("label", text(subagent.about)), ("parent", text(subagent.parent)),
                ]
            )
        case .subagentEnded(let id, let result, let error, _):
            (
                "subagentEnded",
                [
                    ("id", .string(id)), ("value", result.map(json) ?? .null), ("text", text(error)),
                    ("hasFailed", .bool(error != nil)),
                ]
            )
        case .activity(let id, let type, let content, _): ("activity", thing(id, type, content))
        case .activityChanged(let id, let type, let patch): ("activityChanged", thing(id, type, patch))
        case .card(let id, _, let value, let label):
            ("card", [("id", .string(id)), ("label", text(label)), ("value", json(value))])
        case .suggestions(let message, let list):
            ("suggestions", [("id", .string(message)), ("value", ControlJSON.strings(list.map(\.text)))])
        case .custom(let name, let value): ("custom", [("name", .string(name)), ("value", json(value))])
        case .raw(let value, let source): ("raw", [("name", text(source)), ("value", json(value))])
        case .written(let value, let isUnchecked):
            ("written", [("isUnchecked", .bool(isUnchecked)), ("value", json(value))])
        case .finished(let end): ("finished", members(of: end))
        case .failed(let failure):
            ("failed", [("text", .string(failure.message)), ("code", text(failure.code))])
        case .messages: ("messages", [])
        case .runMessages(let value): ("messages", [("value", json(value))])
        }
    }

    private static func members(of call: RunCall) -> [(String, JSONValue)] {
        [
            ("id", .string(call.id)), ("name", .string(call.tool)), ("title", text(call.title)),
            ("label", text(call.label)),
        ]
    }

    private static func members(of result: RunResult) -> [(String, JSONValue)] {
        [
            ("id", .string(result.call)), ("value", json(result.content)),
            ("hasFailed", .bool(result.hasFailed)),
        ]
    }

    private static func members(of end: RunEnd) -> [(String, JSONValue)] {
        var members = [("value", end.result.map(json) ?? .null), ("usage", end.usage.map(json) ?? .null)]
        switch end.outcome {
        case .done(let pending):
            members.append(("outcome", .string("done")))
            if !pending.isEmpty { members.append(("pending", ControlJSON.strings(pending))) }
        case .asks(let asks):
            let asks = asks.map { ControlJSON.object(Self.members(of: $0)) }
            members += [("outcome", .string("asks")), ("asks", .array(asks))]
        case .cancelled: members.append(("outcome", .string("cancelled")))
        case .cut: members.append(("outcome", .string("cut")))
        }
        return members
    }

    static func members(of ask: RunAsk) -> [(String, JSONValue)] {
        let choices = ask.choices.map { choice -> JSONValue in
            .object(["text": .string(choice.text), "cancels": .bool(choice.cancels)])
        }
        let members: [(String, JSONValue)] = [
            ("ask", .string(ask.id)), ("name", .string(ask.name)), ("reason", .string(ask.reason)),
            ("text", text(ask.message)), ("call", text(ask.call)), ("schema", ask.schema.map(json) ?? .null),
            ("expires", ask.expires.map { ControlJSON.time($0) } ?? .null), ("choices", .array(choices)),
        ]
        return members.filter { $0.1 != .null }
    }

    private static func piece(_ id: String, _ delta: String) -> [(String, JSONValue)] {
        [("id", .string(id)), ("text", .string(delta))]
    }

    private static func thing(_ id: String, _ type: String, _ value: String) -> [(String, JSONValue)] {
        [("id", .string(id)), ("name", .string(type)), ("value", json(value))]
    }

    private static func text(_ text: String?) -> JSONValue { ControlJSON.optional(text) }

    /// Parses JSON, or returns the text as a string.
    private static func json(_ text: String) -> JSONValue {
        (try? JSONReader.read(Array(text.utf8))) ?? .string(text)
    }
}
