import Texts

/// Store with one record per namespace (``StoreNamespace``), to resume sessions. Called from any thread; may block.
package protocol SessionStore: Sendable {
    /// Reads the record. An invalid record counts as missing.
    func load(_ namespace: String) -> StoreReading

    /// Replaces the record atomically; nil deletes it. Returns an error text for the log, or nil.
    func save(_ record: StoredSession?, _ namespace: String) -> String?
}

package struct StoreReading: Equatable, Sendable {
    package var record: StoredSession?
    package var note: String?

    package init(_ record: StoredSession? = nil, note: String? = nil) {
        self.record = record
        self.note = note
    }
}

package enum StoreNamespace {
    /// Returns the first four bytes of the token's SHA-256 hash, as eight hexadecimal digits.
    package static func name(for token: String) -> String {
        SHA256.digest(of: Array(token.utf8)).prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
