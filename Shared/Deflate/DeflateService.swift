package import WebSocketCore

/// permessage-deflate for the connections of one loop, through the system's zlib.
///
/// Streams without a memory of earlier messages serve all connections in turn, message by message, so one that agreed on
/// no_context_takeover for both directions costs nothing but this module's reference to its terms. Not for use
/// by two threads.
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
    /// Bytes that messages of all connections may yet become, until the caller sets it anew; what it costs to read them
    /// counts as well (``Limits/readCost``). While there are none left, messages wait.
    package var allowance = Int.max
    /// Bytes that zlib may hold for connections. An inflater is reserved with the terms, since the peer may compress from then
    /// on; compressors take what is left, and without room messages leave as they are.
    package let limit: Int
    /// Bytes that zlib holds for connections, and those that are reserved.
    package private(set) var heldBytes = 0
    private var reservedBytes = 0
    /// Nil while a message is under way with it.
    private var spareInflater: Inflater?
    /// By the bits of the window.
    private var compressors: [Int: Compressor] = [:]

    /// Nil in a build without zlib.
    package init?(limit: Int = .max) {
        guard Self.isAvailable else { return nil }
        self.limit = limit
    }

    deinit {
        piece.deallocate()
    }

    /// The two directions of a connection that has agreed on `terms`.
    ///
    /// - Returns: nil where there is no room for an inflater.
    package func codec(for terms: DeflateTerms) -> DeflateCodec? {
        reserve(terms.inflaterBytes) ? DeflateCodec(terms: terms, service: self) : nil
    }

    /// False where there is no room.
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
