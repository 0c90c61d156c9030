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
        /// Maximum bytes of one client message. A longer message closes the connection with 1009. Default 131072.
        public var messageBytes = 131_072
        /// Maximum bytes of a request body. A longer body is answered with 413. Default 1 MiB.
        public var bodyBytes = 1_048_576
        /// Maximum bytes of all request bodies in progress. A further request gets 503 and Retry-After before its body
        /// is read. Default nil: 192 MiB, or an eighth of the memory that the process may use if that is less.
        public var bodiesTotalBytes: Int?
        /// Limits the unsent bytes of one peer. Above half of this value, or 256 KiB if less, the peer's histories,
        /// feeds and requests wait, and ``stallTime`` applies. Default 4 MiB.
        public var writeBufferBytes = 4_194_304
        /// Maximum unsent bytes of all peers together. When the limit is exceeded, the connection with the most unsent
        /// bytes is cut. Default nil: 256 MiB, or an eighth of the memory if that is less.
        public var outputTotalBytes: Int?
        /// Maximum number of sessions, including ended ones. A further session replaces the one that ended first. If
        /// none has ended, the new session is refused. Default 100,000.
        public var sessions = 100_000
        /// Maximum entries in one journal. The session ends when its journal is full. Default 100,000.
        public var journalEntries = 100_000
        /// Maximum bytes of one session: its encoded journal, the input of run requests, and the state of a contact.
        /// The session ends when it reaches the limit. Default 64 MiB.
        public var journalBytes = 67_108_864
        /// Maximum bytes of all sessions together. Beyond it, the session that ended first is forgotten. If none has
        /// ended, new sessions and runs are refused. Default nil: 1 GiB, or a quarter of the memory if that is less.
        public var journalTotalBytes: Int?
        /// Maximum bytes of the files of all sessions together. A further file is refused. Default nil: 256 MiB, or an
        /// eighth of the memory if that is less.
        public var filesTotalBytes: Int?
        /// Maximum bytes of zlib's state for all connections. Beyond it, new connections and messages are not
        /// compressed. Default nil: 128 MiB, or a sixteenth of the memory if that is less.
        public var compressionTotalBytes: Int?
        /// The number of newest timeline rows that are kept; 0 keeps none. Default 10,000.
        public var rows = 10_000
        /// Maximum open sockets of all kinds together. A further connection gets 503 and Retry-After. Default 20,000.
        public var sockets = 20_000
        /// Maximum open sockets of one address. A further connection gets 503 and Retry-After. Default nil: 1,000, and
        /// no limit for loopback, because all programs of a machine share that address.
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
        /// Maximum time without reading for a peer whose unsent bytes exceed half of ``writeBufferBytes``, or 256 KiB
        /// if less. The peer is then disconnected. Default 60 seconds.
        public var stallTime = Interval.seconds(60)
        /// Maximum time for the peer to answer a close, or to read the last bytes. Default 2 seconds.
        public var closeTime = Interval.seconds(2)

        /// Creates the default limits.
        public init() {}
    }

    mutating func visit(limits visitor: inout SettingVisit) {
        visitor.visit("limits.messageBytes", &limits.messageBytes, 1...1 << 30)
        visitor.visit("limits.bodyBytes", &limits.bodyBytes, 0...1 << 30)
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

    /// Returns limits that include the listening socket and a reserve for peers that only receive a refusal.
    func socketLimits(_ shares: MemoryShares) -> SocketLimits {
        var kept = SocketLimits()
        // No limit per peer. A peer that reads nothing is disconnected after `limits.stallTime`.
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

    /// HTTP limits that apply to all requests. A route's own body limit is checked when the request's head is read.
    var requestLimits: HTTPLimits {
        var kept = HTTPLimits()
        kept.bodyBytes = max(limits.bodyBytes, control.isOn ? ServerLimits.Control.importBytes : 0)
        return kept
    }

    /// Returns limits of one WebSocket. The echo route allows longer messages, for conformance tools.
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
