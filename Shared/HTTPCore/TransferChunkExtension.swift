/// Syntax check of chunk extensions (RFC 9112 §7.1.1). Their content has no effect.
enum TransferChunkExtension {
    /// Throws unless the bytes are any number of `; name`, `; name=token` and `; name="quoted"`.
    static func check(_ bytes: ByteView) throws(MessageFault) {
        var index = 0
        while true {
            skipBlanks(bytes, &index)
            if index == bytes.count { return }
            // After the size, only extensions are allowed.
            guard bytes[index] == UInt8(ascii: ";") else { throw .invalidChunkSize }
            index += 1
            skipBlanks(bytes, &index)
            try skipToken(bytes, &index)
            skipBlanks(bytes, &index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { continue }
            index += 1
            skipBlanks(bytes, &index)
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                try skipQuoted(bytes, &index)
            } else {
                try skipToken(bytes, &index)
            }
        }
    }

    private static func skipBlanks(_ bytes: ByteView, _ index: inout Int) {
        while index < bytes.count, ByteClass.isBlank(bytes[index]) { index += 1 }
    }

    private static func skipToken(
        _ bytes: ByteView, _ index: inout Int
    ) throws(MessageFault) {
        let start = index
        while index < bytes.count, ByteClass.isToken(bytes[index]) { index += 1 }
        guard index > start else { throw .invalidChunkExtension }
    }

    /// Skips a quoted string (RFC 9110 §5.6.4).
    private static func skipQuoted(
        _ bytes: ByteView, _ index: inout Int
    ) throws(MessageFault) {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count, ByteClass.isFieldValue(bytes[index]) else {
                throw .invalidChunkExtension
            }
            index += 1
        }
        guard index < bytes.count else { throw .invalidChunkExtension }
        index += 1
    }
}
