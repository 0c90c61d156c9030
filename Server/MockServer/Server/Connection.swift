import Clocks
import ConversationEngine
import Deflate
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// One accepted socket and the protocol it speaks at the moment. A stage carries what is valid in it.
///
/// | stage | on | next |
/// | --- | --- | --- |
/// | http | a request, answered | http |
/// | http | a WebSocket request, accepted | handshake |
/// | handshake | the handshake delay is over | webSocket |
/// | http | a request that an event stream answers | stream |
/// | stream | its end, where the client goes on | http |
/// | http | a response that a trouble holds back | held |
/// | held | the trouble is over | closing |
/// | http | a request that waits for rows | waiting |
/// | waiting | the rows are there, or its time is over | closing |
/// | http, waiting | a request whose body takes long to read, or its answer to make | working |
/// | working | the body is read, or the answer is made | http, stream, closing |
/// | any | refusal, `Connection: close`, close handshake done | closing |
final class Connection {
    /// Each case holds one reference: stages are looked at for each message, and a copy counts what it holds.
    enum Stage {
        case http(Box<HTTPExchange>)
        /// The 101 response waits; bytes that came meanwhile wait with it.
        indirect case handshake(Handshake)
        case webSocket(OpenWebSocket)
        /// The body of a response that goes on as long as the talk.
        case stream(OpenStream)
        /// A trouble holds the response back.
        indirect case held(HeldAnswer)
        /// A request waits for rows.
        indirect case waiting(RowWait)
        /// The body is being read away from the loop, or the answer is put together there, or in pieces. Without further
        /// requests the connection ends with the answer.
        indirect case working(RequestHead, behind: Behind?)
        /// Last bytes are on their way; nothing is read any more.
        case closing
    }

    struct Handshake {
        let response: Response
        /// Set where messages may be compressed.
        let deflate: DeflateCodec?
        var channel: Channel
        /// Whose connection it is, in the dialect's count.
        let party: Int
        var early: [UInt8]
        /// The troubles that hold it back.
        var holds: [HoldQueue.Hold]
    }

    /// The requests after one that is worked on: nothing more of them is read meanwhile.
    final class Behind {
        let exchange: Box<HTTPExchange>
        /// Parser output that came in one piece with the request.
        var outputs: [RequestParser.Output] = []
        /// Bytes of all this, charged with the request that is worked on (``Connection/bodyCharge``).
        var charge = 0
        /// Ends with the connection.
        let wish = WorkWish()

        init(_ exchange: Box<HTTPExchange>) {
            self.exchange = exchange
        }
    }

    struct HeldAnswer {
        /// The parts of the response, in order.
        let parts: [[UInt8]]
        var holds: [HoldQueue.Hold]
    }

    final class OpenWebSocket {
        /// What it is for.
        enum Purpose {
            case echo
            /// Out of line: no other connection has room for a feed.
            indirect case feed(RowFeed)
            case session(Channel)
        }

        var core: WebSocketConnection
        /// Set where messages may be compressed.
        let deflate: DeflateCodec?
        var purpose: Purpose
        /// As ``HTTPExchange/isPaused``.
        var isPaused = false
        /// Input that waits; nil for most connections.
        private var waiting: Box<(bytes: ArraySlice<UInt8>, isLast: Bool)>?
        /// Bytes received after a message whose inflation takes further turns.
        var unread: ArraySlice<UInt8> {
            get { waiting?.value.bytes ?? [] }
            set {
                if let waiting {
                    waiting.value.bytes = newValue
                } else if !newValue.isEmpty {
                    waiting = Box((newValue, false))
                }
            }
        }
        /// The end of the peer's input follows ``unread``.
        var endsUnread: Bool { waiting?.value.isLast ?? false }

        init(_ core: WebSocketConnection, deflate: DeflateCodec?, for purpose: Purpose) {
            self.core = core
            self.deflate = deflate
            self.purpose = purpose
        }

        var isOpen: Bool { core.state == .open }

        /// Bytes of the message under way, and of what came after it.
        var heldBytes: Int { core.bufferedBytes + unread.count }

        /// The connection waits for a turn that inflates more.
        var isBehind: Bool { core.isInflating || waiting?.value.bytes.isEmpty == false }

        /// Notes the end of the peer's input. False when everything before the end was read, so that the end counts now.
        func endsLater() -> Bool {
            guard isBehind else { return false }
            waiting = Box((unread, true))
            return true
        }
    }

    final class OpenStream {
        var channel: Channel
        let framing: Response.StreamFraming
        /// The requests that go on behind it; nil where the connection ends with it.
        var behind: Box<HTTPExchange>?

        init(_ channel: Channel, _ framing: Response.StreamFraming, behind: Box<HTTPExchange>?) {
            self.channel = channel
            self.framing = framing
            self.behind = behind
        }

        /// The writes of a message that is sent without a copy; nil for a short one in a chunk (RFC 9112 §7.1).
        func parts(of bytes: [UInt8]) -> [[UInt8]]? {
            guard framing == .chunked else { return [bytes] }
            return bytes.count < CoreLimits.longAnswerBytes ? nil : TransferChunk.parts(of: bytes)
        }
    }

    let socket: SocketID
    /// How the log and rows number it, from 1 upwards.
    let number: UInt32
    /// Bytes that wait for the peer, as the loop last noted, with those written since.
    var pendingBytes: UInt32 = 0
    func wrote(_ bytes: Int) { pendingBytes = UInt32(clamping: Int(pendingBytes) + bytes) }

    /// How the engine names this connection.
    var id: ConnectionID { ConnectionID(UInt64(socket.slot) << 32 | UInt64(socket.generation)) }
    /// The other end of the socket.
    let remote: SocketAddress
    /// The client behind a trusted proxy, as the last request tells it.
    var forwarded: Box<SocketAddress>?
    /// Who asks, for the log and for people.
    var peer: SocketAddress { forwarded?.value ?? remote }
    /// The program at the other end, as it names itself; only of a session's connection.
    var userAgent: String?
    var stage: Stage
    /// Bytes of a request, or of a message that is not whole (``MemoryLedger/Kind/bodies``).
    var bodyCharge: Int {
        get { costs?.value.body ?? 0 }
        set { if newValue != bodyCharge { ownCosts.body = newValue } }
    }
    /// Bytes of the rows that the connection waits with (``MemoryLedger/Kind/waits``).
    var waitCharge: Int {
        get { costs?.value.wait ?? 0 }
        set { if newValue != waitCharge { ownCosts.wait = newValue } }
    }
    /// Bytes of the traffic that troubles hold back (``MemoryLedger/Kind/held``).
    var heldCharge: Int {
        get { costs?.value.held ?? 0 }
        set { if newValue != heldCharge { ownCosts.held = newValue } }
    }
    /// Bytes that the peer had taken at the last look, and since when it has taken no more; nil while little waits.
    var stall: (sent: UInt32, since: Instant)? {
        get { costs?.value.stall }
        set { if newValue != nil || costs != nil { ownCosts.stall = newValue } }
    }

    private struct Costs {
        var body = 0
        var wait = 0
        var held = 0
        var stall: (sent: UInt32, since: Instant)?
    }

    /// Nil for an idle connection.
    private var costs: Box<Costs>?
    private var ownCosts: Costs {
        get { costs?.value ?? Costs() }
        set {
            if let costs { costs.value = newValue } else { costs = Box(newValue) }
        }
    }
    let admission: ConnectionLimiter<SocketAddress>.Admission

    /// The peer has taken nothing for `time`, as of `sent` bytes now.
    func isStalled(sent: UInt32, for time: Interval, at now: Instant) -> Bool {
        guard let stall, stall.sent == sent else {
            stall = (sent, now)
            return false
        }
        return stall.since + time <= now
    }

    init(
        socket: SocketID, number: UInt32, peer: SocketAddress, exchange: HTTPExchange,
        admission: ConnectionLimiter<SocketAddress>.Admission
    ) {
        self.socket = socket
        self.number = number
        remote = peer
        self.admission = admission
        stage = .http(Box(exchange))
    }

    // MARK: - By stage

    var exchange: Box<HTTPExchange>? {
        if case .http(let exchange) = stage { return exchange }
        return nil
    }

    var webSocket: OpenWebSocket? {
        if case .webSocket(let webSocket) = stage { return webSocket }
        return nil
    }

    /// A message may be put on it: the server has not said Close there.
    var mayBeTold: Bool { stream != nil || webSocket.map { $0.core.state != .closing } ?? false }

    /// The session that it belongs to.
    var session: SessionHandle? { channel?.handle }

    var channel: Channel? {
        switch stage {
        case .handshake(let handshake): return handshake.channel
        case .webSocket(let webSocket):
            if case .session(let channel) = webSocket.purpose { return channel }
            return nil
        case .stream(let stream): return stream.channel
        default: return nil
        }
    }

    /// Messages to it may be sent at once, unchanged.
    var isPlain: Bool {
        switch stage {
        case .webSocket(let webSocket):
            if case .session(let channel) = webSocket.purpose { return channel.isPlain }
            return true
        case .stream(let stream): return stream.channel.isPlain
        default: return false
        }
    }

    /// No history is on its way to it. Mostly it is plain, and its channel is not copied to find out.
    var isCaughtUp: Bool { isPlain || channel?.history == nil }

    var stream: OpenStream? {
        if case .stream(let stream) = stage { return stream }
        return nil
    }

    /// The connection ends with its stream: the session is over, a trouble strikes, or input came meanwhile that was not
    /// read.
    func endWithStream() { stream?.behind = nil }

    /// Changes the channel; nil where there is none.
    @discardableResult
    func withChannel<Result>(_ body: (inout Channel) -> Result) -> Result? {
        switch stage {
        case .handshake(var handshake):
            let result = body(&handshake.channel)
            stage = .handshake(handshake)
            return result
        case .webSocket(let webSocket):
            guard case .session(var channel) = webSocket.purpose else { return nil }
            let result = body(&channel)
            webSocket.purpose = .session(channel)
            return result
        case .stream(let stream): return body(&stream.channel)
        default: return nil
        }
    }

    /// The troubles that hold back its answer or its handshake.
    var holds: [HoldQueue.Hold] {
        get {
            switch stage {
            case .handshake(let handshake): handshake.holds
            case .held(let answer): answer.holds
            default: []
            }
        }
        set {
            switch stage {
            case .handshake(var handshake):
                handshake.holds = newValue
                stage = .handshake(handshake)
            case .held(var answer):
                answer.holds = newValue
                stage = .held(answer)
            default: break
            }
        }
    }

    /// When the last of them lets go; nil when none holds anything.
    var heldUntil: Instant? { holds.map(\.end).max() }

    /// See ``HTTPExchange/isPaused``.
    var isPaused: Bool {
        get { exchange?.value.isPaused ?? webSocket?.isPaused ?? false }
        set {
            exchange?.value.isPaused = newValue
            webSocket?.isPaused = newValue
        }
    }

    /// New rows concern it.
    var isWatching: Bool {
        if case .waiting = stage { return true }
        return isFeed
    }

    var isFeed: Bool { feed != nil }

    /// The filter that rows are compared with for the connection.
    var listeningFilter: RowFilter? {
        if case .waiting(let wait) = stage { return wait.filter }
        return feed?.filter
    }

    var feed: RowFeed? {
        if case .feed(let feed)? = webSocket?.purpose { return feed }
        return nil
    }
}
