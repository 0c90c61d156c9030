import Clocks
import ConversationEngine
import Deflate
import HTTPCore
import SocketTransport
import WebSocketCore

/// One accepted socket and the protocol it speaks at the moment.
///
/// | stage | on | next |
/// | --- | --- | --- |
/// | http | a request, answered | http |
/// | http | a WebSocket request, accepted | handshake |
/// | handshake | the handshake delay is over | webSocket |
/// | http | a response that a trouble holds back | answering |
/// | http | a response too long to be written at once | sending |
/// | sending | all of it written | closing |
/// | answering | the trouble is over | closing |
/// | http | a request that waits for rows | waiting |
/// | waiting | the rows are there, or its time is over | closing |
/// | http | a request whose answer takes long to make | working |
/// | working | the answer is made | sending |
/// | any | refusal, `Connection: close`, close handshake done | closing |
final class Connection {
    enum Stage {
        case http
        /// The 101 response waits; bytes that came meanwhile wait with it.
        case handshake(Response, early: [UInt8])
        case webSocket
        /// A trouble holds the response back.
        case answering([UInt8])
        /// A request waits for rows.
        case waiting(RowWait)
        /// The answer is being put together away from the loop, or in pieces.
        case working(RequestHead)
        /// A long response leaves as fast as the client reads it; `sent` of its bytes have.
        case sending([UInt8], sent: Int)
        /// Last bytes are on their way; nothing is read any more.
        case closing
    }

    /// What an open WebSocket is for.
    enum Purpose {
        case echo
        case feed(RowFeed)
        case session(SessionHandle, dialect: Int)
    }

    let socket: SocketID
    /// How the log and rows number it, from 1 upwards.
    let number: UInt32
    /// How the engine names this connection.
    var id: ConnectionID { ConnectionID(UInt64(socket.slot) << 32 | UInt64(socket.generation)) }
    let peer: SocketAddress
    var stage = Stage.http
    /// Nil once the connection speaks another protocol.
    var parser: Aside<RequestParser>?
    var head: RequestHead?
    var body: [UInt8] = []
    /// Bytes that the body of this request may have.
    var bodyLimit = 0
    var webSocket: WebSocketConnection?
    /// Set while messages may be compressed.
    var deflate: DeflateCodec?
    var purpose = Purpose.echo
    /// A history on its way: how far it was sent.
    struct History {
        let handle: SessionHandle
        /// Index of the entry to send next.
        var next: Int
        /// The session's first entry leads, also when the cursor is past it.
        let leadsWithStart: Bool
        /// Nothing was sent yet; even an empty history is told.
        var isFirst: Bool
        /// The last message had more than one event.
        var endsWithSeveral = false
    }

    var history: History?
    /// Messages without a sequence that came while the history was on its way.
    var heldBack: [(bytes: [UInt8], telling: Telling)] = []
    /// Troubles that act on the next message.
    var strikes: [Strike] = []
    /// Set while troubles hold messages back.
    var valve: Aside<Valve>?
    /// The troubles that hold the response back.
    var answerHolds: [Valve.Hold] = []
    /// When the last of them lets go; nil when none holds anything.
    var heldUntil: Instant? { answerHolds.map(\.end).max() }
    /// When the request began that is not complete; nil between requests.
    var requestBegan: Instant?
    /// When the history ended behind which the next live event may have to wait. No request is under way then, so
    /// it takes no room of its own.
    var historyEnded: Instant? {
        get { requestBegan }
        set { requestBegan = newValue }
    }

    /// The head of a request has come.
    var hasAsked = false
    /// It counts among those of its address.
    var isCounted = false
    /// Which connections it is one too many of.
    enum Crowd {
        case ofServer
        case ofAddress
    }

    /// Set when it is only told that there are too many.
    var crowd: Crowd?
    /// Set while nothing is read, because the peer has not read what waits for it: what the socket had sent when
    /// this was last looked at.
    var stall: UInt32?

    init(socket: SocketID, number: UInt32, peer: SocketAddress, parser: RequestParser) {
        self.socket = socket
        self.number = number
        self.peer = peer
        self.parser = Aside(parser)
    }
}

/// What most connections do without: kept outside of them, so that an idle one stays small.
final class Aside<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
