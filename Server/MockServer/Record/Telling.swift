import Clocks
import ConversationEngine
import LawBook

/// What a message to a client is about: for its row, and for the laws.
struct Telling: Equatable, Sendable {
    var session: String
    /// When it was said; nil for what is put together when it is sent.
    var time: Instant?
    var type: String
    var sequence: UInt64?
    /// Nil for what no law asks about.
    var told: Told?
    /// Of each event of a batch.
    var batch: [(sequence: UInt64?, told: Told)] = []
    var isReplay = false
    /// The rule that produced it.
    var rule = ""
    /// The trouble that changed it.
    var fault = ""
    /// The bytes before a trouble changed them.
    var original: [UInt8]?

    static func == (left: Self, right: Self) -> Bool {
        left.session == right.session && left.type == right.type && left.sequence == right.sequence
            && left.told == right.told && left.fault == right.fault
    }
}

extension Told {
    /// The laws' word for an event.
    init(_ event: Event, localID: @autoclosure () -> String?) {
        switch event {
        case .sessionStarted(let facts):
            self = .sessionStart(
                heartbeat: .seconds(Int64(facts.heartbeatIntervalSeconds)),
                maxMessageBytes: facts.maxMessageBytes, maxReconnectAttempts: facts.maxReconnectAttempts)
        case .joinRequested: self = .joinEcho
        case .agentJoined: self = .agentJoined
        case .userMessage: self = .messageEcho(localID: localID())
        case .userEnded: self = .endEcho
        case .sessionEnded: self = .sessionEnd
        case .agentLeft: self = .agentLeft
        case .notice(.error, .known(let problem, _)): self = problem.asksToJoin ? .joinInvitation : .other
        default: self = .other
        }
    }
}

extension Told {
    /// The laws' word for an event of a history.
    init(kind: EventKind) {
        switch kind {
        case .joinRequested: self = .joinEcho
        case .agentJoined: self = .agentJoined
        case .userMessage: self = .messageEcho(localID: nil)
        case .userEnded: self = .endEcho
        case .sessionEnded: self = .sessionEnd
        case .agentLeft: self = .agentLeft
        default: self = .other
        }
    }
}

extension KnownProblem {
    /// A client that is told this has to ask the agent to join again (protocol.md#join-invitations).
    fileprivate var asksToJoin: Bool {
        switch self {
        case .cannotStart, .noConversation, .conversationNotReady, .noLiveSession: true
        default: false
        }
    }
}
