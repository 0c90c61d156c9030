package import WebSocketCore

/// Compresses and inflates the messages of one connection (RFC 7692 §7.2).
///
/// A direction that keeps its context takes memory from its first compressed message on: an ``Inflater`` some
/// 11 kB with a window of 12 bits and 40 kB with 15, a ``Compressor`` some 38 kB. A direction without context
/// takeover borrows the service's; an ``Inflater`` is borrowed until its message is whole. The service counts
/// the memory of all of them; without room for a compressor, messages are sent uncompressed.
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
        if ownInflater != nil { service.note(-terms.inflaterBytes) }
        dropCompressor()
        service.giveBackReserve(terms.inflaterBytes)
    }

    private func dropCompressor() {
        guard ownCompressor != nil else { return }
        ownCompressor = nil
        service.note(-terms.compressorBytes)
        service.giveBackReserve(terms.compressorBytes)
    }

    /// The compressed payload of `message`, for a frame with RSV1; nil if the message is better sent uncompressed. The
    /// caller must send a returned payload: later ones refer to its window.
    package func compress(_ message: [UInt8]) -> [UInt8]? {
        guard (Limits.leastMessageBytes...Limits.mostMessageBytes).contains(message.count) else { return nil }
        let packed = message.withUnsafeBytes { compressor?.compress($0, by: service.piece) }
        // The window of a failed attempt holds bytes that the peer has never seen.
        if packed == nil { dropCompressor() }
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
        if ownCompressor == nil, service.reserve(terms.compressorBytes) {
            ownCompressor = Compressor(windowBits: terms.serverWindowBits)
            if ownCompressor == nil {
                service.giveBackReserve(terms.compressorBytes)
            } else {
                service.note(terms.compressorBytes)
            }
        }
        return ownCompressor
    }

    /// A borrowed inflater is kept until the message is whole: the next step needs its window.
    private var inflater: Inflater? {
        if ownInflater == nil {
            ownInflater =
                terms.clientKeepsContext
                ? Inflater(windowBits: terms.clientWindowBits) : service.borrowInflater()
            if ownInflater != nil { service.note(terms.inflaterBytes) }
        }
        return ownInflater
    }

    private func giveBack() {
        guard !terms.clientKeepsContext, let inflater = ownInflater else { return }
        ownInflater = nil
        service.note(-terms.inflaterBytes)
        service.giveBack(inflater)
    }
}

extension DeflateTerms {
    /// Memory of the inflater that serves these terms; a borrowed one has the largest window.
    var inflaterBytes: Int { Inflater.bytes(windowBits: clientKeepsContext ? clientWindowBits : 15) }
    var compressorBytes: Int { Compressor.bytes(windowBits: serverWindowBits) }
}
