/// Encoder of the chunked transfer coding (RFC 9112 §7.1).
package enum TransferChunk {
    package static let last: [UInt8] = Array("0\r\n\r\n".utf8)

    package static let end: [UInt8] = [ByteClass.carriageReturn, ByteClass.lineFeed]

    /// Maximum overhead in bytes of a chunk below 4 GiB: eight digits and two line ends.
    package static let frameBytes = 12

    /// Appends one chunk. An empty `part` is skipped, because an empty chunk would end the body.
    package static func append(_ part: [UInt8], into bytes: inout [UInt8]) {
        part.withUnsafeBytes { append($0, into: &bytes) }
    }

    package static func append(_ part: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        guard !part.isEmpty else { return }
        appendStart(of: part.count, into: &bytes)
        bytes.append(contentsOf: part)
        appendLineEnd(into: &bytes)
    }

    /// Returns the pieces of one chunk, to be sent in order. `part` is not copied.
    package static func parts(of part: [UInt8]) -> [[UInt8]] {
        guard !part.isEmpty else { return [] }
        var start: [UInt8] = []
        appendStart(of: part.count, into: &start)
        return [start, part, end]
    }

    /// Appends the line with the chunk's size. The caller appends the `size` bytes and a line end.
    package static func appendStart(of size: Int, into bytes: inout [UInt8]) {
        var digits = (size.bitWidth - size.leadingZeroBitCount + 3) / 4
        while digits > 0 {
            digits -= 1
            let digit = UInt8(truncatingIfNeeded: size >> (4 * digits) & 0xF)
            bytes.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
        }
        appendLineEnd(into: &bytes)
    }

    private static func appendLineEnd(into bytes: inout [UInt8]) {
        bytes.append(ByteClass.carriageReturn)
        bytes.append(ByteClass.lineFeed)
    }
}
