/// Whether an export shows tokens (chat-ui 3.11).
package enum Secrets: Sendable {
    /// The values of access tokens and of secret headers become `***`.
    case masked
    case included

    private static let names: [StaticString] = [
        "access_token", "authorization", "x-token", "x-mock-token", "token", "cookie", "x-api-key",
    ]
    private static let mask = Array("***".utf8)

    func applied(to bytes: [UInt8]) -> [UInt8] {
        guard self == .masked else { return bytes }
        let secrets = bytes.withUnsafeBufferPointer(Self.secrets)
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

    /// Where secret values stand: behind `name=`, `Name: ` and `"name":"`, also in JSON inside JSON.
    private static func secrets(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard canBegin(bytes, at: index),
                let name = names.first(where: { stands($0, at: index, in: bytes) })
            else {
                index += 1
                continue
            }
            let end = index + name.utf8CodeUnitCount
            if index == 0 || !isNamePart(bytes[index - 1]), let value = value(behind: end, in: bytes) {
                found.append(value)
                index = value.upperBound
            } else {
                index = end
            }
        }
        return found
    }

    /// Cheap, since it is asked of every byte: `ac`, `au`, `to`, `co` or `x-`.
    @inline(__always)
    private static func canBegin(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return false }
        switch bytes[index] | 0x20 {
        case UInt8(ascii: "a"):
            let next = bytes[index + 1] | 0x20
            return next == UInt8(ascii: "c") || next == UInt8(ascii: "u")
        case UInt8(ascii: "t"), UInt8(ascii: "c"): return bytes[index + 1] | 0x20 == UInt8(ascii: "o")
        case UInt8(ascii: "x"): return bytes[index + 1] == UInt8(ascii: "-")
        default: return false
        }
    }

    private static func stands(
        _ name: StaticString, at index: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard index + name.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<name.utf8CodeUnitCount {
            let byte = bytes[index + offset]
            let lower = 0x41...0x5A ~= byte ? byte | 0x20 : byte
            guard lower == name.utf8Start[offset] else { return false }
        }
        return true
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return 0x61...0x7A ~= lower || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_")
    }

    private static func value(behind end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var index = end
        func skip(_ wanted: UInt8...) {
            while index < bytes.count, wanted.contains(bytes[index]) { index += 1 }
        }
        skip(UInt8(ascii: "\\"), UInt8(ascii: "\""))
        skip(0x20)
        guard index < bytes.count else { return nil }
        let separator = bytes[index]
        guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "=") else { return nil }
        index += 1
        skip(0x20)
        let quote = index
        skip(UInt8(ascii: "\\"))
        let start: Int
        let length: Int
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let depth = index - quote
            start = index + 1
            length = quotedLength(bytes, from: start, escapes: depth)
        } else {
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
