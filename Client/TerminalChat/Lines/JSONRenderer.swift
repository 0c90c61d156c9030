import Clocks
import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renderer of the JSON style. Member names and their order are stable.
struct JSONRenderer: Equatable {
    /// Whether chunks of streamed messages are written as lines too.
    var showsChunks = false

    func line(_ fact: ChatLine, session: String?, at now: Instant) -> String? {
        if case .chunk = fact, !showsChunks { return nil }
        let (name, members) = Self.members(fact)
        let head: [(String, JSONValue?)] = [
            ("t", .string(TimeText.iso(now))), ("ev", .string(name)), ("session", .string(session ?? "")),
        ]
        return JSONObject(present: head + members).line
    }

    private static func members(_ fact: ChatLine) -> (name: String, [(String, JSONValue?)]) {
        switch fact {
        case .status(let phase, let attempt):
            return ("status", [("phase", .string(phase)), ("attempt", number(attempt))])
        case .session(let id, let capabilities):
            let object = JSONObject(present: [
                ("streaming", .bool(capabilities.streaming)),
                ("maxMessageSize", number(capabilities.maxMessageSize)),
                ("heartbeatIntervalSeconds", number(capabilities.heartbeatIntervalSeconds)),
                ("maxReconnectAttempts", number(capabilities.maxReconnectAttempts)),
            ])
            return ("session", [("id", .string(id)), ("capabilities", .object(object))])
        case .user(let draft, let text):
            return (
                "user",
                [("draftId", .string(draft)), ("text", .string(text)), ("delivery", .string("pending"))]
            )
        case .delivery(let draft, let state, let message, _):
            return (
                "delivery",
                [("draftId", .string(draft)), ("state", .string(state)), ("messageId", string(message))]
            )
        case .typing(let isOn, let who): return ("typing", [("on", .bool(isOn)), ("who", string(who))])
        case .chunk(let message, let index, let text):
            return (
                "chunk", [("messageId", .string(message)), ("index", number(index)), ("text", .string(text))]
            )
        case .agent(let reply): return ("agent", members(reply))
        case .system(let event, let text, let level):
            return (
                "system", [("event", .string(event)), ("text", .string(text)), ("level", .string(level))]
            )
        case .ended(let reason): return ("ended", [("reason", string(reason))])
        case .error(let code, let message, let isRetryable):
            return (
                "error",
                [("code", .string(code)), ("message", .string(message)), ("retryable", .bool(isRetryable))]
            )
        }
    }

    private static func members(_ reply: ChatLine.Reply) -> [(String, JSONValue?)] {
        let attachments = reply.attachments.map { attachment in
            JSONValue.object(
                JSONObject(present: [
                    ("kind", .string(AttachmentText.kind(attachment))), ("title", string(attachment.title)),
                    ("url", string(attachment.contentUrl?.absoluteString)),
                    ("previewUrl", string(attachment.previewImageUrl?.absoluteString)),
                ]))
        }
        let actions = reply.callActions.map { action in
            JSONValue.object(["title": .string(action.title), "number": .string(action.contactNumber)])
        }
        return [
            ("messageId", .string(reply.messageID)), ("kind", .string(reply.isLive ? "live" : "poly")),
            ("name", string(reply.name)), ("text", .string(reply.text)), ("attachments", .array(attachments)),
            ("suggestions", .array(reply.suggestions.map { .string($0) })), ("callActions", .array(actions)),
            ("latencyMs", number(reply.latency.map { Int($0.milliseconds) })),
        ]
    }

    private static func string(_ text: String?) -> JSONValue? { text.map { .string($0) } }
    private static func number(_ number: Int?) -> JSONValue? { number.map { .integer(Int64($0)) } }
}

extension JSONObject {
    /// One line of JSON text, with control characters escaped.
    var line: String { ForeignText.json(.object(self)) }
}
