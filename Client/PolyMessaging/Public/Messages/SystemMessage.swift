#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A row that says what happened.
public struct SystemMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The event.
    public let event: SystemEvent
    /// Time of the event.
    public let timestamp: Date

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - id: The id of the row; a new one by default.
    ///   - event: The event.
    ///   - timestamp: When; now by default.
    public init(id: UUID = UUID(), event: SystemEvent, timestamp: Date = Date(timeIntervalSinceNow: 0)) {
        self.id = id
        self.event = event
        self.timestamp = timestamp
    }
}

/// Event shown by a system row.
public enum SystemEvent: Sendable, Equatable {
    /// The conversation is over; the reason is the server's.
    case conversationEnded(reason: String?)
    /// The PolyAI agent left.
    case agentLeft(reason: String?)
    /// A live agent joined.
    case liveAgentJoined(name: String?)
    /// The live agent left; the chat is over. A chat shows ``conversationEnded(reason:)`` for it, once.
    case liveAgentLeft(reason: String?)
    /// The place in the queue for a live agent, from 1, and the server's words for it.
    case queueStatus(position: Int?, displayMessage: String?)
    /// The agent began to hand the conversation over.
    case handoffStarted
    /// The app has to bring the user elsewhere: the route, or else the reason.
    case handoffRequired(reason: String)
    /// A live agent will come.
    case handoffAccepted
    /// No live agent will come; the conversation goes on with the agent.
    case handoffFailed(reason: String?)
    /// No live agent came in time; the conversation goes on with the agent.
    case handoffTimeout
    /// The session ends soon unless somebody says something.
    case idleWarning
    /// A message of the server about the service.
    case serverMessage(text: String, level: SystemMessageLevel)

    /// The content of the system row that an event makes; nil for an event that makes none, or a bubble.
    package init?(_ event: MessagingEvent) {
        switch event {
        case .systemMessage(_, let payload):
            self = .serverMessage(text: payload.message, level: payload.level)
        case .sessionIdleWarning: self = .idleWarning
        case .agentTriggeredHandoff: self = .handoffStarted
        case .clientHandoffRequired(_, let payload):
            self = .handoffRequired(reason: payload.route ?? payload.reason ?? "")
        case .handoffQueueStatus(_, let payload):
            self = .queueStatus(position: payload.position, displayMessage: payload.displayMessage)
        case .handoffAccepted: self = .handoffAccepted
        case .handoffFailed(_, let payload): self = .handoffFailed(reason: payload.reason)
        case .handoffTimeout: self = .handoffTimeout
        case .liveAgentJoined(_, let payload): self = .liveAgentJoined(name: payload.agentName)
        case .liveAgentLeft(_, let payload): self = .liveAgentLeft(reason: payload.reason)
        default: return nil
        }
    }

    /// True for the five steps of a handoff before a live agent is there.
    public var isHandoff: Bool {
        switch self {
        case .handoffStarted, .handoffRequired, .handoffAccepted, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// True for events that end something: the conversation, or the try to reach a live agent.
    public var isTerminal: Bool {
        switch self {
        case .conversationEnded, .liveAgentLeft, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// The reason, for the events that carry one.
    public var reason: String? {
        switch self {
        case .conversationEnded(let reason), .agentLeft(let reason), .liveAgentLeft(let reason),
            .handoffFailed(let reason):
            reason
        case .handoffRequired(let reason): reason
        default: nil
        }
    }
}
