package import WebSocketCore

/// permessage-deflate for the connections of one loop, through the system's zlib.
///
/// Streams without context takeover are shared by all connections, message by message, so a connection that
/// negotiated no_context_takeover for both directions costs only a reference to its terms. Not thread-safe.
package final class DeflateService {
    /// False in a build without zlib; the manifest says how to get one with it.
    package static var isAvailable: Bool {
        #if DEFLATE
            true
        #else
            false
        #endif
    }

    /// Scratch buffer for output of unknown length.
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.pieceBytes, alignment: 16)
    /// Output bytes that all connections may still inflate before the caller resets the budget. Reading input
    /// counts as well (``Limits/readCost``). Messages wait while the budget is used up.
    package var allowance = Int.max
    /// Bytes that zlib may hold for connections. An inflater is reserved with the terms, since the peer may
    /// compress from then on; compressors take the rest, and without room messages are sent uncompressed.
    package let limit: Int
    /// Bytes that zlib holds for connections, and those that are reserved.
    package private(set) var heldBytes = 0
    private var reservedBytes = 0
    /// Nil while a connection has borrowed it for a message.
    private var spareInflater: Inflater?
    /// Compressors by the bits of their window.
    private var compressors: [Int: Compressor] = [:]

    package init?(limit: Int = .max) {
        guard Self.isAvailable else { return nil }
        self.limit = limit
    }

    deinit {
        piece.deallocate()
    }

    /// The two directions of a connection that has agreed on `terms`.
    ///
    /// - Returns: nil if there is no room for an inflater.
    package func codec(for terms: DeflateTerms) -> DeflateCodec? {
        reserve(terms.inflaterBytes) ? DeflateCodec(terms: terms, service: self) : nil
    }

    /// Reserves memory for a connection; false if there is no room.
    func reserve(_ bytes: Int) -> Bool {
        guard reservedBytes + bytes <= limit else { return false }
        reservedBytes += bytes
        return true
    }

    func giveBackReserve(_ bytes: Int) { reservedBytes -= bytes }

    /// A connection's memory has grown, or shrunk where `bytes` is negative.
    func note(_ bytes: Int) { heldBytes += bytes }

    /// An inflater with an empty window; nil when there is no memory left.
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
