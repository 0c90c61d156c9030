/// Writes the chunked transfer coding (RFC 9112 §7.1).
package enum TransferChunk {
    /// The last chunk, without trailers.
    package static let last: [UInt8] = Array("0\r\n\r\n".utf8)

    /// Writes one chunk behind what `bytes` holds; nothing for an empty `part`, which would end the body.
    package static func append(_ part: [UInt8], into bytes: inout [UInt8]) {
        guard !part.isEmpty else { return }
        bytes.append(contentsOf: String(part.count, radix: 16).utf8)
        bytes.append(contentsOf: lineEnd)
        bytes.append(contentsOf: part)
        bytes.append(contentsOf: lineEnd)
    }

    private static let lineEnd: [UInt8] = [ByteClass.carriageReturn, ByteClass.lineFeed]
}
