import Expectations
import ServerCore
import Testing

@Suite("Trust in proxies")
struct ProxyTrustTests {
    private func judge(
        _ fields: String..., from peer: String = "p1"
    ) -> ProxyTrust<String>.Verdict {
        ProxyTrust(["p1", "p2", "::1"]).judge(fields, from: peer) { text in
            text.isEmpty || text.contains("?") ? nil : text
        }
    }

    @Test(
        "The last address that is no trusted proxy's is the client's; what stands before it is not believed")
    func lastStranger() {
        expectEqual(judge("c"), .client("c"))
        expectEqual(judge("forged, c"), .client("c"))
        expectEqual(judge("?, c"), .client("c"))
        expectEqual(judge("forged, c, p2, p1"), .client("c"))
        expectEqual(judge("c", "p2"), .client("c"))
        expectEqual(judge("forged", "c"), .client("c"))
    }

    @Test("Where all are trusted proxies, the first one asked")
    func proxiesAlone() {
        expectEqual(judge("p2"), .client("p2"))
        expectEqual(judge("p2, p1"), .client("p2"))
    }

    @Test("From any other address the field counts for nothing")
    func strangers() {
        expectEqual(judge("c", from: "c2"), .stranger)
        expectEqual(judge("p1", from: "c2"), .stranger)
        #expect(ProxyTrust<String>([]).judge(["c"], from: "p1") { $0 } == .stranger)
    }

    @Test("Something else than an address, up to the client's, makes it count for nothing")
    func malformed() {
        for field in ["", " ", ",", "c,", "?", "c, ?", "c, , p2", "c, ?, p1"] {
            expectEqual(judge(field), .malformed, "\(field)")
        }
        expectEqual(judge("c", ""), .malformed)
    }

    @Test("Blanks, ports and brackets are no part of an address")
    func forms() {
        expectEqual(judge(" \tc\t "), .client("c"))
        expectEqual(judge("c:80, p2:8080"), .client("c"))
        expectEqual(judge("[2001:db8::7]:80,[::1]"), .client("2001:db8::7"))
        expectEqual(judge("2001:db8::7, ::1"), .client("2001:db8::7"))
    }
}
