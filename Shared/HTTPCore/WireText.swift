/// Bytes of the wire as text.
enum WireText {
    /// The text, or nil when the bytes are not UTF-8.
    static func utf8(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is invalid, and a repaired text differs from the bytes it came from.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
