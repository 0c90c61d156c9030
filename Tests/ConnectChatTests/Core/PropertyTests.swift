import Clocks
import Expectations
import TestSupport
import Testing
import Texts

@testable import ConnectChat
@testable import ConnectCore

/// Answers, echoes, receipts, pages and drops in random orders, against a service that keeps what it accepted.
private struct Service {
    var bench: ChatBench
    var generator: SeededGenerator
    /// What the service has, oldest first.
    var items: [WireItem] = []
    /// Items that were not pushed yet.
    var unheard: [WireItem] = []
    var calls: [Int] = []
    var answered: Set<Int> = []
    /// Client tokens that were seen, with the ids they got.
    var accepted: [String: WireItem] = [:]
    var farthest: [String: Int] = [:]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        bench = ChatBench.active(seed: seed)
    }

    mutating func pick(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

    mutating func store(_ text: String, role: String) -> WireItem {
        let second = 1 + Double(items.count)
        let item = ChatBench.item("i\(items.count)", second, text, role: role)
        items.append(item)
        if bench.core.link.live != nil { unheard.append(item) }
        return item
    }

    /// The requests that wait for an answer.
    var open: [(number: Int, operation: ServiceOperation)] {
        bench.outputs.compactMap { output in
            guard case .request(let number, let operation, _) = output, !answered.contains(number),
                bench.core.pending[number] != nil
            else { return nil }
            return (number, operation)
        }
    }

    mutating func step() {
        switch pick(10) {
        case 0, 1:
            let call = bench.call()
            calls.append(call)
            // Few different words, so that echoes can be mistaken.
            bench.give(.send(contentType: "text/plain", text: "t\(pick(3))", call))
        case 2, 3, 4: answerOne()
        case 5, 6: push()
        case 7: _ = store("agent \(items.count)", role: "AGENT")
        case 8:
            if let own = items.last(where: { $0.role == "CUSTOMER" }) {
                bench.hear(ChatBench.receipt(own.id, read: pick(2) == 0))
            }
        default: if pick(4) == 0 { drop() } else { bench.advance(.seconds(1)) }
        }
        watch()
    }

    mutating func push() {
        guard bench.core.link.live != nil, !unheard.isEmpty else { return }
        bench.hear(unheard.removeFirst())
    }

    mutating func drop() {
        unheard = []
        bench.drop()
    }

    mutating func answerOne(isLast: Bool = false) {
        let waiting = open
        guard !waiting.isEmpty else { return }
        let request = waiting[pick(waiting.count)]
        answered.insert(request.number)
        switch request.operation {
        case .createConnection:
            bench.give(
                .answered(request.number, .connection(Credentials(url: "ws://mock.test/ws", token: "c"))))
            if bench.core.link.attempt != nil { bench.subscribe() }
        case .sendMessage(_, let text, let token):
            // Sometimes it is accepted and the answer lost: the same token again is the same message.
            let item = accepted[token] ?? store(text, role: "CUSTOMER")
            accepted[token] = item
            let isLost = !isLast && pick(6) == 0
            bench.give(
                .answered(
                    request.number,
                    isLost ? .failed(.timedOut(seconds: 15)) : .accepted(id: item.id, time: item.time)))
        case .getTranscript(let page):
            let start = page.nextToken.flatMap(Int.init) ?? items.firstIndex { $0.id == page.startID } ?? 0
            let end = page.isForward ? min(start + page.maxResults, items.count) : items.count
            let first = page.isForward ? start : max(0, end - page.maxResults)
            let answer = Page(
                initialContactID: "contact", items: Array(items[first..<end]),
                nextToken: page.isForward && end < items.count ? "\(end)" : nil)
            bench.give(.answered(request.number, .page(answer)))
        default: bench.give(.answered(request.number, .done))
        }
    }

    private static let steps: [MessageStatus: Int] = [
        .Failed: 0, .Sending: 0, .Sent: 2, .Delivered: 3, .Read: 4,
    ]

    /// The status of a row never goes backwards, but for a row that failed and was found.
    mutating func watch() {
        for row in bench.rows {
            guard let status = row.status else { continue }
            let step = Self.steps[status] ?? 0
            #expect(step >= farthest[row.persistentId] ?? 0 || row.id == row.persistentId)
            farthest[row.persistentId] = step
        }
    }

    mutating func settle() {
        for _ in 0..<50 {
            while !open.isEmpty { answerOne(isLast: true) }
            while bench.core.link.live != nil, !unheard.isEmpty { push() }
            if bench.core.link.live != nil, open.isEmpty { break }
            bench.advance(.seconds(31))
        }
        // Whatever was lost on the way comes with a catch-up.
        drop()
        for _ in 0..<50 where bench.core.link.live == nil || !open.isEmpty {
            bench.advance(.seconds(1))
            while !open.isEmpty { answerOne(isLast: true) }
        }
    }
}

@Suite("ConnectChat: any order")
struct PropertyTests {
    @Test(
        "Each accepted text once, in the order of time, statuses forward, each completion once, for any order of frames",
        arguments: 1...Strength.of(40, full: 200) as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) {
        var service = Service(seed: seed)
        for _ in 0..<120 { service.step() }
        service.settle()
        let rows = service.bench.rows.filter { $0.rank == 0 && $0.status != .Failed }
        expectEqual(rows.map(\.id), service.items.map(\.id))
        expectEqual(Set(service.bench.rows.map(\.persistentId)).count, service.bench.rows.count)
        for call in service.calls { expectEqual(service.bench.answers(call).count, 1) }
    }

    @Test(
        "Frames of any bytes trap nothing, and leave no more than was sent",
        arguments: 1...Strength.of(15, full: 50) as ClosedRange<UInt64>)
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bench = ChatBench.active(seed: seed)
        let pieces = [
            "{", "}", "[", "]", "\"", ":", ",", "null", "1e9", "\"Id\"", "\"topic\"", "\"aws/chat\"",
            "\"content\"",
            "\"aws/ping\"", "\"aws/subscribe\"", "\\u00",
            "\"{\\\"Id\\\":\\\"a\\\",\\\"Type\\\":\\\"MESSAGE\\\"}\"",
            "\"MessageMetadata\"", "{\"topic\":\"aws/chat\",\"content\":", "\u{0}", "ü",
        ]
        for _ in 0..<200 {
            let text = (0..<Int(generator.next() % 12)).map { _ in pieces[Int(generator.next() % 21)] }
                .joined()
            bench.frame(text)
        }
        #expect(bench.rows.count <= 200)
    }

    @Test("A service that sends without end while a page is awaited fills no memory: 1,000 items are held")
    func flood() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        for index in 0..<1_200 { bench.hear(ChatBench.item("m\(index)", 2 + Double(index), "x")) }
        #expect(bench.core.catchUp.held.isEmpty && bench.rows.count == 1_201)
    }

    @Test("Receipts of messages that never come are kept for the newest 100")
    func earlyReceipts() {
        var bench = ChatBench.active()
        for index in 0..<150 { bench.hear(ChatBench.receipt("m\(index)")) }
        bench.hear(ChatBench.item("m0", 1, "Old", role: "CUSTOMER"))
        bench.hear(ChatBench.item("m149", 2, "New", role: "CUSTOMER"))
        expectEqual(bench.rows.map(\.status), [.Sent, .Read])
    }
}
