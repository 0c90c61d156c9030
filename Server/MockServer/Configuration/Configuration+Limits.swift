public import Clocks
import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

extension Configuration {
    /// Limits of the resources that peers can use.
    public struct Limits: Sendable, Equatable {
        /// Maximum bytes of a client's WebSocket message. A longer message closes the connection with 1009. Default
        /// 131072.
        public var messageBytes = 131_072
        /// Maximum bytes of a request body, unless its route has another limit. A longer body gets 413. Default 1 MiB.
        public var bodyBytes = 1_048_576
        /// Maximum bytes of all requests in progress and of unfinished WebSocket messages. Beyond it, requests get 503
        /// and Retry-After, and WebSockets are closed with 1013. Default nil: 192 MiB, or an eighth of the memory that
        /// the process may use if that is less.
        public var bodiesTotalBytes: Int?
        /// Limit for slow readers: while the unsent bytes of a peer exceed half of this value, or 256 KiB if that is
        /// less, its histories, feeds and requests wait, and ``stallTime`` applies. Default 4 MiB.
        public var writeBufferBytes = 4_194_304
        /// Maximum unsent bytes of all peers together. When the limit is exceeded, the connection with the most unsent
        /// bytes is cut. Default nil: 256 MiB, or an eighth of the memory if that is less.
        public var outputTotalBytes: Int?
        /// Maximum number of sessions, including ended ones. A further session replaces the one that ended first. If
        /// none has ended, the new session is refused. Default 100,000.
        public var sessions = 100_000
        /// Maximum entries in one journal. The session ends when its journal is full. Default 100,000.
        public var journalEntries = 100_000
        /// Maximum bytes of one session: its encoded journal, its runs, and the state that its protocol keeps. Beyond
        /// it, the session ends. Default 64 MiB.
        public var journalBytes = 67_108_864
        /// Maximum bytes of all sessions together. Beyond it, ended sessions are forgotten in the order in which they
        /// ended. If none has ended, a growing session ends, and new sessions and runs are refused. Default nil: 1 GiB,
        /// or a quarter of the memory if that is less.
        public var journalTotalBytes: Int?
        /// Maximum bytes of the files of all sessions together. A further file is refused. Default nil: 256 MiB, or an
        /// eighth of the memory if that is less.
        public var filesTotalBytes: Int?
        /// Maximum bytes of zlib's state for all connections. Beyond it, new connections and messages are not
        /// compressed. Default nil: 128 MiB, or a sixteenth of the memory if that is less.
        public var compressionTotalBytes: Int?
        /// Maximum number of timeline rows; the oldest are dropped. 0 keeps none. Default 10,000.
        public var rows = 10_000
        /// Maximum open sockets of all kinds together. Further connections get 503 and Retry-After, or are closed at
        /// once while 64 are being refused. Default 20,000.
        public var sockets = 20_000
        /// Maximum open sockets of one address. Further connections are refused as with ``sockets``. Default nil:
        /// 1,000, and no limit for loopback, because all programs of a machine share that address.
        public var socketsPerAddress: Int?
        /// Maximum time from the opening of a connection to the end of its first request's head. A connection that sent
        /// nothing is closed without an answer; an incomplete request gets 408. Default 10 seconds.
        public var handshakeTime = Interval.seconds(10)
        /// Maximum time to receive a request's head, from its first byte. A longer time gets 408. Default 10 seconds.
        public var headerTime = Interval.seconds(10)
        /// Maximum time to receive a request, from its first byte. A longer time gets 408. Default 20 seconds.
        public var requestTime = Interval.seconds(20)
        /// Maximum idle time between two requests on one connection. Default 75 seconds.
        public var keepAliveTime = Interval.seconds(75)
        /// Maximum time without reading for a slow reader (``writeBufferBytes``), or for the peer of a closing
        /// connection with unsent bytes. The peer is then disconnected. Default 60 seconds.
        public var stallTime = Interval.seconds(60)
        /// Maximum time for the peer to answer a close, and to disconnect after it has read the last bytes. Default 2
        /// seconds.
        public var closeTime = Interval.seconds(2)

        /// Creates the default limits.
        public init() {}
    }

    mutating func visit(limits visitor: inout SettingVisit) {
        visitor.visit("limits.messageBytes", &limits.messageBytes, 1...1 << 30)
        visitor.visit("limits.bodyBytes", &limits.bodyBytes, 0...ServerLimits.bodyBytes)
        visitor.visit("limits.bodiesTotalBytes", &limits.bodiesTotalBytes, 1...1 << 50)
        visitor.visit("limits.writeBufferBytes", &limits.writeBufferBytes, 1...1 << 30)
        visitor.visit("limits.outputTotalBytes", &limits.outputTotalBytes, 1...1 << 50)
        visitor.visit("limits.sessions", &limits.sessions, 1...10_000_000)
        visitor.visit("limits.journalEntries", &limits.journalEntries, 1...10_000_000)
        visitor.visit("limits.journalBytes", &limits.journalBytes, 1...1 << 40)
        visitor.visit("limits.journalTotalBytes", &limits.journalTotalBytes, 1...1 << 50)
        visitor.visit("limits.filesTotalBytes", &limits.filesTotalBytes, 1...1 << 50)
        visitor.visit("limits.compressionTotalBytes", &limits.compressionTotalBytes, 0...1 << 50)
        visitor.visit("limits.rows", &limits.rows, 0...10_000_000)
        visitor.visit("limits.sockets", &limits.sockets, 1...1_000_000)
        visitor.visit("limits.socketsPerAddress", &limits.socketsPerAddress, 1...1_000_000)
        visitor.visit("limits.handshakeTime", &limits.handshakeTime)
        visitor.visit("limits.headerTime", &limits.headerTime)
        visitor.visit("limits.requestTime", &limits.requestTime)
        visitor.visit("limits.keepAliveTime", &limits.keepAliveTime)
        visitor.visit("limits.stallTime", &limits.stallTime)
        visitor.visit("limits.closeTime", &limits.closeTime)
    }

    /// Limits of the sockets.
    func socketLimits(_ shares: MemoryShares) -> SocketLimits {
        var kept = SocketLimits()
        // No limit per peer, because ``Limits/stallTime`` applies.
        kept.writeBufferBytes = .max
        kept.outputTotalBytes = limits.outputTotalBytes ?? shares.output
        kept.highWaterBytes = min(kept.highWaterBytes, limits.writeBufferBytes / 2)
        kept.lowWaterBytes = min(kept.lowWaterBytes, kept.highWaterBytes / 4)
        kept.sockets = max(kept.sockets, limits.sockets + ServerLimits.socketsTurnedAway + 1)
        return kept
    }

    func ledger(_ shares: MemoryShares) -> MemoryLedger {
        MemoryLedger(
            limits: MemoryLedger.Limits(
                sessions: limits.journalTotalBytes ?? shares.sessions,
                bodies: limits.bodiesTotalBytes ?? shares.bodies,
                held: limits.outputTotalBytes ?? shares.output))
    }

    func deflateService(_ shares: MemoryShares) -> DeflateService? {
        deflate ? DeflateService(limit: limits.compressionTotalBytes ?? shares.compression) : nil
    }

    func shelfLimits(_ shares: MemoryShares) -> AttachmentStore.Limits {
        var kept = AttachmentStore.Limits()
        kept.totalBytes = limits.filesTotalBytes ?? shares.files
        return kept
    }

    /// Limits of the HTTP parser, for all routes.
    static let requestLimits: HTTPLimits = {
        var kept = HTTPLimits()
        kept.bodyBytes = ServerLimits.bodyBytes
        return kept
    }()

    /// The echo route allows longer messages and more frames, for conformance tools.
    func messageLimits(ofEcho isEcho: Bool) -> WebSocketLimits {
        var kept = WebSocketLimits()
        kept.messageBytes = max(limits.messageBytes, isEcho ? ServerLimits.echoMessageBytes : 0)
        if isEcho { kept.framesPerMessage = ServerLimits.echoFrames }
        return kept
    }
}

extension HTTPExchange.Times {
    init(_ limits: Configuration.Limits) {
        self.init(
            first: limits.handshakeTime, head: limits.headerTime, request: limits.requestTime,
            idle: limits.keepAliveTime)
    }
}

extension ConnectionLimiter<SocketAddress> {
    init(_ limits: Configuration.Limits) {
        self.init(
            most: limits.sockets, mostOfAddress: limits.socketsPerAddress ?? ServerLimits.socketsPerAddress,
            mostRefused: ServerLimits.socketsTurnedAway)
    }
}
