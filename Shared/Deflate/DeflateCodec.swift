package import WebSocketCore

/// Codec of one connection's messages (RFC 7692 §7.2). With context takeover, a direction keeps memory from its first
/// compressed message on: an ``Inflater`` 11 to 40 kB, a ``Compressor`` some 38 kB. Without it, the service lends both.
/// If a compressor does not fit, messages are sent uncompressed.
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

    /// Returns the compressed payload of `message` for a frame with RSV1, or nil to send it uncompressed. A returned
    /// payload must be sent, because later payloads refer to its content.
    package func compress(_ message: [UInt8]) -> [UInt8]? {
        guard (DeflateLimits.leastMessageBytes...DeflateLimits.mostMessageBytes).contains(message.count)
        else { return nil }
        let packed = message.withUnsafeBytes { compressor?.compress($0, by: service.piece) }
        // After a failure, the window contains bytes that the peer never receives.
        if packed == nil { dropCompressor() }
        return packed
    }

    /// Inflates within the service's ``DeflateService/allowance``. Returns true when the message is complete.
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

    /// A borrowed inflater is kept until the message is complete, because the next step needs its window.
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
    /// Memory of the inflater for these terms. A borrowed inflater has the largest window.
    var inflaterBytes: Int { Inflater.bytes(windowBits: clientKeepsContext ? clientWindowBits : 15) }
    var compressorBytes: Int { Compressor.bytes(windowBits: serverWindowBits) }
}
