import Texts

/// Keeps the one record that lets a later start resume a session.
///
/// `namespace` separates the records of connector tokens; see ``StoreNamespace``. Calls are short and may
/// touch the disk; they come from any thread.
package protocol SessionStore: Sendable {
    /// The record, if there is one that makes sense.
    func load(_ namespace: String) -> StoreReading

    /// Replaces the record, or removes it; all of it or nothing. Returns what went wrong, for the log.
    func save(_ record: StoredSession?, _ namespace: String) -> String?
}

/// Result of reading a store.
package struct StoreReading: Equatable, Sendable {
    package var record: StoredSession?
    /// The reason of a discard, for the log; names no secrets.
    package var note: String?

    package init(_ record: StoredSession? = nil, note: String? = nil) {
        self.record = record
        self.note = note
    }
}

/// The part of a store that belongs to one connector token.
package enum StoreNamespace {
    /// The first four bytes of the token's SHA-256, as eight hexadecimal digits.
    package static func name(for token: String) -> String {
        SHA256.digest(of: Array(token.utf8)).prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
