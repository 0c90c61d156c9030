import Clocks

package final class MemorySessionStore: SessionStore {
    private let records = Locked<[String: StoredSession]>([:])

    package init() {}

    package func load(_ namespace: String) -> StoreReading {
        StoreReading(records.withLock { $0[namespace] })
    }

    package func save(_ record: StoredSession?, _ namespace: String) -> String? {
        records.withLock { $0[namespace] = record }
        return nil
    }
}
