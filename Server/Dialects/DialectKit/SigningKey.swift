import Texts

/// Keyed hashes: HMAC with SHA-256 (RFC 2104), and a key that signs with it.
package enum HMAC {
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] { Keyed(key).sha256(message) }

    /// Both hash states with the key already absorbed (RFC 2104 §4), which halves the work for a short
    /// message.
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

    /// Compares in constant time.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

/// The key that signs access tokens. Its description does not reveal the key.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let hash: HMAC.Keyed

    /// Minimum key length: that of the hash (RFC 7518 §3.2).
    package static let leastBytes = 32
    /// Minimum number of different byte values in a key. Of 32 random bytes about 30 differ, of 64
    /// hexadecimal digits about 15.
    package static let leastValues = 8

    /// The secret in the bytes of a file; trailing line ends of a text are removed.
    package static func secret(in file: [UInt8]) -> [UInt8] {
        let isText = file.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x0D }
        return isText ? Array(file.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()) : file
    }

    /// Why `secret` is too easily guessed to sign with, as the end of a sentence; nil if no weakness is
    /// found.
    package static func flaw(of secret: [UInt8]) -> String? {
        guard !secret.isEmpty else { return "is empty" }
        guard secret.count >= leastBytes else { return "has only \(Counted.text(secret.count, "byte"))" }
        let values = Set(secret).count
        guard values >= leastValues else {
            return values == 1
                ? "has a single byte, repeated"
                : "has only \(values) different bytes in \(Counted.text(secret.count, "byte"))"
        }
        let period = (1...secret.count / 2).first { period in
            secret.indices.dropFirst(period).allSatisfy { secret[$0] == secret[$0 - period] }
        }
        return period.map { "repeats its first \(Counted.text($0, "byte"))" }
    }

    /// - Parameter bytes: ``leastBytes`` or more.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count >= Self.leastBytes, "a signing key needs 32 bytes")
        hash = HMAC.Keyed(bytes)
    }

    package var description: String { "SigningKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    package func sign(_ message: [UInt8]) -> [UInt8] { hash.sha256(message) }

    /// A key for one purpose, so that no text signed for it counts for another (RFC 5869 §3.2).
    package func derived(for purpose: StaticString) -> SigningKey {
        SigningKey(sign(Array("polymock \(purpose)".utf8)))
    }
}
