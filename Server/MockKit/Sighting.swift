/// One thing that happened between a client and the server.
public struct Sighting: Sendable, Equatable {
    /// What kind of thing.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The client asked the agent to join.
        case join
        /// The user said something.
        case userMessage
        /// The agent said something, whole or in chunks.
        case reply
        /// A live person said something.
        case personMessage
        /// The client told that it is alive.
        case heartbeat
        /// A system message: words beside the talk, or an error of the agent.
        case system
        /// The user, the agent or a person types or thinks.
        case typing
        /// A place in the queue was told.
        case queue
        /// A live person took over.
        case personJoined
        /// A live person left.
        case personLeft
        /// A step of a handoff, named in ``Sighting/text``.
        case handoff
        /// A client connected.
        case connection
        /// A connection ended.
        case disconnection
        /// The session began.
        case sessionStarted
        /// The session ended; ``Sighting/text`` says why.
        case sessionEnded
        /// No rule heard a message.
        case unheard
        /// A request that no route takes.
        case stray
        /// A trouble struck.
        case trouble
        /// A client broke a law.
        case breach
        /// Any other event.
        case event
    }

    /// From 1, in the order in which things happened.
    public var number = 0
    /// Since the mock was started, by its clock.
    public var time: Interval
    /// The id of the session; empty when it belongs to none.
    public var session: String
    /// Connections of a session count from 1; nil when it belongs to none.
    public var connection: Int?
    /// The event's place in the journal; nil for what is not journaled.
    public var sequence: UInt64?
    /// What kind of thing.
    public var kind: Kind
    /// The event type without `EVENT_TYPE_`, where the protocol has one.
    public var type: String
    /// What was said, or what is to be known besides.
    public var text: String
    /// Why it is remarkable; nil when it is not.
    public var note: String?
    /// The rule of the fixture that caused it.
    public var rule: String?
    /// Where the cause stands in the fixture.
    public var place: CallSite?
    /// The server's id of what an agent or a person said; empty for everything else.
    var messageID = ""
    /// The name that fixtures have for an error of the agent, such as `high load`; nil for everything else.
    var problem: String?
    /// It is a system message of level error.
    var isError = false
    /// False for what an agent or a person said that no chat of the mock shows yet, such as a reply that was lost
    /// with its connection.
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
