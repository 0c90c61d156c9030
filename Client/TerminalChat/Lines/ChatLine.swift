import Clocks
import PolyMessaging

enum ChatLine: Equatable {
    /// `attempt` is set only while reconnecting.
    case status(phase: String, attempt: Int?)
    case session(id: String, SessionCapabilities)
    case user(draftID: String, text: String)
    case delivery(draftID: String, state: String, messageID: String?, text: String)
    case typing(isOn: Bool, who: String?)
    case chunk(messageID: String, index: Int, text: String)
    case agent(Reply)
    case system(event: String, text: String, level: String)
    case ended(reason: String?)
    case error(code: String, message: String, isRetryable: Bool)

    struct Reply: Equatable {
        var messageID: String
        var isLive: Bool
        var name: String?
        var text: String
        var attachments: [Attachment]
        var suggestions: [String]
        var callActions: [ChatCallAction]
        var latency: Interval?
    }
}

extension ChatLine.Reply {
    /// `name` replaces a missing name of the agent.
    init(_ payload: AgentMessagePayload, by name: String?, after latency: Interval?) {
        self.init(
            messageID: payload.messageId, isLive: false, name: payload.agentName ?? name, text: payload.text,
            attachments: payload.attachments, suggestions: payload.responseSuggestions.map(\.messageText),
            callActions: payload.chatCallActions, latency: latency)
    }

    init(_ payload: LiveAgentMessagePayload, by name: String?, after latency: Interval?) {
        self.init(
            messageID: payload.messageId, isLive: true, name: payload.agentName ?? name, text: payload.text,
            attachments: payload.attachments, suggestions: payload.responseSuggestions.map(\.messageText),
            callActions: payload.chatCallActions, latency: latency)
    }
}

extension ChatLine {
    static func error(_ failure: ChatFailure) -> ChatLine {
        .error(code: failure.code, message: failure.message, isRetryable: failure.isRetryable)
    }

    static func phase(of status: ConnectionStatus) -> String {
        switch status {
        case .idle: "idle"
        case .connecting: "connecting"
        case .open: "open"
        case .closing: "closing"
        case .closed: "closed"
        case .reconnecting: "reconnecting"
        case .failed: "failed"
        }
    }
}
