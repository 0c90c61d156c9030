/// Recogniser of tokens, keys and passwords by their form, in text or in JSON.
package enum SecretShape {
    private static let prefixes: [StaticString] = [
        "sk-", "sk_", "pk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA",
        "AIza", "Bearer ", "bearer ",
    ]
    /// Minimum number of characters after a known prefix.
    private static let keyLength = 16
    /// Minimum bytes of each part of a JSON web token.
    private static let partBytes = 8
    /// Maximum bytes of an address in which a password is searched.
    private static let addressBytes = 256

    package static func isIn(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            bytes.indices.contains { range(at: $0, in: bytes) != nil }
        }
    }

    /// Whether a byte, by its value, may be the first of a secret.
    package static let firstBytes = (0...UInt8.max).map { ":-espgxABb".utf8.contains($0) }

    /// Returns the secret whose first byte, or the `://` before it, is at `index`.
    package static func range(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        switch bytes[index] {
        case UInt8(ascii: ":"): return password(at: index, in: bytes)
        case UInt8(ascii: "-"):
            guard starts(with: "-----BEGIN", at: index, in: bytes) else { return nil }
            return index..<keyEnd(at: index, in: bytes)
        case UInt8(ascii: "e"), UInt8(ascii: "s"), UInt8(ascii: "p"), UInt8(ascii: "g"), UInt8(ascii: "x"),
            UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "b"):
            guard isStart(index, in: bytes) else { return nil }
        default: return nil
        }
        if starts(with: "eyJ", at: index, in: bytes) {
            return tokenEnd(at: index, in: bytes).map { index..<$0 }
        }
        for prefix in prefixes
        where prefix.utf8Start[0] == bytes[index] && starts(with: prefix, at: index, in: bytes) {
            let start = index + prefix.utf8CodeUnitCount
            let word = bytes[start...].prefix(while: isPart)
            let hasDigit = word.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            if word.count >= keyLength, hasDigit { return index..<word.endIndex }
        }
        return nil
    }

    /// Whether a word starts at `index`, also after a JSON escape such as `\n`.
    private static func isStart(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index > 0, isPart(bytes[index - 1]) else { return true }
        return index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && "bfnrt".utf8.contains(bytes[index - 1])
    }

    /// Returns the end of a JSON web token: three or five parts, of which the first encodes a JSON object; or two such
    /// parts, without a signature.
    private static func tokenEnd(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var word = bytes[index...].prefix(while: isPart)
        while word.last == UInt8(ascii: ".") { word.removeLast() }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A text may go on after a dot.
        let areLong = parts.prefix(3).allSatisfy { $0.count >= partBytes }
        switch parts.count {
        case 2: return areLong && parts[1].starts(with: "eyJ".utf8) ? word.endIndex : nil
        case 3, 4: return areLong ? word.endIndex : nil
        default: return parts.count > 4 && parts[0].count >= partBytes ? word.endIndex : nil
        }
    }

    /// Returns the end of a key in PEM, at most the end of its JSON text.
    private static func keyEnd(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var end = index
        var isLastLine = false
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if isLastLine, starts(with: "-----", at: end, in: bytes) { return end + 5 }
            if starts(with: "-----END", at: end, in: bytes) {
                (isLastLine, end) = (true, end + 8)
            } else {
                end += 1
            }
        }
        // The quote may be escaped, in nested JSON.
        while bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        return end
    }

    /// Returns the password in an address such as `https://name:password@host`.
    private static func password(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard starts(with: "://", at: index, in: bytes) else { return nil }
        var start: Int?
        for place in (index + 3)..<min(index + addressBytes, bytes.count) {
            switch bytes[place] {
            case UInt8(ascii: "@"): return start.flatMap { $0 < place ? $0..<place : nil }
            case UInt8(ascii: ":"): start = start ?? place + 1
            case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""),
                UInt8(ascii: "\\"):
                return nil
            default: break
            }
        }
        return nil
    }

    private static func starts(
        with text: StaticString, at index: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: 0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20
        }
    }
}
