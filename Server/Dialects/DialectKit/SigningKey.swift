import Texts

/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] { Keyed(key).sha256(message) }

    /// Hash states after the key was hashed (RFC 2104 §4).
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
            var digest: [UInt8] = []
            message.withUnsafeBytes { sha256($0) { digest.append(contentsOf: $0) } }
            return digest
        }

        func sha256(_ message: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void) {
            var (inner, outer) = (inner, outer)
            inner.update(message)
            inner.withDigest { outer.update($0) }
            outer.withDigest(use)
        }
    }

    /// Compares two arrays in constant time.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

/// Key that signs tokens and links. `description` and `customMirror` do not reveal the key.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let hash: HMAC.Keyed

    /// Minimum bytes of a key: the length of the hash (RFC 7518 §3.2).
    package static let leastBytes = 32
    /// Minimum number of different byte values. 32 random bytes have about 30.
    package static let leastValues = 8

    /// Returns the secret in a file. Line ends at the end of a text file are removed.
    package static func secret(in file: [UInt8]) -> [UInt8] {
        let isText = file.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x0D }
        return isText ? Array(file.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()) : file
    }

    /// Returns why `secret` is easy to guess, as the end of a sentence such as "is empty". Nil if it is hard to guess.
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

    /// - Parameter bytes: at least ``leastBytes`` bytes.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count >= Self.leastBytes, "a signing key needs 32 bytes")
        hash = HMAC.Keyed(bytes)
    }

    package var description: String { "SigningKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    package func sign(_ message: [UInt8]) -> [UInt8] { hash.sha256(message) }

    /// Calls `use` with the signature. Saves an array.
    package func sign(_ message: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void) {
        hash.sha256(message, use)
    }

    /// Derives the key for one purpose. Its signatures are invalid for every other purpose (RFC 5869 §3.2).
    package func derived(for purpose: StaticString) -> SigningKey {
        SigningKey(sign(Array("polymock \(purpose)".utf8)))
    }
}
