package import WebSocketCore

/// permessage-deflate for the connections of one loop. Not thread-safe.
package final class DeflateService {
    package static var isAvailable: Bool {
        #if DEFLATE
            true
        #else
            false
        #endif
    }

    /// Buffer for output of unknown length.
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: DeflateLimits.pieceBytes, alignment: 16)
    /// Bytes that all connections together may still inflate before this is set again. Input counts too
    /// (``DeflateLimits/readCost``).
    package var allowance = Int.max
    /// Maximum bytes of zlib for all connections.
    package let limit: Int
    /// Bytes that zlib uses for connections now.
    package private(set) var heldBytes = 0
    private var reservedBytes = 0
    /// Inflater for the next borrower; nil if none is kept.
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

    /// Returns the codec for a connection that has negotiated `terms`.
    ///
    /// - Returns: nil if the memory limit leaves no room for another inflater.
    package func codec(for terms: DeflateTerms) -> DeflateCodec? {
        reserve(terms.inflaterBytes) ? DeflateCodec(terms: terms, service: self) : nil
    }

    /// Reserves memory. Returns false if the limit leaves too little.
    func reserve(_ bytes: Int) -> Bool {
        guard reservedBytes + bytes <= limit else { return false }
        reservedBytes += bytes
        return true
    }

    func giveBackReserve(_ bytes: Int) { reservedBytes -= bytes }

    /// Adds `bytes` to ``heldBytes``; negative for memory that was released.
    func note(_ bytes: Int) { heldBytes += bytes }

    /// Returns an inflater with an empty window. Nil when memory is exhausted.
    func borrowInflater() -> Inflater? {
        guard let inflater = spareInflater else { return Inflater(windowBits: 15) }
        spareInflater = nil
        inflater.reset()
        return inflater
    }

    func giveBack(_ inflater: Inflater) { spareInflater = inflater }

    func freshCompressor(windowBits: Int) -> Compressor? {
        let compressor = compressors[windowBits] ?? Compressor(windowBits: windowBits)
        compressors[windowBits] = compressor
        compressor?.reset()
        return compressor
    }
}
