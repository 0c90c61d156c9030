import Clocks
import ConversationEngine
import Deflate
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// One accepted socket and its present protocol stage; a stage carries what is valid in it.
///
/// | stage | on | next |
/// | --- | --- | --- |
/// | http | a request, answered | http |
/// | http | a WebSocket request, accepted | handshake |
/// | handshake | the handshake delay is over | webSocket |
/// | http | a request that an event stream answers | stream |
/// | stream | its end, where the client goes on | http |
/// | http | a response that a fault holds back | held |
/// | held | the fault is over | closing |
/// | http | a request that waits for rows | waiting |
/// | waiting | the rows are there, or its time is over | closing |
/// | http, waiting | a request whose body takes long to read, or its answer to make | working |
/// | working | the body is read, or the answer is made | http, stream, closing |
/// | any | refusal, `Connection: close`, close handshake done | closing |
final class Connection {
    /// Each case holds one reference: a stage is copied for each message, which counts its references.
    enum Stage {
        case http(Box<HTTPExchange>)
        /// The 101 response is delayed; bytes that arrive meanwhile are kept.
        indirect case handshake(Handshake)
        case webSocket(OpenWebSocket)
        case stream(OpenStream)
        indirect case held(HeldAnswer)
        indirect case waiting(RowWait)
        /// The body is parsed away from the loop, or the answer made there or in pieces. Without pipelined
        /// requests the connection ends with the answer.
        indirect case working(RequestHead, behind: Pipelined?)
        /// The last bytes are being sent; nothing is read any more.
        case closing
    }

    struct Handshake {
        let response: Response
        /// Compression state, if it was negotiated.
        let deflate: DeflateCodec?
        var channel: Channel
        /// Its owner in the dialect's count.
        let party: Int
        var early: [UInt8]
        var holds: [HoldQueue.Hold]
    }

    /// Pipelined requests after one being worked on; no more of them is read meanwhile.
    final class Pipelined {
        let exchange: Box<HTTPExchange>
        /// Parser output that arrived with the request.
        var outputs: [RequestParser.Output] = []
        /// Bytes of all this, charged with the request being worked on (``Connection/Costs/body``).
        var charge = 0
        let cancellation = CancellationFlag()

        init(_ exchange: Box<HTTPExchange>) { self.exchange = exchange }
    }

    struct HeldAnswer {
        /// The parts of the response, in order.
        let parts: [[UInt8]]
        var holds: [HoldQueue.Hold]
    }

    final class OpenWebSocket {
        enum Purpose {
            case echo
            /// Indirect: feeds are large, and few.
            indirect case feed(RowFeed)
            case session(Channel)
        }

        var core: WebSocketConnection
        /// Compression state, if it was negotiated.
        let deflate: DeflateCodec?
        var purpose: Purpose
        /// See ``HTTPExchange/isPaused``.
        var isPaused = false
        /// Input that waits for inflation; nil for most connections.
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

        /// Bytes of the unfinished message, and of what came after it.
        var heldBytes: Int { core.bufferedBytes + unread.count }

        /// The connection waits for inflation.
        var awaitsInflation: Bool { core.isInflating || waiting?.value.bytes.isEmpty == false }

        /// Records the end of the peer's input. False if all input was read, so that the end takes effect
        /// now.
        func endsLater() -> Bool {
            guard awaitsInflation else { return false }
            waiting = Box((unread, true))
            return true
        }
    }

    final class OpenStream {
        var channel: Channel
        let framing: Response.StreamFraming
        /// The requests that follow it; nil where the connection ends with it.
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
    /// Its number in log and rows, from 1 upwards.
    let number: UInt32
    /// Bytes that wait for the peer: those the loop last noted, and those written since.
    var pendingBytes: UInt32 = 0
    func wrote(_ bytes: Int) { pendingBytes = UInt32(clamping: Int(pendingBytes) + bytes) }

    var id: ConnectionID { ConnectionID(UInt64(socket.slot) << 32 | UInt64(socket.generation)) }
    let remote: SocketAddress
    /// The client of a trusted proxy, named by the last request.
    var forwarded: Box<SocketAddress>?
    /// The client, for the log and for people.
    var peer: SocketAddress { forwarded?.value ?? remote }
    /// Noted for connections of sessions alone.
    var userAgent: String?
    var stage: Stage
    /// Charges to the ledger, and the peer's stall. Allocated on demand, because an idle connection has
    /// neither.
    var costs: Costs {
        get { kept?.value ?? Costs() }
        set {
            if let kept { kept.value = newValue } else if newValue != Costs() { kept = Box(newValue) }
        }
    }
    private var kept: Box<Costs>?

    struct Costs: Equatable {
        /// Bytes of a request, or of an unfinished message (``MemoryLedger/Kind/bodies``).
        var body = 0
        /// Bytes of the rows that a wait has found (``MemoryLedger/Kind/waits``).
        var wait = 0
        /// Bytes held back by faults (``MemoryLedger/Kind/held``).
        var held = 0
        /// Nil unless much output is waiting.
        var stall: Stall?
    }

    /// Bytes that the peer had taken at the last look, and the moment since when it has taken no more.
    struct Stall: Equatable {
        var sent: UInt32
        var since: Instant
    }

    let admission: ConnectionLimiter<SocketAddress>.Admission

    /// Whether the peer has taken nothing for `time`, as of `sent` bytes now.
    func isStalled(sent: UInt32, for time: Interval, at now: Instant) -> Bool {
        guard let stall = costs.stall, stall.sent == sent else {
            costs.stall = Stall(sent: sent, since: now)
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
        if case .http(let exchange) = stage { exchange } else { nil }
    }

    var webSocket: OpenWebSocket? {
        if case .webSocket(let webSocket) = stage { webSocket } else { nil }
    }

    /// Whether a message may be sent, because the server has not sent a Close.
    var takesMessages: Bool { stream != nil || webSocket.map { $0.core.state != .closing } ?? false }

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

    /// Messages may be sent at once, unchanged.
    var isPlain: Bool {
        switch stage {
        case .webSocket(let webSocket):
            if case .session(let channel) = webSocket.purpose { return channel.isPlain }
            return true
        case .stream(let stream): return stream.channel.isPlain
        default: return false
        }
    }

    /// Whether no history is being sent. Most connections are plain, so the channel need not be copied.
    var isCaughtUp: Bool { isPlain || channel?.history == nil }

    var stream: OpenStream? {
        if case .stream(let stream) = stage { stream } else { nil }
    }

    /// Lets the connection end with its stream: the session is over, a fault fires, or unread input came.
    func endWithStream() { stream?.behind = nil }

    /// Mutates the channel; nil where there is none.
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

    /// Holds on its answer or handshake.
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

    /// The end of the last hold; nil without one.
    var heldUntil: Instant? { holds.map(\.end).max() }

    /// See ``HTTPExchange/isPaused``.
    var isPaused: Bool {
        get { exchange?.value.isPaused ?? webSocket?.isPaused ?? false }
        set {
            exchange?.value.isPaused = newValue
            webSocket?.isPaused = newValue
        }
    }

    /// Whether the connection waits for rows, or is a feed.
    var isWatching: Bool {
        if case .waiting = stage { true } else { isFeed }
    }

    var isFeed: Bool { feed != nil }

    var listeningFilter: RowFilter? {
        if case .waiting(let wait) = stage { wait.filter } else { feed?.filter }
    }

    var feed: RowFeed? {
        if case .feed(let feed)? = webSocket?.purpose { feed } else { nil }
    }
}
