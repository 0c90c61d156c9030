import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

/// What the limits of a server mean for its sockets, requests and messages.
extension Configuration {
    /// A peer that has to be slowed down is slowed down before it would be cut off. There is room for sockets that are
    /// only told that they are too many, and for the one that listens.
    func socketLimits(_ shares: MemoryShares) -> SocketTransport.Limits {
        var kept = SocketTransport.Limits()
        // A peer that takes nothing is cut off after a time, and not for the bytes that wait for it.
        kept.writeBufferBytes = .max
        kept.outputTotalBytes = limits.outputTotalBytes ?? shares.output
        kept.highWaterBytes = min(kept.highWaterBytes, limits.writeBufferBytes / 2)
        kept.lowWaterBytes = min(kept.lowWaterBytes, kept.highWaterBytes / 4)
        kept.sockets = max(kept.sockets, limits.sockets + ServerLimits.socketsTurnedAway + 1)
        return kept
    }

    /// A ledger with the configured memory limits; the defaults come from `shares`.
    func ledger(_ shares: MemoryShares) -> MemoryLedger {
        MemoryLedger(
            limits: MemoryLedger.Limits(
                sessions: limits.journalTotalBytes ?? shares.sessions,
                bodies: limits.bodiesTotalBytes ?? shares.bodies,
                held: limits.outputTotalBytes ?? shares.output))
    }

    /// Compression within the limit of its memory; nil where nothing is compressed.
    func deflateService(_ shares: MemoryShares) -> DeflateService? {
        deflate ? DeflateService(limit: limits.compressionTotalBytes ?? shares.compression) : nil
    }

    /// Of files of sessions.
    func shelfLimits(_ shares: MemoryShares) -> AttachmentStore.Limits {
        var kept = AttachmentStore.Limits()
        kept.totalBytes = limits.filesTotalBytes ?? shares.files
        return kept
    }

    /// Of requests whatever they ask for: each one's own limit is looked at with its head.
    var requestLimits: HTTPCore.Limits {
        var kept = HTTPCore.Limits()
        kept.bodyBytes = max(limits.bodyBytes, control.isOn ? ServerLimits.Control.importBytes : 0)
        return kept
    }

    /// Of one WebSocket; what conformance tools send to the echo is longer than any message of a client.
    func messageLimits(ofEcho isEcho: Bool) -> WebSocketCore.Limits {
        var kept = WebSocketCore.Limits()
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
