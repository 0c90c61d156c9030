import Texts

/// Keyed hashes: HMAC with SHA-256 (RFC 2104), and a key that signs with it.
package enum HMAC {
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] { Keyed(key).sha256(message) }

    /// Both hashes with the key taken in already (RFC 2104 §4), which is half the work for a short message.
    struct Keyed: Sendable {
        private var inner = SHA256()
        private var outer = SHA256()

        init(_ key: [UInt8]) {
            var block = key.count > 64 ? SHA256.digest(of: key) : key
            block.append(contentsOf: repeatElement(0, count: 64 - block.count))
            inner.update(block.map { $0 ^ 0x36 })
            outer.update(block.map { $0 ^ 0x5C })
        }

        func sha256(_ message: [UInt8]) -> [UInt8] {
            var (inner, outer) = (inner, outer)
            inner.update(message)
            outer.update(inner.finish())
            return outer.finish()
        }
    }

    /// Compares without telling through time where the difference is.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

/// The key that signs access tokens. Its description tells nothing.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let hash: HMAC.Keyed

    /// As many as the hash has (RFC 7518 §3.2).
    package static let leastBytes = 32

    /// - Parameter bytes: ``leastBytes`` or more.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count >= Self.leastBytes, "a signing key needs 32 bytes")
        hash = HMAC.Keyed(bytes)
    }

    package var description: String { "SigningKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    package func sign(_ message: [UInt8]) -> [UInt8] { hash.sha256(message) }
}
