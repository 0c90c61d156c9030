package import Clocks
package import ConversationEngine

/// How a protocol tells one session to its connections, where an entry is not simply one message: what it remembers of
/// the session and of each connection. A value; time is an argument.
package protocol Projection: Sendable {
    /// A connection is there; what it missed follows with ``tell(_:to:isHistory:at:into:)``.
    mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, at now: Instant, into steps: inout [ProjectionStep])

    /// The same, where the dialect said whose connection it is (``DialectHost/party``).
    mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, of party: Int, at now: Instant,
        into steps: inout [ProjectionStep])

    mutating func detach(_ connection: ConnectionID)

    /// An entry for these connections, live or of the history.
    mutating func tell(
        _ entry: JournalEntry, to connections: [ConnectionID], isHistory: Bool, at now: Instant,
        into steps: inout [ProjectionStep])

    /// An event of a run, for the connection that asked for it. `log` has all runs so far. It may be kept until
    /// ``leave(into:)``.
    mutating func tell(
        _ entry: RunEntry, of run: RunFacts, log: RunLog?, at now: Instant, into steps: inout [ProjectionStep]
    )

    /// No more events of this moment follow: those that were kept leave.
    mutating func leave(into steps: inout [ProjectionStep])

    /// A text message of a client.
    mutating func receive(
        _ text: [UInt8], from connection: ConnectionID, at now: Instant, into steps: inout [ProjectionStep])

    /// Bytes that it keeps of what clients brought along, known without a count.
    var heldBytes: Int { get }

    /// When ``advance(to:into:)`` is next wanted; may be early, never late.
    var nextDeadline: Instant? { get }

    mutating func advance(to now: Instant, into steps: inout [ProjectionStep])
}

extension Projection {
    package mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, of party: Int, at now: Instant,
        into steps: inout [ProjectionStep]
    ) { attach(connection, outlet, at: now, into: &steps) }

    package mutating func tell(
        _ entry: RunEntry, of run: RunFacts, log: RunLog?, at now: Instant, into steps: inout [ProjectionStep]
    ) {}

    package mutating func leave(into steps: inout [ProjectionStep]) {}

    package var heldBytes: Int { 0 }
}

/// What carries a session to a client.
package enum Outlet: Equatable, Sendable {
    case webSocket
    /// An event stream: the body of a response, in chunks unless the connection's end is the body's.
    case stream(isChunked: Bool)
}

/// What comes of it, in order.
package enum ProjectionStep: Equatable, Sendable {
    /// A message for one connection; on an event stream `text` is a whole event with its blank line. `type` is for rows
    /// and the log.
    case send(text: [UInt8], type: String, to: ConnectionID)
    /// The same of several messages on an event stream.
    case sendAll(ToldTexts, to: ConnectionID)
    /// Messages that take long to put together. Later ones wait for them.
    case sendLater(ToldLater, to: ConnectionID)
    /// What a client meant.
    case hear(ClientInput, from: ConnectionID)
    /// Something is told that no script said; the end of the session ends it.
    case push(Event, by: String)
    /// A further name of the session.
    case name(SessionName)
    /// A file for the session's clients, good as it is.
    case shelve(id: String, name: String, type: String, bytes: [UInt8])
    /// A file that nobody may ask for any more.
    case unshelve(id: String)
    /// Ends a connection behind what was sent.
    case close(ConnectionID, code: UInt16, reason: String)
}
