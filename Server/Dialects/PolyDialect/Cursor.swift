/// The `cursor` of a WebSocket request: the last sequence number that the client has seen (protocol.md#cursor-forms).
struct Cursor: Equatable, Sendable {
    var value: UInt64
    /// Whether the text is no valid cursor; the value is then 0.
    var isOdd: Bool

    init(_ text: String?) {
        (value, isOdd) = (0, false)
        guard let text, !text.isEmpty else { return }
        let digits = text.hasPrefix("seq:") ? text.dropFirst(4) : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt64(digits)
        else {
            isOdd = true
            return
        }
        value = number
    }
}
