package import Clocks
package import ConversationEngine
package import LawBook

/// What a message to a client is about: for its row, and for the laws.
package struct OutboundContext: Equatable, Sendable {
    package var session: String
    /// When it was said; nil for what is put together when it is sent.
    package var time: Instant?
    package var type: String
    package var sequence: UInt64?
    /// Nil for what no law asks about.
    package var told: Told?
    /// Of each event of a batch.
    package var batch: [(sequence: UInt64?, told: Told)] = []
    package var isReplay = false
    /// It shows a client what it said itself.
    package var isEcho = false
    /// The rule that produced it.
    package var rule = ""
    /// The trouble that changed it.
    package var fault = ""
    /// The bytes before a trouble changed them.
    package var original: [UInt8]?

    package init(
        session: String, time: Instant? = nil, type: String, sequence: UInt64? = nil, told: Told? = nil,
        isReplay: Bool = false
    ) {
        self.session = session
        self.time = time
        self.type = type
        self.sequence = sequence
        self.told = told
        self.isReplay = isReplay
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.session == right.session && left.type == right.type && left.sequence == right.sequence
            && left.told == right.told && left.fault == right.fault
    }
}

extension Told {
    /// The laws' word for an event.
    package init(_ event: Event, localID: @autoclosure () -> String?) {
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
    package init(kind: EventKind) {
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
