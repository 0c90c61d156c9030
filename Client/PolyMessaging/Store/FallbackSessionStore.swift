/// Session store that requires an entitlement.
package protocol RestrictedSessionStore: Sendable {
    /// - Returns: nil if this program may not use the store.
    func load(ifAllowed namespace: String) -> StoreReading?

    func save(ifAllowed record: StoredSession?, _ namespace: String) -> StoreOutcome
}

package enum StoreOutcome: Equatable, Sendable {
    case done
    /// The text is the reason, for the log.
    case failed(String)
    case notAllowed
}

/// Session store that uses `first`, such as the keychain, or `second` if the entitlement for `first` is missing.
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
