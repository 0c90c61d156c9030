package import ConversationEngine
import MessagingWire

/// Names of event types in rows and filters: the API's types without `EVENT_TYPE_`.
extension PolyDialect {
    static func type(of entry: JournalEntry) -> String {
        switch entry.values {
        case .event(let contents): type(of: contents.event)
        case .said, .long: type(ofKind: .userMessage)
        }
    }

    package static func type(of event: Event) -> String {
        switch event {
        case .raw(let type, _): short(type)
        case .receipt(let receipt, _): short(PolyEncoder.receiptType(receipt))
        default: type(ofKind: event.kind)
        }
    }

    package static func type(ofKind kind: EventKind) -> String { names[kind.ordinal] }

    package static let types = EventType.allCases.map { short($0.rawValue) }

    private static let typesOfKinds: [EventKind: String] = [
        .sessionStarted: .sessionStart, .joinRequested: .joinRequest, .agentJoined: .agentJoined,
        .agentThinking: .agentThinking, .userMessage: .userMessage, .userTyping: .userTyping,
        .messageChanged: .messageChanged, .userEnded: .userEndSession, .heartbeat: .heartbeat,
        .agentMessage: .agentMessage,
        .agentChunk: .agentMessageChunk, .agentLeft: .agentLeft, .handoffTriggered: .agentTriggeredHandoff,
        .clientHandoffRequired: .clientHandoffRequired, .handoffAccepted: .handoffAccepted,
        .queueStatus: .handoffQueueStatus, .handoffFailed: .handoffFailed, .handoffTimedOut: .handoffTimeout,
        .liveAgentJoined: .liveAgentJoined, .liveAgentTyping: .liveAgentTyping,
        .liveAgentMessage: .liveAgentMessage,
        .liveAgentLeft: .liveAgentLeft, .languageChanged: .languageChanged, .notice: .systemMessage,
        .idleWarning: .sessionIdleWarning, .surveyRequested: .surveyRequest, .sessionEnded: .sessionEnd,
    ].mapValues { (type: EventType) in short(type.rawValue) }

    /// Names in the order of `EventKind.ordinal`. An array, because a name is looked up for every message.
    private static let names = EventKind.allCases.map { typesOfKinds[$0] ?? $0.rawValue }

    static func short(_ type: EventType) -> String { shortNames[type] ?? short(type.rawValue) }

    private static let shortNames = Dictionary(
        uniqueKeysWithValues: EventType.allCases.map { ($0, short($0.rawValue)) })

    package static func short(_ type: String) -> String {
        type.hasPrefix(EventType.prefix) ? String(type.dropFirst(EventType.prefix.count)) : type
    }

    package static func full(_ name: String) -> String {
        name.hasPrefix(EventType.prefix) ? name : EventType.prefix + name
    }
}
