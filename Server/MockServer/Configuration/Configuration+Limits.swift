import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

extension Configuration {
    /// Limits for sockets. The number of sockets includes the listening socket and a reserve for peers that only
    /// receive a refusal.
    func socketLimits(_ shares: MemoryShares) -> SocketLimits {
        var kept = SocketLimits()
        // No limit for a single peer: a peer that reads nothing is disconnected after
        // ``Configuration/Limits/stallTime``.
        kept.writeBufferBytes = .max
        kept.outputTotalBytes = limits.outputTotalBytes ?? shares.output
        kept.highWaterBytes = min(kept.highWaterBytes, limits.writeBufferBytes / 2)
        kept.lowWaterBytes = min(kept.lowWaterBytes, kept.highWaterBytes / 4)
        kept.sockets = max(kept.sockets, limits.sockets + ServerLimits.socketsTurnedAway + 1)
        return kept
    }

    /// A memory ledger with the configured limits. Limits that are not configured come from `shares`.
    func ledger(_ shares: MemoryShares) -> MemoryLedger {
        MemoryLedger(
            limits: MemoryLedger.Limits(
                sessions: limits.journalTotalBytes ?? shares.sessions,
                bodies: limits.bodiesTotalBytes ?? shares.bodies,
                held: limits.outputTotalBytes ?? shares.output))
    }

    /// The compression service with its memory limit; nil if compression is off.
    func deflateService(_ shares: MemoryShares) -> DeflateService? {
        deflate ? DeflateService(limit: limits.compressionTotalBytes ?? shares.compression) : nil
    }

    /// Limits of the attachments of sessions.
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

    /// Limits of one WebSocket. The limits of the echo route are higher, because conformance tools send longer messages
    /// than clients do.
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
