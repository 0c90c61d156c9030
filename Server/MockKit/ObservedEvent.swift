/// One event between a client and the server.
///
/// ```swift
/// let replies = mock.observedEvents.filter { $0.kind == .reply }
/// print(replies.map(\.text))
/// ```
public struct ObservedEvent: Sendable, Equatable {
    /// Kinds of observed events.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The client asked the agent to join.
        case join
        case userMessage
        /// A message of the agent, whole or in chunks.
        case reply
        case liveAgentMessage
        case heartbeat
        /// A notice that is not part of the conversation, or an error of the agent.
        case system
        case typing
        case queue
        case liveAgentJoined
        case liveAgentLeft
        /// A step of a handoff, named in ``ObservedEvent/text``.
        case handoff
        case connection
        case disconnection
        case sessionStarted
        /// ``ObservedEvent/text`` is the reason.
        case sessionEnded
        case unmatchedMessage
        case unmatchedRequest
        case fault
        case violation
        case event
    }

    /// Number from 1, in order of time.
    public var number = 0
    /// Time since the start of the mock, by its clock.
    public var time: Interval
    /// The id of the session; empty for an event without a session.
    public var session: String
    /// The number of the connection within its session, from 1; nil for events without a connection.
    public var connection: Int?
    /// The event's sequence in the journal; nil for an event that is not journaled.
    public var sequence: UInt64?
    /// Kind of the observed event.
    public var kind: Kind
    /// The event type without `EVENT_TYPE_`, for events with a type in the protocol.
    public var type: String
    /// The words of a message, or details of the event.
    public var text: String
    /// A note for failure texts; nil if there is none.
    public var note: String?
    /// The rule of the fixture that caused the event.
    public var rule: String?
    /// The place of the cause in the fixture.
    public var place: CallSite?
    var messageID = ""
    /// The fixtures' name of this agent error, such as `high load`; nil for other events.
    var problem: String?
    var isError = false
    /// False for a message that no chat of the mock shows yet.
    var hasArrived = true

    init(
        _ kind: Kind, at time: Interval = .zero, session: String = "", connection: Int? = nil,
        sequence: UInt64? = nil, type: String = "", text: String = "", note: String? = nil,
        rule: String? = nil, place: CallSite? = nil
    ) {
        self.kind = kind
        self.time = time
        self.session = session
        self.connection = connection
        self.sequence = sequence
        self.type = type
        self.text = text
        self.note = note
        self.rule = rule
        self.place = place
    }
}
