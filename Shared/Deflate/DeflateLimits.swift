/// Limits of compression on one loop. WebSocketCore limits the size of an inflated message.
package enum DeflateLimits {
    /// Shorter messages are sent uncompressed. 128 bytes: the saving would be less than a packet's headers.
    package static let leastMessageBytes = 128
    /// Longer messages are sent uncompressed. 512 KiB take some milliseconds; more would delay other connections.
    package static let mostMessageBytes = 512 << 10
    /// Bytes that zlib writes at a time, and size of the loop's buffer. 16 KiB: enough for most messages.
    static let pieceBytes = 16 << 10
    /// Cost of an input byte in output bytes. 4: the usual ratio of text. Otherwise empty blocks would be free.
    static let readCost = 4
    /// zlib's compression level, 1 to 9. 1: on one machine, time matters more than size.
    static let level: Int32 = 1
    /// zlib's memory level, 1 to 9. 5 suits a window of 4 KiB: a compressor takes some 38 kB, with 9 up to 400 kB.
    static let memoryLevel: Int32 = 5
}
