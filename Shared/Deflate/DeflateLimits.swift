/// Limits of compression on one loop. The limit of an inflated message is in WebSocketCore.
package enum DeflateLimits {
    /// Minimum bytes of a message that is compressed. 128: below this, compression would save less than the size of a
    /// packet's headers.
    package static let leastMessageBytes = 128
    /// Maximum bytes of a message that is compressed. 512 KiB take some milliseconds, and a longer message would delay
    /// other connections.
    package static let mostMessageBytes = 512 << 10
    /// Bytes that zlib writes in one call, and size of the loop's buffer for them. 16 KiB: enough for most messages.
    static let pieceBytes = 16 << 10
    /// Number of output bytes that one input byte costs in ``DeflateService/allowance``. 4: the usual compression ratio
    /// of text. Input must cost something, because a message of empty blocks has no output.
    static let readCost = 4
    /// zlib's compression level, from 1 to 9. 1 is the fastest: client and server usually share a machine, so time
    /// matters more than size.
    static let level: Int32 = 1
    /// zlib's memory level, from 1 to 9. 5 suits a window of 4 KiB. A compressor then takes about 38 kB; with 9 it
    /// would take up to 400 kB.
    static let memoryLevel: Int32 = 5
}
