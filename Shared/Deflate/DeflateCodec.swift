package import WebSocketCore

/// Compresses and inflates the messages of one connection (RFC 7692 §7.2).
///
/// A direction that keeps its context takes memory from its first compressed message on: an ``Inflater`` some 11 kB
/// with a window of 12 bits and 40 kB with 15, a ``Compressor`` some 38 kB. One that does not borrows the service's.
package final class DeflateCodec: MessageInflater {
    private let terms: DeflateTerms
    private let service: DeflateService
    private var ownInflater: Inflater?
    private var ownCompressor: Compressor?

    init(terms: DeflateTerms, service: DeflateService) {
        self.terms = terms
        self.service = service
    }

    /// The payload of a frame with RSV1 that carries `message`; nil when it is better sent as it is. What is
    /// returned must be sent: later messages refer to it.
    package func compress(_ message: [UInt8]) -> [UInt8]? {
        guard (Limits.leastMessageBytes...Limits.mostMessageBytes).contains(message.count) else { return nil }
        let packed = message.withUnsafeBytes { compressor?.compress($0, by: service.piece) }
        // What a failed attempt remembers, the peer has never seen.
        if packed == nil { ownCompressor = nil }
        return packed
    }

    package func inflate(_ packed: [UInt8], limit: Int) throws(FrameError) -> [UInt8] {
        guard let inflater else { throw .noMemory }
        // A message that is given up on counts as `limit` bytes: inflating has cost up to that much work.
        var made = limit
        defer { service.inflatedBytes += made }
        let message = try inflater.inflate(packed, limit: limit, by: service.piece)
        made = message.count
        return message
    }

    private var compressor: Compressor? {
        guard terms.serverKeepsContext else {
            return service.freshCompressor(windowBits: terms.serverWindowBits)
        }
        if ownCompressor == nil { ownCompressor = Compressor(windowBits: terms.serverWindowBits) }
        return ownCompressor
    }

    private var inflater: Inflater? {
        guard terms.clientKeepsContext else { return service.freshInflater() }
        if ownInflater == nil { ownInflater = Inflater(windowBits: terms.clientWindowBits) }
        return ownInflater
    }
}
