import Clocks
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One JSON object for each fact (chat-ui 4.4). Names and their order stay.
struct JSONRenderer: Equatable {
    /// Chunks are lines as well.
    var showsChunks = false

    /// Nil for a fact that has no line.
    func line(_ fact: ChatFact, session: String?, at now: Instant) -> String? {
        var line = JSONText()
        line.add("t", TimeText.iso(now))
        line.add("ev", name(fact))
        line.add("session", session ?? "")
        switch fact {
        case .status(let phase, let attempt):
            line.add("phase", phase)
            line.add("attempt", ifKnown: attempt)
        case .session(let id, let capabilities):
            line.add("id", id)
            var object = JSONText()
            object.add("streaming", capabilities.streaming)
            object.add("maxMessageSize", capabilities.maxMessageSize)
            object.add("heartbeatIntervalSeconds", ifKnown: capabilities.heartbeatIntervalSeconds)
            object.add("maxReconnectAttempts", ifKnown: capabilities.maxReconnectAttempts)
            line.add("capabilities", object)
        case .user(let draft, let text):
            line.add("draftId", draft)
            line.add("text", text)
            line.add("delivery", "pending")
        case .delivery(let draft, let state, let message, _):
            line.add("draftId", draft)
            line.add("state", state)
            line.add("messageId", ifKnown: message)
        case .typing(let isOn, let who):
            line.add("on", isOn)
            line.add("who", ifKnown: who)
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
        case .ended(let reason): line.add("reason", ifKnown: reason)
        case .error(let code, let message, let isRetryable):
            line.add("code", code)
            line.add("message", message)
            line.add("retryable", isRetryable)
        }
        return line.closed
    }

    private func add(_ reply: ChatFact.Reply, to line: inout JSONText) {
        line.add("messageId", reply.messageID)
        line.add("kind", reply.isLive ? "live" : "poly")
        line.add("name", ifKnown: reply.name)
        line.add("text", reply.text)
        line.add(
            "attachments",
            reply.attachments.map { attachment in
                var object = JSONText()
                object.add("kind", AttachmentText.kind(attachment))
                object.add("title", ifKnown: attachment.title)
                object.add("url", ifKnown: attachment.contentUrl?.absoluteString)
                object.add("previewUrl", ifKnown: attachment.previewImageUrl?.absoluteString)
                return object
            })
        line.add("suggestions", reply.suggestions)
        line.add(
            "callActions",
            reply.callActions.map { action in
                var object = JSONText()
                object.add("title", action.title)
                object.add("number", action.contactNumber)
                return object
            })
        line.add("latencyMs", ifKnown: reply.latency.map { Int($0.milliseconds) })
    }

    private func name(_ fact: ChatFact) -> String {
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
