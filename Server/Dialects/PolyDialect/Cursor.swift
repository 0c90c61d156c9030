/// The `cursor` of a connecting client (protocol.md#cursor-forms): the last sequence it has seen.
struct Cursor: Equatable, Sendable {
    var value: UInt64
    /// True if the text has none of the known forms; it then counts as 0.
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
