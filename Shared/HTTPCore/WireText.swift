/// Bytes of the wire as text.
enum WireText {
    /// Text of a checked field value: UTF-8 where it is, otherwise ISO 8859-1 (RFC 9110 §5.5), so that no
    /// byte is lost.
    static func lenient(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = utf8(bytes) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// The text, or nil when the bytes are not UTF-8.
    static func utf8(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is invalid, and a repaired text differs from the bytes it came from.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
