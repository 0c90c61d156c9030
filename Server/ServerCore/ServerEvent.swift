package import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
package import Matching

/// Something that happened in the server. It is told once, where it happens, and read by all who keep or tell something
/// of it (``ServerEventReader``). A reader that leaves a case out does not compile.
///
/// A happening is as large as its largest case, and readers move it: what is large and no message is elsewhere in memory.
package enum ServerEvent {
    // Sockets and requests

    case accepted
    /// `head` with its body has come, for clients of this dialect; nil: for the server's own.
    case requested(RequestHead, body: [UInt8], dialect: Int?, connection: UInt32)
    /// A response leaves; `bytes` are all of it. `fault` names the troubles that changed it.
    case responded(RequestHead, [UInt8], dialect: Int?, status: Int, fault: String, connection: UInt32)
    /// A dialect has answered, and found out who asked for what.
    indirect case judged(
        RequestInfo, operation: String, dialect: Int, status: Int, retryAfter: String?, connection: UInt32)
    /// A request is answered, for the log: `reason` says why it was refused, where that is not known already. `peer`
    /// becomes a text where somebody reads it.
    indirect case answered(
        method: String, path: String, status: Int, reason: String?,
        peer: any CustomStringConvertible & Sendable)
    /// A request that no route takes; `hint` says what was probably meant. `path` is decoded, `rawPath` as sent. No
    /// `peer` where another line of the log names the request.
    indirect case stray(method: String, path: String, rawPath: String, hint: String, peer: String?)
    case handshakeRefused
    /// The control API was asked.
    case controlled

    // Connections of sessions

    case connected(ConnectionReference, cursor: UInt64)
    case disconnected(ConnectionReference)
    /// The connection is gone, or goes.
    case dropped(ConnectionReference, DropCause)
    /// A trouble holds the connection's bytes back, or has let go.
    case stalled(ConnectionReference, isStalled: Bool)
    /// A ping, a pong or a Close. `code` is that of a Close.
    case framed(ConnectionReference, ControlFrame, isInbound: Bool, code: Int?)

    // Talks

    indirect case opened(session: String, Script)
    /// A client said something, before the session hears it.
    case heard(ConnectionReference, [UInt8], Decoded, of: DeliveryLog)
    /// The same of a message that comes too fast, and is not heard.
    case flooded(ConnectionReference, [UInt8], of: DeliveryLog)
    /// An entry was told to so many connections; to none while all of them catch up.
    case told(session: String, JournalEntry, connections: Int)
    /// A message has left for a client.
    case sent(ConnectionReference, [UInt8], OutboundContext, of: DeliveryLog?)
    /// Several messages have left on an event stream, at one moment and as they are.
    case sentAll(ConnectionReference, EncodedMessages, of: DeliveryLog)
    case noted(Note, of: DeliveryLog, UnheardReasons?)
    /// A trouble struck. No session where the talk itself notes it.
    case struck(String, session: String?)
    case forgotten(session: String, dialect: Int)

    // The server

    /// A client broke a law.
    indirect case broke(Breach, ConnectionID?)
    /// A line for the log alone.
    case remarked(String, String, peer: String?, session: String?)
}

/// Which connection of which session.
package struct ConnectionReference: Equatable, Sendable {
    /// Empty: none.
    package let session: String
    /// As rows and the log number it.
    package let number: UInt32
    package let id: ConnectionID
    package let dialect: Int
    /// It is an event stream, not a WebSocket.
    package let isStream: Bool

    package init(
        session: String, number: UInt32, id: ConnectionID, dialect: Int, isStream: Bool = false
    ) {
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

/// Why no rule heard a message. Put together for the first who asks: it costs as much as many messages.
package final class UnheardReasons {
    package private(set) lazy var report: UnheardReport? = make()
    private let make: () -> UnheardReport?

    package init(_ make: @escaping () -> UnheardReport?) {
        self.make = make
    }
}

/// When something happened.
package struct EventTime: Sendable {
    /// By the server's clock.
    package let now: Instant
    /// By the wall's; the same unless somebody moves the server's clock.
    package let wall: Instant

    package init(now: Instant, wall: Instant) {
        self.now = now
        self.wall = wall
    }
}

/// Keeps or tells something of what happens.
package protocol ServerEventReader {
    mutating func read(_ happening: ServerEvent, at moment: EventTime)
}
