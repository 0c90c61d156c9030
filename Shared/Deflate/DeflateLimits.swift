/// Limits of compression on one loop.
package enum DeflateLimits {
    /// Shorter messages are not compressed.
    package static let leastMessageBytes = 128
    /// Longer messages are not compressed: that would take milliseconds, and delay other connections.
    package static let mostMessageBytes = 512 << 10
    /// Size of the buffer for zlib's output.
    static let pieceBytes = 16 << 10
    /// Each input byte costs this many bytes of ``DeflateService/allowance``, because empty blocks have no output.
    static let readCost = 4
    /// zlib's compression level, 1 to 9. 1 is the fastest.
    static let level: Int32 = 1
    /// zlib's memory level, 1 to 9. 5 suits a window of 4 KiB: a compressor takes 39 kB (with 9: 285 kB).
    static let memoryLevel: Int32 = 5
}
