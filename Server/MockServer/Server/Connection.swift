import Clocks
import ConversationEngine
import Deflate
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// One accepted socket and its protocol stage. Each stage holds the state that is valid in it.
///
/// | stage | on | next |
/// | --- | --- | --- |
/// | http | a request, answered | http |
/// | http | a WebSocket request of a session, accepted | handshake |
/// | http | a WebSocket request for a feed or the echo, accepted | webSocket |
/// | handshake | the handshake delay is over | webSocket |
/// | http | a request that an event stream answers | stream |
/// | stream | its end, if the client keeps the connection | http |
/// | http | a response that a fault holds back | held |
/// | held | the fault is over | closing |
/// | http | a request that waits for rows | waiting |
/// | waiting | the rows are there, or its time is over | closing |
/// | http, waiting | a request whose body takes long to read, or whose answer takes long to make | working |
/// | working | the body is read, or the answer is made | http, with the transitions from there, or closing |
/// | any | refusal, `Connection: close`, close handshake done | closing |
final class Connection {
    /// State of a stage. Each case holds one reference, because the stage is copied for each message.
    enum Stage {
        case http(Box<HTTPExchange>)
        /// The 101 response is delayed.
        indirect case handshake(Handshake)
        case webSocket(OpenWebSocket)
        case stream(OpenStream)
        indirect case held(HeldAnswer)
        indirect case waiting(RowWait)
        /// A queue parses the body or makes the answer.
        indirect case working(RequestHead, pipelined: Pipelined?)
        case closing
    }

    struct Handshake {
        let response: Response
        let deflate: DeflateCodec?
        var channel: Channel
        /// Number of the participant whose connection this is, assigned by the dialect.
        let party: Int
        var early: [UInt8]
        var holds: [HoldQueue.Hold]
    }

    /// Pipelined requests that wait for the current one.
    final class Pipelined {
        let exchange: Box<HTTPExchange>
        /// Parser output that follows the current request.
        var outputs: [RequestParser.Output] = []
        /// Bytes of the pipelined requests, charged with the current request (``Connection/Costs/body``).
        var charge = 0
        let cancellation = CancellationFlag()

        init(_ exchange: Box<HTTPExchange>) { self.exchange = exchange }
    }

    struct HeldAnswer {
        let parts: [[UInt8]]
        var holds: [HoldQueue.Hold]
    }

    final class OpenWebSocket {
        enum Purpose {
            case echo
            /// Indirect, because feeds are large and few.
            indirect case feed(RowFeed)
            case session(Channel)

            var isPlain: Bool { if case .session(let channel) = self { channel.isPlain } else { true } }
        }

        /// Unchecked, which saves 85 of the 21,600 instructions of a streamed chunk (decision 0001).
        @exclusivity(unchecked) var core: WebSocketConnection
        let deflate: DeflateCodec?
        var purpose: Purpose { didSet { isPlain = purpose.isPlain } }
        /// The value of ``Purpose/isPlain``. Stored, because each message reads it up to three times, and computing it
        /// copies the channel.
        private(set) var isPlain: Bool
        var isPaused = false
        /// Input that waits for the inflation of earlier messages; nil for most connections.
        private var waiting: Box<(bytes: ArraySlice<UInt8>, isLast: Bool)>?
        /// Bytes that wait for the inflation of earlier bytes.
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
        var endsUnread: Bool { waiting?.value.isLast ?? false }

        init(_ core: WebSocketConnection, deflate: DeflateCodec?, for purpose: Purpose) {
            self.core = core
            self.deflate = deflate
            self.purpose = purpose
            isPlain = purpose.isPlain
        }

        var isOpen: Bool { core.state == .open }

        var session: SessionHandle? {
            if case .session(let channel) = purpose { channel.handle } else { nil }
        }

        /// Bytes of the unfinished message, and of the input after it.
        var heldBytes: Int { core.bufferedBytes + unread.count }

        var awaitsInflation: Bool { core.isInflating || waiting?.value.bytes.isEmpty == false }

        /// Records the end of input while earlier input waits for inflation. Otherwise returns false.
        func endsLater() -> Bool {
            guard awaitsInflation else { return false }
            waiting = Box((unread, true))
            return true
        }
    }

    final class OpenStream {
        var channel: Channel
        let framing: Response.StreamFraming
        /// Requests that follow the stream; nil if the connection ends with the stream.
        var pipelined: Box<HTTPExchange>?

        init(_ channel: Channel, _ framing: Response.StreamFraming, pipelined: Box<HTTPExchange>?) {
            self.channel = channel
            self.framing = framing
            self.pipelined = pipelined
        }

        /// Returns writes that send a message without a copy. Nil for a short chunk (RFC 9112 §7.1).
        func parts(of bytes: [UInt8]) -> [[UInt8]]? {
            guard framing == .chunked else { return [bytes] }
            return bytes.count < CoreLimits.longAnswerBytes ? nil : TransferChunk.parts(of: bytes)
        }
    }

    let socket: SocketID
    /// The connection's number in the log and in rows, from 1.
    let number: UInt32
    /// Unsent bytes: the number that the loop last recorded, plus the bytes written since then.
    @exclusivity(unchecked) var pendingBytes: UInt32 = 0
    func wrote(_ bytes: Int) { pendingBytes = UInt32(clamping: Int(pendingBytes) + bytes) }

    var id: ConnectionID { ConnectionID(UInt64(socket.slot) << 32 | UInt64(socket.generation)) }
    let remote: SocketAddress
    /// Client address from a trusted proxy, for the last request.
    @exclusivity(unchecked) var forwarded: Box<SocketAddress>?
    /// Client address in the log and the control API.
    var peer: SocketAddress { forwarded?.value ?? remote }
    /// Recorded only for connections of sessions.
    var userAgent: String?
    @exclusivity(unchecked) var stage: Stage
    /// Memory charges and stall state, allocated only when needed.
    var costs: Costs {
        get { kept?.value ?? Costs() }
        set {
            if let kept { kept.value = newValue } else if newValue != Costs() { kept = Box(newValue) }
        }
    }
    @exclusivity(unchecked) private var kept: Box<Costs>?

    struct Costs: Equatable {
        /// Bytes of a request, or of an unfinished message (``MemoryLedger/Kind/bodies``).
        var body = 0
        /// Bytes of the rows that a wait has found (``MemoryLedger/Kind/waits``).
        var wait = 0
        /// Bytes that faults and interceptions hold back (``MemoryLedger/Kind/held``).
        var held = 0
        /// Nil unless unsent output is being watched.
        var stall: Stall?
    }

    /// Number of acknowledged bytes, and the time since which it is unchanged.
    struct Stall: Equatable {
        var sent: UInt32
        var since: Instant
    }

    let admission: ConnectionLimiter<SocketAddress>.Admission

    /// Returns true if the peer has acknowledged nothing for `time`. `sent` is the current number of acknowledged
    /// bytes.
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

    /// Whether the stage carries messages, and the server has not sent a Close.
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

    /// Whether the connection is an open WebSocket or an event stream.
    var isOpen: Bool {
        switch stage {
        case .webSocket(let webSocket): webSocket.isOpen
        case .stream: true
        default: false
        }
    }

    /// Whether messages may be sent at once, without delay or change by faults.
    var isPlain: Bool {
        switch stage {
        case .webSocket(let webSocket): return webSocket.isPlain
        case .stream(let stream): return stream.channel.isPlain
        default: return false
        }
    }

    /// False while a history is sent. Tests `isPlain` first, to avoid a copy of `channel`.
    var isCaughtUp: Bool { isPlain || channel?.history == nil }

    var stream: OpenStream? {
        if case .stream(let stream) = stage { stream } else { nil }
    }

    /// Lets the connection end with its stream.
    func endWithStream() { stream?.pipelined = nil }

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

    /// Delays of the answer or the handshake that faults have caused.
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

    var heldUntil: Instant? { holds.map(\.end).max() }

    var isPaused: Bool {
        get { exchange?.value.isPaused ?? webSocket?.isPaused ?? false }
        set {
            exchange?.value.isPaused = newValue
            webSocket?.isPaused = newValue
        }
    }

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
