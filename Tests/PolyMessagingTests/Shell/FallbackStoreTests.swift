import Clocks
import Expectations
import Testing

@testable import PolyMessaging

@Suite("A store that some programs may not use, and the one in its place")
struct FallbackStoreTests {
    private let record = StoredSession(
        sessionID: "session-1", accessToken: "a.b.c", tokenIssuedAt: Instant(secondsSince1970: 1_000),
        tokenExpiresAt: Instant(secondsSince1970: 2_000), lastActivity: Instant(secondsSince1970: 1_500))

    /// Behaves as the keychain does, over a store in memory.
    private struct Keychain: RestrictedSessionStore {
        var answer = StoreOutcome.done
        let items = MemorySessionStore()

        func load(ifAllowed namespace: String) -> StoreReading? {
            answer == .notAllowed ? nil : items.load(namespace)
        }

        func save(ifAllowed record: StoredSession?, _ namespace: String) -> StoreOutcome {
            if answer == .done { _ = items.save(record, namespace) }
            return answer
        }
    }

    @Test("What may be used is used alone")
    func allowed() {
        let (keychain, file) = (Keychain(), MemorySessionStore())
        let store = FallbackSessionStore(keychain, else: file)
        expectEqual(store.save(record, "one"), nil)
        expectEqual(store.load("one").record, record)
        #expect(keychain.items.load("one").record == record && file.load("one").record == nil)
        expectEqual(store.save(nil, "one"), nil)
        expectEqual(store.load("one").record, nil)
    }

    @Test("A program without the entitlement keeps its record in the second store")
    func notAllowed() {
        let (keychain, file) = (Keychain(answer: .notAllowed), MemorySessionStore())
        let store = FallbackSessionStore(keychain, else: file)
        expectEqual(store.save(record, "one"), nil)
        expectEqual(store.load("one").record, record)
        #expect(keychain.items.load("one").record == nil && file.load("one").record == record)
        expectEqual(store.save(nil, "one"), nil)
        expectEqual(file.load("one").record, nil)
    }

    @Test("Another failure is told, and nothing is written elsewhere")
    func failed() {
        let file = MemorySessionStore()
        let store = FallbackSessionStore(Keychain(answer: .failed("locked")), else: file)
        expectEqual(store.save(record, "one"), "locked")
        #expect(file.load("one").record == nil && store.load("one").record == nil)
    }
}
