/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    /// Decodes escapes. Nil for an invalid escape, invalid UTF-8, or NUL. `plusIsSpace` decodes `+` as a space, as in
    /// query strings.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var source = text.utf8.makeIterator()
        while let byte = source.next() {
            var plain = byte
            if byte == UInt8(ascii: "%") {
                guard let first = source.next(), let second = source.next(),
                    let high = ByteClass.hexValue(first), let low = ByteClass.hexValue(second)
                else { return nil }
                plain = high << 4 | low
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                plain = ByteClass.space
            }
            guard plain != 0 else { return nil }
            bytes.append(plain)
        }
        return WireText.utf8(bytes)
    }

    /// Escapes all bytes except unreserved ones (RFC 3986 §2.3), for a path segment or a query.
    package static func encode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 0xF))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ByteClass.isLetter(byte) || ByteClass.isDigit(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
