/// Recogniser of texts that look like a token or key. A shared fixture must not contain such a text.
enum SecretShape {
    private static let prefixes = [
        "sk-", "sk_", "pk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA",
        "AIza",
    ].map { Array($0.utf8) }
    private static let tokenStart = Array("eyJ".utf8)
    private static let keyStart = Array("-----BEGIN".utf8)

    /// Minimum number of characters after a known prefix.
    private static let keyLength = 16

    static func isIn(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard isPart(bytes[index]) else {
                index += 1
                continue
            }
            var end = index
            while end < bytes.count, isPart(bytes[end]) { end += 1 }
            if isSecret(bytes[index..<end]) { return true }
            index = end
        }
        return false
    }

    private static func isSecret(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= keyStart.count else { return false }
        if word.starts(with: keyStart) { return true }
        if word.starts(with: tokenStart), word.count >= 40 {
            return word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count == 3
        }
        return prefixes.contains {
            word.starts(with: $0) && word.count >= $0.count + keyLength && hasDigit(word)
        }
    }

    private static func hasDigit(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains(where: JSON5Escape.isDigit)
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: JSON5Escape.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
    }
}

extension FixtureCompiler {
    mutating func findSecrets(_ value: JSON5Value) {
        switch value.content {
        case .text(let text):
            if SecretShape.isIn(text) {
                warn(
                    .secret, at: place(of: value), "This text looks like a token or a key.",
                    fix: "replace it with an invented one: fixtures are shared")
            }
        case .list(let items): for item in items { findSecrets(item) }
        case .object(let members): for member in members { findSecrets(member.value) }
        case .null, .boolean, .number: break
        }
    }
}
