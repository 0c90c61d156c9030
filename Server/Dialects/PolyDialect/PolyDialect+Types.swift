package import ConversationEngine
import MessagingWire

/// What events are called in rows and filters: their type without `EVENT_TYPE_`.
extension PolyDialect {
    package func type(of event: Event) -> String {
        switch event {
        case .raw(let type, _): Self.short(type)
        case .receipt(let receipt, _): Self.short(Self.receiptType(receipt))
        default: Self.names[event.kind.ordinal]
        }
    }

    private static let types: [EventKind: String] = [
        .sessionStarted: .sessionStart, .joinRequested: .joinRequest, .agentJoined: .agentJoined,
        .agentThinking: .agentThinking, .userMessage: .userMessage, .userTyping: .userTyping,
        .userEnded: .userEndSession, .heartbeat: .heartbeat, .agentMessage: .agentMessage,
        .agentChunk: .agentMessageChunk, .agentLeft: .agentLeft, .handoffTriggered: .agentTriggeredHandoff,
        .clientHandoffRequired: .clientHandoffRequired, .handoffAccepted: .handoffAccepted,
        .queueStatus: .handoffQueueStatus, .handoffFailed: .handoffFailed, .handoffTimedOut: .handoffTimeout,
        .personJoined: .liveAgentJoined, .personTyping: .liveAgentTyping, .personMessage: .liveAgentMessage,
        .personLeft: .liveAgentLeft, .languageChanged: .languageChanged, .notice: .systemMessage,
        .idleWarning: .sessionIdleWarning, .surveyRequested: .surveyRequest, .sessionEnded: .sessionEnd,
    ].mapValues { (type: EventType) in short(type.rawValue) }

    /// By the ordinal of the kind: every message asks.
    private static let names = EventKind.allCases.map { types[$0] ?? $0.rawValue }

    static func short(_ type: EventType) -> String { shortNames[type] ?? short(type.rawValue) }

    private static let shortNames = Dictionary(
        uniqueKeysWithValues: EventType.allCases.map { ($0, short($0.rawValue)) })

    static func short(_ type: String) -> String {
        type.hasPrefix(EventType.prefix) ? String(type.dropFirst(EventType.prefix.count)) : type
    }
}
