package import WebSocketCore

/// Compresses and inflates the messages of one connection (RFC 7692 §7.2).
///
/// A direction that keeps its context takes memory from its first compressed message on: an ``Inflater`` some 11 kB
/// with a window of 12 bits and 40 kB with 15, a ``Compressor`` some 38 kB. One that does not borrows the service's, an
/// ``Inflater`` for as long as a message takes. The service counts both; without room, a message leaves as it is and one that
/// came is not inflated.
package final class DeflateCodec: MessageInflater {
    private let terms: DeflateTerms
    private let service: DeflateService
    private var ownInflater: Inflater?
    private var ownCompressor: Compressor?

    init(terms: DeflateTerms, service: DeflateService) {
        self.terms = terms
        self.service = service
    }

    deinit {
        if ownInflater != nil { service.release(inflaterBytes) }
        if ownCompressor != nil { service.release(compressorBytes) }
    }

    private var inflaterBytes: Int {
        Inflater.bytes(windowBits: terms.clientKeepsContext ? terms.clientWindowBits : 15)
    }
    private var compressorBytes: Int { Compressor.bytes(windowBits: terms.serverWindowBits) }

    /// The payload of a frame with RSV1 that carries `message`; nil when it is better sent as it is. What is
    /// returned must be sent: later messages refer to it.
    package func compress(_ message: [UInt8]) -> [UInt8]? {
        guard (Limits.leastMessageBytes...Limits.mostMessageBytes).contains(message.count) else { return nil }
        let packed = message.withUnsafeBytes { compressor?.compress($0, by: service.piece) }
        // What a failed attempt remembers, the peer has never seen.
        if packed == nil, ownCompressor != nil {
            ownCompressor = nil
            service.release(compressorBytes)
        }
        return packed
    }

    /// Goes on as far as the service's ``DeflateService/allowance`` lasts.
    package func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool {
        guard service.allowance > 0 else { return false }
        guard let inflater else { throw .noMemory }
        var isOver = true
        defer { if isOver { giveBack() } }
        isOver = try inflater.inflate(&message, allowance: &service.allowance, by: service.piece)
        return isOver
    }

    private var compressor: Compressor? {
        guard terms.serverKeepsContext else {
            return service.freshCompressor(windowBits: terms.serverWindowBits)
        }
        if ownCompressor == nil, service.charge(compressorBytes) {
            ownCompressor = Compressor(windowBits: terms.serverWindowBits)
            if ownCompressor == nil { service.release(compressorBytes) }
        }
        return ownCompressor
    }

    /// A borrowed inflater is kept until the message is whole: the next step needs its window.
    private var inflater: Inflater? {
        if ownInflater == nil, service.charge(inflaterBytes) {
            ownInflater =
                terms.clientKeepsContext
                ? Inflater(windowBits: terms.clientWindowBits) : service.borrowInflater()
            if ownInflater == nil { service.release(inflaterBytes) }
        }
        return ownInflater
    }

    private func giveBack() {
        guard !terms.clientKeepsContext, let inflater = ownInflater else { return }
        ownInflater = nil
        service.release(inflaterBytes)
        service.giveBack(inflater)
    }
}
