import Texts

/// Masking of secrets in exports and logs.
package enum Secrets: Sendable {
    case masked
    case included

    /// Ends of secret names, such as `access_token`, `X-Token` or `clientSecret`, in lower case without `-` and `_`.
    private static let endings: [StaticString] = [
        "token", "authorization", "cookie", "apikey", "accesskey", "password", "passwd", "secret", "bearer",
        "privatekey", "passphrase",
    ]
    /// Names that are secret only in queries and forms. Elsewhere they are ordinary words.
    private static let queryNames: [StaticString] = [
        "key", "auth", "jwt", "sig", "signature", "xamzsignature", "xamzcredential", "awsaccesskeyid",
    ]
    /// Header of WebSocket subprotocols. Browsers send tokens there, because they cannot set other headers.
    private static let subprotocols: StaticString = "secwebsocketprotocol"
    /// Maximum letters, from the end of a name, that are compared with secret names.
    private static let nameBytes = 64
    /// Maximum bytes of escaped blanks and brackets between a name and its "=".
    private static let escapedBytes = 24
    private static let mask = Array("***".utf8)

    package func applied(to bytes: [UInt8]) -> [UInt8] { applied(to: bytes, isLogLine: false) }

    /// Masks secrets. In a log line, a colon after an unquoted word is punctuation, not the end of a header name.
    private func applied(to bytes: [UInt8], isLogLine: Bool) -> [UInt8] {
        guard self == .masked else { return bytes }
        let secrets = bytes.withUnsafeBufferPointer { Self.secrets(in: $0, isLogLine: isLogLine) }
        guard !secrets.isEmpty else { return bytes }
        var masked: [UInt8] = []
        masked.reserveCapacity(bytes.count)
        var index = 0
        for secret in secrets {
            masked += bytes[index..<secret.lowerBound]
            masked += Self.mask
            index = secret.upperBound
        }
        return masked + bytes[index...]
    }

    func applied(to text: String) -> String {
        guard self == .masked else { return text }
        return String(decoding: applied(to: Array(text.utf8)), as: UTF8.self)
    }

    package func applied(toLine text: String) -> String {
        guard text.utf8.contains(where: { ":=.".utf8.contains($0) }) else {
            return text
        }
        return String(decoding: applied(to: Array(text.utf8), isLogLine: true), as: UTF8.self)
    }

    /// Returns the ranges of secrets by their form, and of secret values by their name, also in nested JSON, in linear
    /// time.
    private static func secrets(in bytes: UnsafeBufferPointer<UInt8>, isLogLine: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        let firstBytes = SecretShape.firstBytes
        // Index up to which lists of subprotocols were already searched.
        var settled = 0
        while index < bytes.count {
            // A call for each byte took a tenth of the time of lifting.
            if firstBytes[Int(bytes[index])], let secret = SecretShape.range(at: index, in: bytes) {
                found.append(secret)
                index = secret.upperBound
                continue
            }
            guard let separator = separator(at: index, in: bytes),
                let name = name(before: separator, in: bytes),
                separator.isEquals || !isLogLine || name.isQuoted,
                name.kind == .secret || index >= settled
            else {
                index += 1
                continue
            }
            if name.kind == .subprotocols {
                let (value, line) = secondSubprotocol(after: separator.end, in: bytes)
                settled = line
                if let value { found.append(value) }
                index = value?.upperBound ?? separator.end
            } else if let value = value(after: separator, in: bytes, name) {
                found.append(value)
                index = value.upperBound
            } else {
                index = separator.end
            }
        }
        return found
    }

    private struct Separator {
        let start: Int
        let end: Int
        let isEquals: Bool
    }

    private static func separator(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Separator? {
        switch bytes[index] {
        case UInt8(ascii: ":"): return Separator(start: index, end: index + 1, isEquals: false)
        case UInt8(ascii: "="): return Separator(start: index, end: index + 1, isEquals: true)
        case UInt8(ascii: "%"):
            guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "3"),
                bytes[index + 2] | 0x20 == UInt8(ascii: "d")
            else { return nil }
            return Separator(start: index, end: index + 3, isEquals: true)
        default: return nil
        }
    }

    private struct Name {
        enum Kind {
            case secret
            case subprotocols
        }

        let kind: Kind
        let isQuoted: Bool
        let beginsLine: Bool
    }

    /// Classifies the name before a separator, after decoding URL escapes. Nil if the name is not secret.
    private static func name(before separator: Separator, in bytes: UnsafeBufferPointer<UInt8>) -> Name? {
        var end = separator.start
        var isQuoted = false
        while end > 0 {
            let byte = bytes[end - 1]
            let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            // In a query, brackets and escaped blanks may precede "=", plain blanks may not.
            guard
                isQuote || byte == UInt8(ascii: "\\")
                    || (separator.isEquals
                        ? byte == UInt8(ascii: "]") || byte == UInt8(ascii: "[") : isBlank(byte))
            else {
                guard separator.isEquals, end > separator.start - escapedBytes,
                    let escape = escape(endingAt: end, in: bytes), !isNamePart(escape)
                else { break }
                end -= 3
                continue
            }
            if isQuote { isQuoted = true }
            end -= 1
        }
        guard end > 0, isNamePart(bytes[end - 1]) else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: nameBytes) { letters -> Name? in
            var (start, index) = (nameBytes, end)
            while index > 0, start > 0, isNamePart(bytes[index - 1]) {
                let escape = escape(endingAt: index, in: bytes)
                index -= escape == nil ? 1 : 3
                let byte = escape ?? bytes[index]
                guard byte != UInt8(ascii: "-"), byte != UInt8(ascii: "_") else { continue }
                start -= 1
                letters.initializeElement(at: start, to: 0x41...0x5A ~= byte ? byte | 0x20 : byte)
            }
            let name = UnsafeBufferPointer(rebasing: letters[start...])
            guard let kind = kind(of: name, isQuery: separator.isEquals) else { return nil }
            return Name(
                kind: kind, isQuoted: isQuoted,
                beginsLine: !isQuoted && (index == 0 || bytes[index - 1] == 0x0A))
        }
    }

    private static func kind(of name: UnsafeBufferPointer<UInt8>, isQuery: Bool) -> Name.Kind? {
        if endings.contains(where: { ends(name, with: $0) }) { return .secret }
        func isWhole(_ wanted: StaticString) -> Bool {
            name.count == wanted.utf8CodeUnitCount && ends(name, with: wanted)
        }
        if isQuery, queryNames.contains(where: isWhole) { return .secret }
        return isWhole(subprotocols) ? .subprotocols : nil
    }

    private static func escape(endingAt end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8? {
        guard end >= 3, bytes[end - 3] == UInt8(ascii: "%"), let high = hex(bytes[end - 2]),
            let low = hex(bytes[end - 1])
        else { return nil }
        return high << 4 | low
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func ends(_ name: UnsafeBufferPointer<UInt8>, with ending: StaticString) -> Bool {
        let count = ending.utf8CodeUnitCount
        guard name.count >= count else { return false }
        for offset in 0..<count where name[name.count - count + offset] != ending.utf8Start[offset] {
            return false
        }
        return true
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return 0x61...0x7A ~= lower || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    /// Returns the range from the second subprotocol, if any, to the end of the line, and the index of that end.
    private static func secondSubprotocol(
        after start: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> (value: Range<Int>?, line: Int) {
        let line = bytes[start...].prefix { !endsQuotedLine($0) }
        guard let comma = line.firstIndex(of: UInt8(ascii: ",")),
            let first = line[(comma + 1)...].firstIndex(where: { $0 != 0x20 })
        else { return (nil, line.endIndex) }
        return (first..<line.endIndex, line.endIndex)
    }

    private static func value(
        after separator: Separator, in bytes: UnsafeBufferPointer<UInt8>, _ name: Name
    ) -> Range<Int>? {
        var index = separator.end
        func skip(while isSkipped: (UInt8) -> Bool) {
            while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
        }
        if !separator.isEquals { skip { name.isQuoted ? isBlank($0) : $0 == 0x20 || $0 == 0x09 } }
        let start = index
        // The whole value of a header field is secret.
        if name.beginsLine, !separator.isEquals {
            skip { $0 != 0x0D && $0 != 0x0A }
            return index > start ? start..<index : nil
        }
        skip { $0 == UInt8(ascii: "\\") }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
            let first = index + 1
            let length = quotedLength(bytes, from: first, quote: bytes[index], escapes: index - start)
            return length > 0 ? first..<first + length : nil
        }
        // A number, `true` or `null` in JSON is not a secret.
        if name.isQuoted, !separator.isEquals { return nil }
        index = start
        if separator.isEquals {
            skip { !endsQueryValue($0) }
        } else {
            skip { !endsQuotedLine($0) }
        }
        return index > start ? start..<index : nil
    }

    /// Returns the length up to the closing quote, or to the end of the bytes. `escapes` is the number of backslashes
    /// before the opening quote. The closing quote has the same number; if `escapes` is 0, any even number.
    private static func quotedLength(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, quote: UInt8, escapes: Int
    ) -> Int {
        var run = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                run += 1
                continue
            }
            if bytes[index] == quote, escapes == 0 ? run % 2 == 0 : run == escapes {
                return index - run - start
            }
            run = 0
        }
        return bytes.count - start
    }

    /// Whether the byte ends a line, or a line within a JSON string (a quote or a backslash).
    private static func endsQuotedLine(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func endsQueryValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
            UInt8(ascii: "<"), UInt8(ascii: ">"):
            true
        default: false
        }
    }
}
