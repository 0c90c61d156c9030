package import WebSocketCore

/// permessage-deflate for the connections of one loop, with the system's zlib. Connections without context takeover
/// share one inflater, and one compressor per window size. Not thread-safe.
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
    /// Number of bytes that the connections together may still inflate. The caller resets it regularly. Input bytes are
    /// counted as well (``DeflateLimits/readCost``). When no bytes are left, messages wait.
    package var allowance = Int.max
    /// Maximum bytes of zlib's memory for all connections. Memory for inflaters is reserved at negotiation. Compressors
    /// can use what is not reserved.
    package let limit: Int
    /// Bytes of memory that zlib now uses for connections. `reservedBytes` counts the bytes that are reserved for
    /// connections, whether zlib uses them or not.
    package private(set) var heldBytes = 0
    private var reservedBytes = 0
    /// The shared inflater. Nil while a connection has borrowed it for a message.
    private var spareInflater: Inflater?
    /// Shared compressors, by their window bits.
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

    /// Reserves memory for a connection. Returns false if the limit leaves too little.
    func reserve(_ bytes: Int) -> Bool {
        guard reservedBytes + bytes <= limit else { return false }
        reservedBytes += bytes
        return true
    }

    func giveBackReserve(_ bytes: Int) { reservedBytes -= bytes }

    /// Records that a connection's memory has grown by `bytes`. A negative value means that it has shrunk.
    func note(_ bytes: Int) { heldBytes += bytes }

    /// Returns an inflater with an empty window; nil when memory is exhausted.
    func borrowInflater() -> Inflater? {
        guard let inflater = spareInflater else { return Inflater(windowBits: 15) }
        spareInflater = nil
        inflater.reset()
        return inflater
    }

    /// Takes back a borrowed inflater, and keeps it for the next message.
    func giveBack(_ inflater: Inflater) { spareInflater = inflater }

    func freshCompressor(windowBits: Int) -> Compressor? {
        let compressor = compressors[windowBits] ?? Compressor(windowBits: windowBits)
        compressors[windowBits] = compressor
        compressor?.reset()
        return compressor
    }
}
