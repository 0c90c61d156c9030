/// Whether an export shows tokens (chat-ui 3.11).
package enum Secrets: Sendable {
    /// The values of access tokens and of secret headers become `***`.
    case masked
    case included

    /// How names of secrets end, in small letters, without `-` and `_`: `access_token`, `X-Token`, `clientSecret`.
    private static let endings: [StaticString] = [
        "token", "authorization", "cookie", "apikey", "password", "passwd", "secret", "bearer",
    ]
    /// Names of values in queries and forms alone; elsewhere they are words like others.
    private static let queryNames: [StaticString] = ["key", "auth", "jwt", "sig", "signature"]
    /// Browsers cannot give a WebSocket header fields, so tokens travel behind the first of its subprotocols.
    private static let subprotocols: StaticString = "secwebsocketprotocol"
    /// Letters of a name that are looked at: the longest of the table, and some for what stands before it.
    private static let nameBytes = 64
    private static let mask = Array("***".utf8)

    func applied(to bytes: [UInt8]) -> [UInt8] { applied(to: bytes, isLogLine: false) }

    /// A line of a log is a sentence: a bare word before a colon is no header field there.
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

    /// The same for a line of a log, which mostly holds no name at all.
    package func applied(toLine text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) else {
            return text
        }
        let masked = applied(to: Array(text.utf8), isLogLine: true)
        return String(decoding: masked, as: UTF8.self)
    }

    /// Where secret values stand: behind `name=`, `Name: ` and `"name":"`, also in JSON inside JSON.
    private static func secrets(
        in bytes: UnsafeBufferPointer<UInt8>, isLogLine: Bool
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "="),
                let kind = kind(ofNameBefore: index, in: bytes),
                byte == UInt8(ascii: "=") || !isLogLine || kind.isQuoted,
                let value = value(behind: index, in: bytes, kind)
            else {
                index += 1
                continue
            }
            found.append(value)
            index = value.upperBound
        }
        return found
    }

    private enum Kind {
        case secret(isQuoted: Bool)
        case subprotocols

        /// The name stands in quotes, as in JSON.
        var isQuoted: Bool {
            if case .secret(isQuoted: true) = self { true } else { false }
        }
    }

    /// What the name in front of a separator names; nil for nothing secret. Escapes of URLs are decoded, since the
    /// reader of the URL decodes them, too.
    private static func kind(ofNameBefore separator: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Kind? {
        var end = separator
        var isQuoted = false
        while end > 0 {
            let byte = bytes[end - 1]
            // Queries have no blanks beside their "=".
            let isBlank = byte == 0x20 && bytes[separator] == UInt8(ascii: ":")
            guard byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") || isBlank else { break }
            if byte == UInt8(ascii: "\"") { isQuoted = true }
            end -= 1
        }
        // The last letter decides for nearly all names.
        guard end > 0, isNamePart(bytes[end - 1]) else { return nil }
        var name: [UInt8] = []
        var index = end
        while index > 0, name.count < nameBytes, isNamePart(bytes[index - 1]) {
            index -= 1
            if index >= 2, bytes[index - 2] == UInt8(ascii: "%"),
                let high = hex(bytes[index - 1]), let low = hex(bytes[index])
            {
                index -= 2
                append(high << 4 | low, to: &name)
            } else {
                append(bytes[index], to: &name)
            }
        }
        name.reverse()
        if endings.contains(where: { ends(name, with: $0) }) { return .secret(isQuoted: isQuoted) }
        let isQuery = bytes[separator] == UInt8(ascii: "=")
        if isQuery, queryNames.contains(where: { name.count == $0.utf8CodeUnitCount && ends(name, with: $0) })
        {
            return .secret(isQuoted: isQuoted)
        }
        let isField = name.count == subprotocols.utf8CodeUnitCount && ends(name, with: subprotocols)
        return isField ? .subprotocols : nil
    }

    private static func append(_ byte: UInt8, to name: inout [UInt8]) {
        guard byte != UInt8(ascii: "-"), byte != UInt8(ascii: "_") else { return }
        name.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
    }

    private static func ends(_ name: [UInt8], with ending: StaticString) -> Bool {
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

    private static func value(
        behind place: Int, in bytes: UnsafeBufferPointer<UInt8>, _ kind: Kind
    ) -> Range<Int>? {
        let separator = bytes[place]
        var index = place + 1
        func skip(_ wanted: UInt8...) {
            while index < bytes.count, wanted.contains(bytes[index]) { index += 1 }
        }
        if separator == UInt8(ascii: ":") { skip(0x20) }
        let quote = index
        if case .subprotocols = kind {
            let line = bytes[quote...].prefix { !endsLine($0) }
            guard let comma = line.firstIndex(of: UInt8(ascii: ",")) else { return nil }
            index = comma + 1
            skip(0x20)
            return index < line.endIndex ? index..<line.endIndex : nil
        }
        skip(UInt8(ascii: "\\"))
        let start: Int
        let length: Int
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let depth = index - quote
            start = index + 1
            length = quotedLength(bytes, from: start, escapes: depth)
        } else {
            // A number, `true` or `null` of JSON is no secret, and has no end that a line would show.
            if case .secret(isQuoted: true) = kind, separator == UInt8(ascii: ":") { return nil }
            start = quote
            let isQuery = separator == UInt8(ascii: "=")
            length = bytes[start...].prefix { isQuery ? !endsQueryValue($0) : !endsLine($0) }.count
        }
        return length > 0 ? start..<start + length : nil
    }

    /// Up to the quote behind as many backslashes as the opening one had.
    private static func quotedLength(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, escapes: Int
    ) -> Int {
        var run = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                run += 1
                continue
            }
            if bytes[index] == UInt8(ascii: "\""), escapes == 0 ? run % 2 == 0 : run == escapes {
                return index - run - start
            }
            run = 0
        }
        return bytes.count - start
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func endsQueryValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ";"), UInt8(ascii: ","):
            true
        default: false
        }
    }
}
