package import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
package import Matching

/// Event of the server, recorded once and passed to all readers (``ServerEventReader``). Large cases are indirect,
/// because every value of the enum has the size of its largest case.
package enum ServerEvent {
    // Sockets and requests

    case accepted
    /// A request was received. `dialect` is nil for the server's own routes.
    case requested(RequestHead, body: [UInt8], dialect: Int?, connection: UInt32)
    /// A response is sent. The event contains all of its bytes. `fault` names the faults that changed it.
    case responded(RequestHead, [UInt8], dialect: Int?, status: Int, fault: String, connection: UInt32)
    /// A dialect has answered a request. ``RequestInfo`` says what was requested and by whom.
    indirect case judged(
        RequestInfo, operation: String, dialect: Int, status: Int, retryAfter: String?, connection: UInt32)
    /// A request was answered; this event is for the log. `reason` says why a request was refused, unless that was
    /// already logged.
    indirect case answered(
        method: String, path: String, status: Int, reason: String?,
        peer: any CustomStringConvertible & Sendable)
    /// A request has no route; `hint` names the route that was probably meant. `path` is decoded; `rawPath` is the path
    /// as sent. `peer` is nil if another log line already mentions the request.
    indirect case unmatchedRequest(method: String, path: String, rawPath: String, hint: String, peer: String?)
    case handshakeRefused
    case controlled

    // Connections of sessions

    case connected(ConnectionReference, cursor: UInt64)
    case disconnected(ConnectionReference)
    /// The connection is closed or closing.
    case dropped(ConnectionReference, DropCause)
    /// A fault begins or stops holding back output.
    case stalled(ConnectionReference, isStalled: Bool)
    /// A ping, pong or Close frame. `code` belongs to a Close frame.
    case framed(ConnectionReference, ControlFrame, isInbound: Bool, code: Int?)

    // Sessions

    indirect case opened(session: String, Script)
    /// A client's message was received, before the session handles it.
    case heard(ConnectionReference, [UInt8], Decoded, of: DeliveryLog)
    /// The rate limit dropped a message.
    case flooded(ConnectionReference, [UInt8], of: DeliveryLog)
    /// A journal entry was delivered to `connections` connections; 0 if all of them are still receiving their history.
    case delivered(session: String, JournalEntry, connections: Int)
    case sent(ConnectionReference, [UInt8], OutboundContext, of: DeliveryLog?)
    /// Several messages were sent together on an event stream.
    case sentAll(ConnectionReference, EncodedMessages, of: DeliveryLog)
    case noted(Note, of: DeliveryLog, UnmatchedReasons?)
    /// A fault fired. `session` is nil if a note already reports the firing.
    case fired(String, session: String?)
    case forgotten(session: String, dialect: Int)

    // The server

    indirect case broke(Violation, ConnectionID?)
    /// A line that appears in the log only.
    case remarked(String, String, peer: String?, session: String?)
}

package struct ConnectionReference: Equatable, Sendable {
    /// Session id; empty if there is none.
    package let session: String
    /// Number of the connection in rows and log.
    package let number: UInt32
    package let id: ConnectionID
    package let dialect: Int
    /// Whether the connection is an event stream instead of a WebSocket.
    package let isStream: Bool
    /// The connection number in the type that the protocol rules use.
    var key: UInt64 { UInt64(number) }

    package init(session: String, number: UInt32, id: ConnectionID, dialect: Int, isStream: Bool = false) {
        self.session = session
        self.number = number
        self.id = id
        self.dialect = dialect
        self.isStream = isStream
    }
}

package enum ControlFrame: String, Sendable {
    case ping = "PING"
    case pong = "PONG"
    case close = "CLOSE"
}

/// Near-miss report that is made on first use, because it costs as much as many messages.
package final class UnmatchedReasons {
    package private(set) lazy var report: UnmatchedReport? = make()
    private let make: () -> UnmatchedReport?

    package init(_ make: @escaping () -> UnmatchedReport?) { self.make = make }
}

/// Time of an event by the server's clock and by the wall clock.
package struct EventTime: Sendable {
    /// Time of the server's clock.
    package let now: Instant
    /// Time by the wall clock. It equals the time by the server's clock unless that clock was moved.
    package let wall: Instant

    package init(now: Instant, wall: Instant) {
        self.now = now
        self.wall = wall
    }
}

package protocol ServerEventReader {
    mutating func read(_ event: ServerEvent, at moment: EventTime)
}
