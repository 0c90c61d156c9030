import Texts

/// Store of the one record from which a later start resumes a session. Calls come from any thread and may block.
/// `namespace` separates connector tokens, see ``StoreNamespace``.
package protocol SessionStore: Sendable {
    /// Reads the record, if there is a valid one.
    func load(_ namespace: String) -> StoreReading

    /// Replaces the record, or removes it, atomically. Returns an error text for the log, or nil.
    func save(_ record: StoredSession?, _ namespace: String) -> String?
}

/// Result of reading a store.
package struct StoreReading: Equatable, Sendable {
    package var record: StoredSession?
    /// The reason why a record was discarded, for the log; has no secrets.
    package var note: String?

    package init(_ record: StoredSession? = nil, note: String? = nil) {
        self.record = record
        self.note = note
    }
}

/// The key of a connector token in a store.
package enum StoreNamespace {
    /// Returns the first four bytes of the token's SHA-256, as eight hexadecimal digits.
    package static func name(for token: String) -> String {
        SHA256.digest(of: Array(token.utf8)).prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
