import Clocks
import Expectations
import TestSupport
import Testing

@testable import ConnectCore

@Suite("ConnectChat: catching up with an outage")
struct CatchUpTests {
    @Test(
        "One outage is caught up with in batches of 20 pages, at most ten; the next catch-up goes on from there"
    )
    func endlessPages() {
        var bench = ChatBench.active(items: [ChatBench.item("m0", 0, "0")])
        bench.reconnect()
        let size = Strength.of(10, full: 100)
        func batch(_ first: Int) {
            for page in first..<first + 20 {
                let items = (1...size).map {
                    ChatBench.item("m\(page * size + $0)", Double(page * size + $0), "\(page * size + $0)")
                }
                bench.answer(.page(Page(initialContactID: "", items: items, nextToken: "t\(page)")))
            }
        }
        batch(0)
        expectEqual(bench.texts, (0...20 * size).map(String.init))
        #expect(bench.pages.count == 21 && bench.pages.last?.startID == "m\(20 * size)", "at once")
        for number in 1..<10 { batch(number * 20) }
        #expect(bench.pages.count == 200 && bench.core.catchUp.step == .idle)
        #expect(bench.core.catchUp.items.isEmpty && bench.core.catchUp.missedFrom == "m\(200 * size)")
        bench.reconnect()
        #expect(bench.pages.count == 201 && bench.pages.last?.startID == "m\(200 * size)")
        let last = 200 * size + 1
        bench.answer(
            .page(
                Page(
                    initialContactID: "", items: [ChatBench.item("m\(last)", Double(last), "\(last)")],
                    nextToken: nil)
            ))
        #expect(bench.texts.count == last + 1 && bench.core.catchUp.missedFrom == nil)
    }

    @Test("A server that brings the same pages again is not asked for more of them")
    func samePages() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        for page in 0..<2 {
            bench.answer(
                .page(
                    Page(initialContactID: "", items: [ChatBench.item("a", 1, "One")], nextToken: "t\(page)"))
            )
        }
        #expect(bench.pages.count == 2 && bench.core.catchUp.step == .idle)
    }

    @Test("What was under way when the connection broke is caught up with: a streamed message, a file's scan")
    func underWay() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.hear(ChatBench.fragment("s", 1, "Hel"))
        bench.hear(ChatBench.item("b", 3, "Mine", role: "CUSTOMER"))
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "a", "the message stands where it began")
        let kept = [
            ChatBench.item("a", 1, "One"), ChatBench.item("s", 2, "Hello", role: "SYSTEM"),
            ChatBench.item("b", 3, "Mine", role: "CUSTOMER"),
        ]
        bench.answer(.page(Page(initialContactID: "", items: kept, nextToken: nil)))
        #expect(bench.texts == ["One", "Hello", "Mine"] && bench.rows.allSatisfy { $0.isComplete })
        func scan(_ status: String) -> WireItem {
            let file = JSONObjectFactory.attachment("f", "a.txt", status)
            return ChatBench.item("i", 4, role: "CUSTOMER", type: "ATTACHMENT", more: [file])
        }
        bench.hear(scan("IN_PROGRESS"))
        bench.hear(ChatBench.item("c", 5, "Two"))
        bench.advance(ConnectLimits.streamedFor)
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "b")
        bench.answer(
            .page(
                Page(
                    initialContactID: "", items: [scan("APPROVED"), ChatBench.item("c", 5, "Two")],
                    nextToken: nil)))
        expectEqual(bench.rows.map(\.id), ["a", "s", "b", "i", "c"])
        expectEqual(bench.rows[3].attachmentStatus, "APPROVED")
        bench.advance(ConnectLimits.streamedFor)
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "c")
    }

    @Test("A streamed message whose whole one is unusable is one row: whole after the next connection")
    func unusableWhole() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.hear(ChatBench.fragment("s", 1, "Friday "))
        bench.hear(ChatBench.fragment("s", 2, "is free."))
        bench.frame(#"{"topic":"aws/chat","content":"{{\"Id\":\"s\",\"Type\":\"MESSAGE\"}"}"#)
        bench.hear(ChatBench.item("b", 5, "Mine", role: "CUSTOMER"))
        #expect(bench.texts == ["One", "Friday is free.", "Mine"] && bench.rows[1].isComplete == false)
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "a", "in front of what is under way, though more was heard")
        // The whole one is another kind of message: its id alone says that it is the same.
        let whole = ChatBench.item(
            "s", 1, #"{"title":"Friday is free."}"#, role: "SYSTEM",
            contentType: "application/vnd.amazonaws.connect.message.interactive")
        let items = [whole, ChatBench.item("b", 5, "Mine", role: "CUSTOMER")]
        bench.answer(.page(Page(initialContactID: "", items: items, nextToken: nil)))
        #expect(bench.ids == ["a", "s", "b"] && bench.rows[1].isComplete)
        #expect(bench.texts[1] == whole.content && bench.rows[1].contentType == whole.contentType)
    }

    @Test("A contact that ends without the whole one leaves what was streamed of it, once")
    func unusableWholeAtTheEnd() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.hear(ChatBench.fragment("s", 1, "Friday "))
        bench.hear(ChatBench.fragment("s", 2, "is free."))
        bench.frame(#"{"topic":"aws/chat","content":"{{\"Id\":\"s\",\"Type\":\"MESSAGE\"}"}"#)
        bench.drop()
        if let pause = bench.core.link.pausesUntil { bench.advance(pause - bench.now) }
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.core.phase == .ended && bench.pages.isEmpty)
        expectEqual(bench.rows.filter { $0.kind == .message }.map(\.text), ["One", "Friday is free."])
        expectEqual(bench.ids.count, Set(bench.ids).count)
    }

    @Test("A message that was streamed while a connection broke twice is not lost, though not heard")
    func streamedBetween() {
        let (first, own) = (ChatBench.item("a", 1, "One"), ChatBench.item("b", 3, "Mine", role: "CUSTOMER"))
        var bench = ChatBench.active(items: [first])
        bench.reconnect()
        // A message that began at 2 is being streamed: no page has it.
        bench.answer(.page(Page(initialContactID: "", items: [own], nextToken: nil)))
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "a", "it stands where it began")
        let kept = [ChatBench.item("s", 2, "Hello", role: "SYSTEM"), own]
        bench.answer(.page(Page(initialContactID: "", items: kept, nextToken: nil)))
        expectEqual(bench.rows.map(\.id), ["a", "s", "b"])
        bench.advance(ConnectLimits.streamedFor)
        bench.reconnect()
        expectEqual(bench.pages.last?.startID, "b", "nothing of that time is under way any more")
    }
}
