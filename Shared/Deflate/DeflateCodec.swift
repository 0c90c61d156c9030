package import WebSocketCore

/// Compressor and inflater of one connection's messages (RFC 7692 §7.2).
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

    /// Returns the payload of a frame with RSV1, or nil if the message is to be sent uncompressed. A returned payload
    /// must be sent, because later payloads can refer to it.
    package func compress(_ message: [UInt8]) -> [UInt8]? {
        guard (DeflateLimits.leastMessageBytes...DeflateLimits.mostMessageBytes).contains(message.count)
        else { return nil }
        let packed = message.withUnsafeBytes { compressor?.compress($0, by: service.piece) }
        // After a failure, the window contains bytes that the peer will never receive. So the compressor is dropped.
        if packed == nil { dropCompressor() }
        return packed
    }

    /// Inflates until the message is complete (returns true) or ``DeflateService/allowance`` is used up (false).
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

    /// A borrowed inflater is kept until the message is complete, because later parts of the message refer to its
    /// window.
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
    /// Bytes of memory for the inflater. A borrowed inflater has the largest window, 15 bits.
    var inflaterBytes: Int { Inflater.bytes(windowBits: clientKeepsContext ? clientWindowBits : 15) }
    var compressorBytes: Int { Compressor.bytes(windowBits: serverWindowBits) }
}
