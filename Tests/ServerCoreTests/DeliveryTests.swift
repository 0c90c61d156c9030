import Clocks
import Expectations
import HTTPCore
import ServerCore
import Testing

@testable import ConversationEngine

@Suite("How a response leaves")
struct DeliveryTests {
    private let now = Instant(secondsSince1970: 1_000)
    private let head = RequestHead(method: "GET", target: "/")

    private func delivery(
        _ body: Int = 2, _ firings: [FiredFault] = [], isLast: Bool = false, to head: RequestHead? = nil
    ) -> Delivery {
        Delivery(
            Response(status: 200, body: Array(repeating: 0x61, count: body)), to: head ?? self.head,
            isLast: isLast, firedBy: firings, date: "now", at: now)
    }

    private func says(_ delivery: Delivery, _ line: String) -> Bool {
        String(decoding: delivery.bytes.prefix(400), as: UTF8.self).contains(line + "\r\n")
    }

    @Test("It is written at once, and the connection is kept for the next request")
    func plain() {
        let plain = delivery()
        #expect(plain.way == .atOnce(closes: false) && plain.fault == "")
        #expect(says(plain, "Date: now") && !says(plain, "Connection: close"))
    }

    @Test(
        "The last one closes behind it and says so: the server's choice, the client's, or no request was read"
    )
    func last() {
        let closing = RequestHead(method: "GET", target: "/", headers: ["Connection": "close"])
        let unread = Delivery(
            Response(status: 400), to: nil, isLast: false, firedBy: [], date: "now", at: now)
        for last in [delivery(isLast: true), delivery(to: closing), unread] {
            expectEqual(last.way, .atOnce(closes: true))
            #expect(says(last, "Connection: close"))
        }
    }

    @Test("The body of a long one is not copied, and the connection is kept")
    func long() {
        let short = delivery(CoreLimits.longAnswerBytes - 1)
        #expect(short.parts.count == 1 && short.way == .atOnce(closes: false))
        let long = delivery(CoreLimits.longAnswerBytes)
        #expect(long.way == .atOnce(closes: false) && !says(long, "Connection: close"))
        #expect(says(long, "Content-Length: \(CoreLimits.longAnswerBytes)"))
        expectEqual(long.parts.map(\.count), [long.bytes.count, CoreLimits.longAnswerBytes])
        expectEqual(long.recorded, long.bytes + long.body)
        #expect(delivery(CoreLimits.rowBytes + 1).recorded.count < CoreLimits.rowBytes)
    }

    @Test("A long stream that is whole leaves as one chunk around what is not copied")
    func wholeStream() {
        let body = [UInt8](repeating: 0x61, count: CoreLimits.longAnswerBytes)
        let response = Response(status: 200, body: body, isStream: true)
        let apart = Delivery(response, to: head, isLast: false, firedBy: [], date: "now", at: now)
        var guarded = response
        guarded.isProtected = true
        expectEqual(
            Array(apart.parts.joined()), guarded.serialized(to: head, closing: false, date: "now"))
        expectEqual(apart.parts.count, 3)
    }

    @Test("Faults hold it until the last of them lets go, whatever its length; one that drops cuts it off")
    func fired() {
        let late = FiredFault(id: 1, name: "late", effect: .delay(.seconds(1)))
        let later = FiredFault(id: 2, name: "later", effect: .delay(.seconds(5)))
        let held = delivery(CoreLimits.longAnswerBytes + 1, [late, later])
        let holds = [
            HoldQueue.Hold(end: now + .seconds(1), holder: 1),
            HoldQueue.Hold(end: now + .seconds(5), holder: 2),
        ]
        expectEqual(held.way, .held(holds, until: now + .seconds(5)))
        #expect(held.fault == "late, later" && says(held, "Connection: close"))
        expectEqual(delivery(2, [late, FiredFault(id: 3, name: "cut", effect: .drop)]).way, .cut)
    }

    @Test("A refusal is sent as it is, and is the last")
    func refused() {
        let refusal = FiredFault(
            id: 1, name: "busy", effect: .refuse(status: 503, type: nil, retryAfter: nil, answer: nil))
        expectEqual(delivery(2, [refusal]).way, .atOnce(closes: true))
    }
}
