package import WebSocketCore

/// permessage-deflate for the connections of one loop, through the system's zlib. Without context takeover, connections
/// share an inflater, and a compressor per window size. Not thread-safe.
package final class DeflateService {
    /// Whether the build includes zlib; see Package.swift.
    package static var isAvailable: Bool {
        #if DEFLATE
            true
        #else
            false
        #endif
    }

    /// Buffer for output of unknown length.
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: DeflateLimits.pieceBytes, alignment: 16)
    /// Output bytes that all connections may still inflate until the caller resets the value. Input counts as well
    /// (``DeflateLimits/readCost``). Messages wait while it is used up.
    package var allowance = Int.max
    /// Limit of zlib's memory for connections. Inflaters are reserved at negotiation; compressors get the rest.
    package let limit: Int
    /// Memory that zlib holds for connections. `reservedBytes` is what was promised to them.
    package private(set) var heldBytes = 0
    private var reservedBytes = 0
    /// Nil while a connection has borrowed it for a message.
    private var spareInflater: Inflater?
    /// Compressors by window bits.
    private var compressors: [Int: Compressor] = [:]

    package init?(limit: Int = .max) {
        guard Self.isAvailable else { return nil }
        self.limit = limit
    }

    deinit {
        piece.deallocate()
    }

    /// Returns the codec of a connection that has negotiated `terms`.
    ///
    /// - Returns: nil if no inflater fits into the limit.
    package func codec(for terms: DeflateTerms) -> DeflateCodec? {
        reserve(terms.inflaterBytes) ? DeflateCodec(terms: terms, service: self) : nil
    }

    /// Reserves memory for a connection. Returns false if it does not fit.
    func reserve(_ bytes: Int) -> Bool {
        guard reservedBytes + bytes <= limit else { return false }
        reservedBytes += bytes
        return true
    }

    func giveBackReserve(_ bytes: Int) { reservedBytes -= bytes }

    /// Records a change of a connection's memory; negative when it shrank.
    func note(_ bytes: Int) { heldBytes += bytes }

    /// Returns an inflater with an empty window; nil when memory is exhausted.
    func borrowInflater() -> Inflater? {
        guard let inflater = spareInflater else { return Inflater(windowBits: 15) }
        spareInflater = nil
        inflater.reset()
        return inflater
    }

    /// Keeps a borrowed inflater for the next message.
    func giveBack(_ inflater: Inflater) { spareInflater = inflater }

    func freshCompressor(windowBits: Int) -> Compressor? {
        let compressor = compressors[windowBits] ?? Compressor(windowBits: windowBits)
        compressors[windowBits] = compressor
        compressor?.reset()
        return compressor
    }
}
