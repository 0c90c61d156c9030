package import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
package import Matching

/// An event of the server, recorded once and passed to all readers (``ServerEventReader``). A reader that leaves a case
/// out does not compile. Cases that are large and no messages are indirect: readers move the event, which is as large
/// as the largest.
package enum ServerEvent {
    // Sockets and requests

    case accepted
    /// A request came in, for a dialect or, where nil, for the server itself.
    case requested(RequestHead, body: [UInt8], dialect: Int?, connection: UInt32)
    /// A response leaves, with all its bytes. `fault` names the faults that changed it.
    case responded(RequestHead, [UInt8], dialect: Int?, status: Int, fault: String, connection: UInt32)
    /// A dialect has answered and identified the request.
    indirect case judged(
        RequestInfo, operation: String, dialect: Int, status: Int, retryAfter: String?, connection: UInt32)
    /// A request was answered, for the log; `reason` of a refusal, unless logged before. `peer` is rendered by readers.
    indirect case answered(
        method: String, path: String, status: Int, reason: String?,
        peer: any CustomStringConvertible & Sendable)
    /// A request without a route; `hint` is the likely one. `path` is decoded, `rawPath` as sent. No `peer` where
    /// another log line names the request.
    indirect case unmatchedRequest(method: String, path: String, rawPath: String, hint: String, peer: String?)
    case handshakeRefused
    case controlled

    // Connections of sessions

    case connected(ConnectionReference, cursor: UInt64)
    case disconnected(ConnectionReference)
    /// The connection is gone or closing.
    case dropped(ConnectionReference, DropCause)
    /// A fault begins or ends to hold back output.
    case stalled(ConnectionReference, isStalled: Bool)
    /// A ping, a pong or a Close. `code` is that of a Close.
    case framed(ConnectionReference, ControlFrame, isInbound: Bool, code: Int?)

    // Sessions

    indirect case opened(session: String, Script)
    /// A message of a client, before the session handles it.
    case heard(ConnectionReference, [UInt8], Decoded, of: DeliveryLog)
    /// A message dropped by the rate limit.
    case flooded(ConnectionReference, [UInt8], of: DeliveryLog)
    /// An entry delivered to so many connections; to none while all of them catch up.
    case told(session: String, JournalEntry, connections: Int)
    case sent(ConnectionReference, [UInt8], OutboundContext, of: DeliveryLog?)
    /// Several messages left on an event stream at one moment.
    case sentAll(ConnectionReference, EncodedMessages, of: DeliveryLog)
    case noted(Note, of: DeliveryLog, UnmatchedReasons?)
    /// A fault fired. No session where a note reports it.
    case fired(String, session: String?)
    case forgotten(session: String, dialect: Int)

    // The server

    indirect case broke(Violation, ConnectionID?)
    /// A line for the log alone.
    case remarked(String, String, peer: String?, session: String?)
}

/// Reference to a connection of a session.
package struct ConnectionReference: Equatable, Sendable {
    /// Empty: none.
    package let session: String
    /// Its number in rows and log.
    package let number: UInt32
    package let id: ConnectionID
    package let dialect: Int
    /// True for an event stream, false for a WebSocket.
    package let isStream: Bool
    /// The number as the protocol rules know it.
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

/// Lazy report on why no rule matched a message; it costs as much as many messages.
package final class UnmatchedReasons {
    package private(set) lazy var report: UnmatchedReport? = make()
    private let make: () -> UnmatchedReport?

    package init(_ make: @escaping () -> UnmatchedReport?) { self.make = make }
}

/// The time of an event.
package struct EventTime: Sendable {
    /// By the server's clock.
    package let now: Instant
    /// By the wall clock; the same unless the server's clock is moved.
    package let wall: Instant

    package init(now: Instant, wall: Instant) {
        self.now = now
        self.wall = wall
    }
}

/// A reader of the server's events.
package protocol ServerEventReader {
    mutating func read(_ event: ServerEvent, at moment: EventTime)
}
