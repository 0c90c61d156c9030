import Clocks
import Expectations
import Testing

@testable import ConnectChat
@testable import ConnectCore

@Suite("ConnectChat: renewing the token")
struct TokenRenewalTests {
    @Test(
        "CC-102 A 403 on the token: one renewal for all calls, then each once more; denied again it is over")
    func renewsToken() {
        var bench = ChatBench.active()
        let (first, second) = (bench.call(), bench.call())
        bench.give(.send(contentType: "text/plain", text: "Hi", first))
        bench.give(.event(contentType: ContentType.typing.rawValue, content: "", second))
        bench.refuse(403, "AccessDeniedException")
        bench.refuse(403, "AccessDeniedException")
        expectEqual(bench.connections, 1)
        bench.credentials()
        bench.answer(.accepted(id: "x", time: "2026-01-15T09:31:00.000Z"))
        bench.answer(.done)
        #expect(bench.answers(first) == [.success] && bench.answers(second) == [.success])
        bench.give(.address(attachmentID: "f", bench.call()))
        bench.refuse(403, "AccessDeniedException")
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.count(.chatEnded) == 1 && !bench.core.isActive)
    }

    @Test(
        "CC-103 A token is renewed a minute before it ends, never before half of its life nor 30 s after it came",
        arguments: [(8, 30), (59, 30), (60, 30), (61, 30.5), (66, 33), (120, 60), (121, 61), (3_600, 3_540)]
            as [(Double, Double)])
    func tokenRenewal(life: Double, renewed: Double) {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.credentials(expiry: .seconds(life))
        bench.subscribe()
        expectEqual(bench.core.renewsTokenAt, bench.now + .seconds(renewed))
    }

    @Test("CC-103 A token's renewal is tried once; an end before it came starts no timer")
    func tokenExpiry() {
        for expiry in [0.0, -1, -1_000_000] {
            var bench = ChatBench()
            bench.give(.connect(ChatBench.details, bench.call()))
            bench.credentials(expiry: .seconds(expiry))
            bench.subscribe()
            expectEqual(bench.core.renewsTokenAt, nil)
        }
        var other = ChatBench()
        other.give(.connect(ChatBench.details, other.call()))
        other.credentials(expiry: .seconds(66))
        other.subscribe()
        other.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
        for _ in 1...3 {
            other.advance(.seconds(10))
            other.frame(ReconnectingTests.pong)
            other.frame(ReconnectingTests.beat)
        }
        expectEqual(other.connections, 1)
        other.advance(.seconds(4))
        expectEqual(other.connections, 2)
        other.answer(.failed(.network("gone")))
        other.advance(.seconds(2))
        expectEqual(other.connections, 2)
    }
}
