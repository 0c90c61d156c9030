import Clocks
import DialectKit
import Expectations
import Testing

@testable import PolyDialect

@Suite("Bounds of the protocol rules")
struct ProtocolRuleBoundsTests {
    @Test("Of 10,001 sessions the oldest is forgotten, and all others are judged")
    func sessions() {
        var watch = Watch()
        for number in 0...10_000 {
            watch.session("s\(number)", subject: "p\(number)")
            watch.connect(1, session: "s\(number)", subject: "p\(number)")
        }
        expectEqual(watch.rules.sessionCount, 10_000)
        watch.hear(.binary, in: "s0")
        expectEqual(watch.told, [])
        watch.hear(.binary, in: "s1")
        watch.hear(.binary, in: "s10000")
        expectEqual(watch.told.map(\.session), ["s1", "s10000"])
        watch.wait(.seconds(90))
        #expect(watch.told.dropFirst(2).allSatisfy { $0.protocolRule.id == "heartbeat-kept" })
        #expect(watch.told.count == 10_002 && watch.rules.nextCheck == nil)
    }

    @Test("The place that is known of one session accuses nobody of what another one did")
    func places() {
        var watch = Watch()
        for number in 0...1 {
            watch.session("s\(number)", subject: "p\(number)")
            watch.connect(1, session: "s\(number)", subject: "p\(number)")
        }
        var place = -1
        for session in ["s0", "s0", "s1", "s1", "s0"] {
            let told = watch.rules.observe(
                .heard(session: session, connection: 1, .binary), at: watch.now, place: &place)
            expectEqual(told.map(\.session), [session])
        }
    }

    @Test("A protocol rule is told for each time it is broken, up to 16 times a session")
    func repetition() {
        var watch = Watch()
        watch.begin()
        for _ in 1...20 { watch.hear(.binary) }
        watch.hear(.unreadable())
        expectEqual(watch.protocolRules, Array(repeating: "text-frames", count: 16) + ["readable-messages"])
        expectEqual(watch.rules.unreportedViolations, 4)
        expectEqual(watch.told.map(\.event), Array(2...17) + [22])
    }

    @Test("Callers, connections and local ids beyond the bounds are forgotten, not misjudged")
    func others() {
        var watch = Watch()
        watch.token(429, retryAfter: .seconds(30), call: "0")
        for number in 1...10_000 { watch.token(429, retryAfter: .seconds(30), call: "\(number)") }
        watch.token(call: "0")
        expectEqual(watch.told, [])
        watch.token(call: "10000")
        expectEqual(watch.protocolRules, ["token-retry-after"])

        watch.begin()
        for number in 0...32 { watch.say("Hi", id: "\(number)") }
        watch.say("Ho", id: "0")
        expectEqual(watch.told.count, 1)
        watch.say("Ho", id: "32")
        expectEqual(watch.protocolRules.last, "local-id-unique")

        for connection in 2...33 as ClosedRange<UInt64> {
            watch.see(.connected(session: "s", connection: connection, cursor: nil))
        }
        watch.hear(.binary, on: 33)
        expectEqual(watch.told.count, 2)
        watch.hear(.binary, on: 32)
        expectEqual(watch.protocolRules.last, "text-frames")
    }

    @Test("Clients that share a session may connect 20 times in a second together")
    func sharedConnects() {
        var watch = Watch()
        watch.session()
        for connection in 1...20 as ClosedRange<UInt64> {
            watch.connect(connection)
            watch.drop(connection, .client(code: 1000))
        }
        expectEqual(watch.told, [])
        watch.handshake()
        expectEqual(watch.protocolRules, ["reconnect-backoff"])
    }

    @Test("A session that is over asks for no further check")
    func schedule() {
        var watch = Watch()
        watch.begin()
        watch.idle(100)
        #expect(watch.rules.nextCheck != nil)
        watch.end()
        watch.drop(1, .client(code: 1000))
        _ = watch.rules.check(at: watch.now + .seconds(90))
        expectEqual(watch.rules.nextCheck, nil)
    }

    @Test("A client's word is cut to 60 characters and one line")
    func quoting() throws {
        var watch = Watch()
        watch.begin()
        watch.hear(.unknown(type: String(repeating: "a\n", count: 100)))
        let detail = try #require(watch.told.first).detail
        expectEqual(detail, "it sent \"" + String(repeating: "a ", count: 30) + "…\"")
    }

    @Test("Ids and texts of several counters have hashes of their own")
    func hashes() {
        var hashes: Set<UInt64> = []
        func pad(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: width - String(number).count) + String(number)
        }
        for first in 0..<30 {
            for second in 0..<30 {
                for third in 0..<30 {
                    let id = "run-\(pad(first, 4))-\(pad(second, 3))-\(pad(third, 3))"
                    hashes.insert(EchoMemory.hash(id))
                }
            }
        }
        expectEqual(hashes.count, 27_000)
        let zeros = (0..<200).map { String(repeating: "\0", count: $0) }
        let texts = zeros + ["a", "a\0", "\0a", "abcdefgh", "abcdefgh\0"]
        expectEqual(Set(texts.map(EchoMemory.hash)).count, texts.count)
    }
}
