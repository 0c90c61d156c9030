package import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
package import Matching

/// Event of the server, passed to all readers (``ServerEventReader``).
package enum ServerEvent {
    // Sockets and requests

    case accepted
    /// A request was received. `dialect` is nil for the server's own routes.
    case requested(RequestHead, body: [UInt8], dialect: Int?, connection: UInt32)
    /// A response is sent. Its bytes may lack a part of the body. `fault` names the faults that fired.
    case responded(RequestHead, [UInt8], dialect: Int?, status: Int, fault: String, connection: UInt32)
    /// A dialect has answered a request.
    indirect case judged(
        RequestInfo, operation: String, dialect: Int, status: Int, retryAfter: String?, connection: UInt32)
    /// A request was answered, for the log. `reason` is set for a refusal that is not logged yet.
    indirect case answered(
        method: String, path: String, status: Int, reason: String?,
        peer: any CustomStringConvertible & Sendable)
    /// A request has no route, or a wrong method. `path` is decoded, `rawPath` is as sent. `peer` is nil if the request
    /// is logged otherwise.
    indirect case unmatchedRequest(method: String, path: String, rawPath: String, hint: String, peer: String?)
    case handshakeRefused
    case controlled

    // Connections of sessions

    case connected(ConnectionReference, cursor: UInt64)
    case disconnected(ConnectionReference)
    /// The connection is closed or closing.
    case dropped(ConnectionReference, DropCause)
    /// A fault or an interception begins or stops holding back the connection's traffic.
    case stalled(ConnectionReference, isStalled: Bool)
    /// A ping, pong or Close frame. `code` belongs to a Close frame.
    case framed(ConnectionReference, ControlFrame, isInbound: Bool, code: Int?)

    // Sessions

    case opened(session: String, SharedValue<Script>)
    /// A client's message was received.
    case heard(ConnectionReference, [UInt8], Decoded, of: DeliveryLog)
    case flooded(ConnectionReference, [UInt8], of: DeliveryLog)
    /// A journal entry was passed on for delivery to `connections` connections.
    case delivered(session: String, JournalEntry, connections: Int)
    case sent(ConnectionReference, [UInt8], OutboundContext, of: DeliveryLog?)
    /// One message to several WebSockets of a session, by their numbers, recorded as if it was sent to each of them.
    case sentToMany([UInt32], dialect: Int, [UInt8], OutboundContext, of: DeliveryLog)
    case sentAll(ConnectionReference, EncodedMessages, of: DeliveryLog)
    case noted(Note, of: DeliveryLog, UnmatchedReasons?)
    /// A fault fired. `session` is nil if a `noted` event already reports the firing.
    case fired(String, session: String?)
    case forgotten(session: String, dialect: Int)

    // The server

    indirect case broke(Violation, ConnectionID?)
    case remarked(String, String, peer: String?, session: String?)
}

package struct ConnectionReference: Equatable, Sendable {
    package let session: String
    package let number: UInt32
    package let id: ConnectionID
    package let dialect: Int
    /// Whether the connection is an event stream instead of a WebSocket.
    package let isStream: Bool
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

/// Near-miss report that is made on first use, because it is expensive.
package final class UnmatchedReasons {
    package private(set) lazy var report: UnmatchedReport? = make()
    private let make: () -> UnmatchedReport?

    package init(_ make: @escaping () -> UnmatchedReport?) { self.make = make }
}

package struct EventTime: Sendable {
    package let now: Instant
    /// Time by the wall clock.
    package let wall: Instant

    package init(now: Instant, wall: Instant) {
        self.now = now
        self.wall = wall
    }
}

package protocol ServerEventReader {
    mutating func read(_ event: ServerEvent, at moment: EventTime)
}
