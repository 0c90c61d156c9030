/// Error for a text that is not JSON (RFC 8259), with its position in bytes.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    package enum Reason: String, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "a character that cannot stand here"
        case trailingBytes = "something follows the value"
        case badNumber = "a number JSON does not allow"
        case badEscape = "an escape JSON does not know"
        case loneSurrogate = "half of a surrogate pair"
        case controlCharacter = "a control character that is not escaped"
        case badUTF8 = "bytes that are not UTF-8"
        case tooDeep = "more nesting than allowed"
        case tooLong = "more bytes than allowed"
        case tooMany = "more values than allowed"
    }

    package var reason: Reason
    package var offset: Int

    @usableFromInline
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason, with the position.
    public var description: String { "not JSON at byte \(offset): \(reason.rawValue)" }
}
