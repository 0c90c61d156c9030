/// Bounds of compression on one loop. The size of an inflated message is a limit of WebSocketCore.
package enum Limits {
    /// Shorter messages are sent uncompressed. 128 bytes: the saving would be smaller than a packet's own
    /// headers, and compression costs more time than all other work for a short message.
    package static let leastMessageBytes = 128
    /// Longer messages are sent uncompressed. 512 KiB, a full page of a history, takes some milliseconds to
    /// compress; longer ones would delay the other connections of the loop.
    package static let mostMessageBytes = 512 << 10
    /// Bytes that zlib works into at a time; one such piece of memory per loop. 16 KiB: most messages in one go.
    static let pieceBytes = 16 << 10
    /// Cost of one compressed byte of input, in bytes of output. 4: the usual ratio of a text. Without this cost, a
    /// message of empty blocks, which has no output, would be free.
    static let readCost = 4
    /// zlib's effort, 1 to 9. 1: a mock and its client are on one machine, where time is dearer than bytes.
    static let level: Int32 = 1
    /// zlib's memory for symbols and hashes, 1 to 9. 5 goes with a window of 4 KiB: a compressor then takes some
    /// 38 kB, and 9 would make it 400 kB for the same messages.
    static let memoryLevel: Int32 = 5
}
