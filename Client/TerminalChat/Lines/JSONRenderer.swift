import Clocks
import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One JSON object for each fact. Names and their order stay.
struct JSONRenderer: Equatable {
    /// Chunks are lines as well.
    var showsChunks = false

    /// Nil for a fact that has no line.
    func line(_ fact: ChatLine, session: String?, at now: Instant) -> String? {
        var line = JSONObject()
        line.add("t", TimeText.iso(now))
        line.add("ev", name(fact))
        line.add("session", session ?? "")
        switch fact {
        case .status(let phase, let attempt):
            line.add("phase", phase)
            line.add("attempt", attempt)
        case .session(let id, let capabilities):
            line.add("id", id)
            var object = JSONObject()
            object.add("streaming", capabilities.streaming)
            object.add("maxMessageSize", capabilities.maxMessageSize)
            object.add("heartbeatIntervalSeconds", capabilities.heartbeatIntervalSeconds)
            object.add("maxReconnectAttempts", capabilities.maxReconnectAttempts)
            line.add("capabilities", .object(object))
        case .user(let draft, let text):
            line.add("draftId", draft)
            line.add("text", text)
            line.add("delivery", "pending")
        case .delivery(let draft, let state, let message, _):
            line.add("draftId", draft)
            line.add("state", state)
            line.add("messageId", message)
        case .typing(let isOn, let who):
            line.add("on", isOn)
            line.add("who", who)
        case .chunk(let message, let index, let text):
            guard showsChunks else { return nil }
            line.add("messageId", message)
            line.add("index", index)
            line.add("text", text)
        case .agent(let reply): add(reply, to: &line)
        case .system(let event, let text, let level):
            line.add("event", event)
            line.add("text", text)
            line.add("level", level)
        case .ended(let reason): line.add("reason", reason)
        case .error(let code, let message, let isRetryable):
            line.add("code", code)
            line.add("message", message)
            line.add("retryable", isRetryable)
        }
        return line.line
    }

    private func add(_ reply: ChatLine.Reply, to line: inout JSONObject) {
        line.add("messageId", reply.messageID)
        line.add("kind", reply.isLive ? "live" : "poly")
        line.add("name", reply.name)
        line.add("text", reply.text)
        line.add(
            "attachments",
            .array(
                reply.attachments.map { attachment in
                    var object = JSONObject()
                    object.add("kind", AttachmentText.kind(attachment))
                    object.add("title", attachment.title)
                    object.add("url", attachment.contentUrl?.absoluteString)
                    object.add("previewUrl", attachment.previewImageUrl?.absoluteString)
                    return .object(object)
                }))
        line.add("suggestions", .array(reply.suggestions.map { .string($0) }))
        line.add(
            "callActions",
            .array(
                reply.callActions.map { action in
                    var object = JSONObject()
                    object.add("title", action.title)
                    object.add("number", action.contactNumber)
                    return .object(object)
                }))
        line.add("latencyMs", reply.latency.map { Int($0.milliseconds) })
    }

    private func name(_ fact: ChatLine) -> String {
        switch fact {
        case .status: "status"
        case .session: "session"
        case .user: "user"
        case .delivery: "delivery"
        case .typing: "typing"
        case .chunk: "chunk"
        case .agent: "agent"
        case .system: "system"
        case .ended: "ended"
        case .error: "error"
        }
    }
}

extension JSONObject {
    /// Nothing is added for nil.
    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(Member(name, value)) }
    }
    mutating func add(_ name: String, _ value: String?) { add(name, value.map { .string($0) }) }
    mutating func add(_ name: String, _ value: Int?) { add(name, value.map { .integer(Int64($0)) }) }
    mutating func add(_ name: String, _ flag: Bool) { add(name, .bool(flag)) }

    /// On one line, without anything that a terminal would obey.
    var line: String { ForeignText.json(.object(self)) }
}
