/// A session store that requires an entitlement. Programs without the entitlement may not use the store.
package protocol RestrictedSessionStore: Sendable {
    /// Reads the record.
    ///
    /// - Returns: nil if this program may not use the store.
    func load(ifAllowed namespace: String) -> StoreReading?

    func save(ifAllowed record: StoredSession?, _ namespace: String) -> StoreOutcome
}

package enum StoreOutcome: Equatable, Sendable {
    case done
    /// The operation failed. The text is the reason, for the log.
    case failed(String)
    /// This program may not use the store.
    case notAllowed
}

/// Session store that uses the store `first`, such as the keychain. If the program has no entitlement for `first`, it
/// uses `second`.
package final class FallbackSessionStore: SessionStore {
    private let first: any RestrictedSessionStore
    private let second: any SessionStore

    package init(_ first: any RestrictedSessionStore, else second: any SessionStore) {
        self.first = first
        self.second = second
    }

    package func load(_ namespace: String) -> StoreReading {
        first.load(ifAllowed: namespace) ?? second.load(namespace)
    }

    package func save(_ record: StoredSession?, _ namespace: String) -> String? {
        switch first.save(ifAllowed: record, namespace) {
        case .done: nil
        case .failed(let reason): reason
        case .notAllowed: second.save(record, namespace)
        }
    }
}
