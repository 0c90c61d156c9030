import Clocks
import Expectations
import Testing
import Texts

@testable import ConnectChat
@testable import ConnectCore

@Suite("ConnectChat: transcript")
struct TranscriptTests {
    private func page(_ items: [WireItem], _ token: String? = nil) -> Reply {
        .page(Page(initialContactID: "contact", items: items, nextToken: token))
    }

    @Test("CC-54 Items by time, ties by arrival; own rows under way behind them; typing last")
    func order() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.item("b", 2, "B1"))
        bench.hear(ChatBench.event("t", 9, "typing", role: "SYSTEM"))
        bench.give(.send(contentType: "text/plain", text: "Mine", bench.call()))
        bench.hear(ChatBench.item("c", 2, "B2"))
        bench.hear(ChatBench.item("a", 1, "A"))
        expectEqual(bench.texts, ["A", "B1", "B2", "Mine", ""])
        bench.answer(.failed(.service(.init(type: "ValidationException", status: 400))))
        bench.hear(ChatBench.item("d", 30, "Later"))
        expectEqual(bench.texts, ["A", "B1", "B2", "Mine", "Later", ""])
    }

    @Test(
        "CC-55 Older pages and late live items get their place in time", arguments: [true, false] as [Bool])
    func places(isDescending: Bool) {
        let newest = (40..<70).map { ChatBench.item("m\($0)", Double($0), "\($0)") }
        var bench = ChatBench()
        bench.connect()
        bench.answer(page(newest, "t1"))
        for start in [20, 0] {
            var request = PageRequest()
            (request.isDescending, request.nextToken) = (isDescending, bench.core.previousToken)
            bench.give(.page(request, bench.call()))
            let items = (start..<start + 20).map { ChatBench.item("m\($0)", Double($0), "\($0)") }
            bench.answer(page(isDescending ? items.reversed() : items, start == 0 ? nil : "t2"))
        }
        #expect(bench.texts == (0..<70).map(String.init) && bench.core.previousToken == nil)
    }

    @Test("CC-56 CC-57 Equal ids are one row for life, whatever the source; later content updates it")
    func oneRow() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.hear(ChatBench.item("a", 1, "One"))
        expectEqual(bench.updates, 0)
        bench.hear(ChatBench.item("a", 1, "One!"))
        #expect(bench.texts == ["One!"] && bench.rows[0].persistentId == "a")
    }

    @Test("What is told of an item again leaves it in front of a later one of the same time")
    func placeOfUpdate() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "A"), ChatBench.item("b", 1, "B")])
        bench.hear(ChatBench.item("a", 1, "A2"))
        #expect(bench.ids == ["a", "b"] && bench.texts == ["A2", "B"])
    }

    @Test("A message without text is not shown, but for the first part of one that is streamed")
    func blank() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.item("a", 1))
        #expect(bench.rows.isEmpty)
        bench.hear(ChatBench.fragment("s", 1, ""))
        expectEqual(bench.ids, ["s"])
        bench.hear(ChatBench.fragment("s", 2, "Hello"))
        expectEqual(bench.texts, ["Hello"])
    }

    @Test("Receipts that come before several messages are kept for each of them")
    func earlyReceipts() {
        var bench = ChatBench.active()
        for id in ["a", "b"] { bench.hear(ChatBench.receipt(id)) }
        for id in ["a", "b"] { bench.hear(ChatBench.item(id, 1, id, role: "CUSTOMER")) }
        expectEqual(bench.rows.map(\.status), [.Read, .Read])
    }

    @Test("The paging token follows a page that continues the last one, though it has no items")
    func emptyPage() {
        var bench = ChatBench()
        bench.connect()
        let items = [ChatBench.item("a", 1, "One")]
        bench.answer(.page(Page(initialContactID: "contact", items: items, nextToken: "t1")))
        var next = PageRequest()
        next.nextToken = "t1"
        bench.give(.page(next, bench.call()))
        bench.answer(.page(Page(initialContactID: "contact", items: [], nextToken: "t2")))
        expectEqual(bench.core.previousToken, "t2")
    }

    @Test("CC-58 A page of 100 items is one update")
    func oneUpdate() {
        var bench = ChatBench.active()
        bench.give(.page(PageRequest(), bench.call()))
        bench.answer(page((0..<100).map { ChatBench.item("m\($0)", Double($0), "\($0)") }))
        #expect(bench.updates == 1 && bench.rows.count == 100)
    }

    @Test("CC-59 CC-60 The list is told when it gets empty; typing does not touch the paging token")
    func emptyAndToken() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(page([], "older"))
        bench.hear(ChatBench.event("t", 1, "typing"))
        bench.outputs = []
        bench.advance(.seconds(12))
        #expect(bench.rows == [] && bench.updates >= 1 && bench.core.previousToken == "older")
    }

    @Test("CC-61 CC-62 Missing members read as empty, unknown kinds become events, unknown topics nothing")
    func oddItems() {
        var bench = ChatBench.active()
        for content in [
            "{}", #"{"Type":"MESSAGE"}"#, #"{"Type":"NEW","ContentType":"x/y","Id":"n"}"#,
            #"{"Id":7,"Type":[]}"#,
            "[]", "nonsense", "",
        ] {
            bench.frame(JSONWriter.line([("topic", .string("aws/chat")), ("content", .string(content))]))
        }
        bench.frame(#"{"topic":"aws/other"}"#)
        bench.frame("{")
        bench.frame(#"{"topic":"aws/chat","content":{"Id":"object"}}"#)
        #expect(bench.rows.allSatisfy { !$0.id.isEmpty })
        #expect(bench.rows.contains { $0.kind == .event && $0.contentType == "x/y" })
    }

    @Test("CC-63 Directions: own, others, nobody's; events and receipts")
    func directions() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.item("a", 1, "Hi", role: "CUSTOMER"))
        for (index, role) in ["AGENT", "SYSTEM", "SUPERVISOR", "CUSTOM_BOT", "MOON"].enumerated() {
            bench.hear(ChatBench.item(role, 2 + Double(index), "Hi", role: role))
        }
        bench.hear(ChatBench.event("j", 20, "participant.joined"))
        expectEqual(
            bench.rows.map(\.direction),
            [.Outgoing, .Incoming, .Incoming, .Incoming, .Incoming, .Common, .Common])
        bench.hear(ChatBench.item("x", 30, "Hi", role: "CUSTOMER", sender: "another"))
        expectEqual(bench.rows.last?.direction, .Common)
    }

    @Test("CC-64 Fragments in a row grow the text; after a gap it waits; the whole one replaces all")
    func fragments() {
        var bench = ChatBench.active()
        func fragment(_ number: Int64, _ text: String, done: Bool = false) -> WireItem {
            ChatBench.fragment("s", number, text, done: done)
        }
        bench.hear(fragment(2, "lost"))
        expectEqual(bench.rows, [])
        for (number, text) in [(1, "Hel"), (2, "lo "), (4, "ld")] {
            bench.hear(fragment(Int64(number), text))
        }
        #expect(bench.texts == ["Hello "] && bench.rows[0].isComplete == false)
        let first = bench.rows[0].timeStamp
        bench.hear(fragment(5, "Hello world", done: true))
        bench.hear(fragment(3, "wor"))
        #expect(
            bench.texts == ["Hello world"] && bench.rows[0].isComplete && bench.rows[0].timeStamp == first)
    }

    @Test(
        "CC-67 CC-69 A typing item lives 12 s, is one per participant, and goes when that one speaks or leaves"
    )
    func typing() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.event("t1", 1, "typing"))
        bench.hear(ChatBench.event("t2", 2, "typing"))
        expectEqual(bench.ids, ["t2"])
        bench.hear(ChatBench.item("s", 3, "Another one", role: "SYSTEM"))
        expectEqual(bench.ids, ["s", "t2"])
        bench.hear(ChatBench.item("a", 4, "Mine"))
        expectEqual(bench.ids, ["s", "a"])
        bench.hear(ChatBench.event("t3", 5, "typing"))
        bench.hear(ChatBench.event("l", 6, "participant.left"))
        expectEqual(bench.ids, ["s", "a", "l"])
        bench.hear(ChatBench.event("t4", 7, "typing", role: "SYSTEM"))
        bench.advance(.milliseconds(11_999))
        #expect(bench.ids.contains("t4"))
        bench.advance(.milliseconds(1))
        #expect(!bench.ids.contains("t4"))
    }

    @Test("CC-68 Own typing comes back as nothing")
    func ownTyping() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.event("t", 1, "typing", role: "CUSTOMER"))
        #expect(bench.rows == [] && bench.events == [])
    }

    @Test(
        "CC-72 A receipt raises the message and is told; read wins; it has the message's and the reader's id")
    func receipts() throws {
        var bench = ChatBench.active(items: [ChatBench.item("m", 1, "Hi", role: "CUSTOMER")])
        bench.hear(ChatBench.receipt("m", read: false))
        expectEqual(bench.rows[0].status, .Delivered)
        bench.hear(ChatBench.receipt("m"))
        expectEqual(bench.rows[0].status, .Read)
        guard case .readReceipt(let row) = bench.events.last else {
            Issue.record("\(bench.events)")
            return
        }
        #expect(row.id == "m" && row.participant == "agent" && row.displayName == nil)
        #expect(row.timeStamp == "2026-01-15T09:40:01.000Z" && row.direction == .Incoming)
        let content = ReceiptContent.content(of: row)
        #expect((content["receipt"] as? [String: Any])?["RecipientParticipantId"] as? String == "agent")
        #expect((content["originalMessage"] as? [String: Any])?["Type"] as? String == "MESSAGEMETADATA")
    }

    @Test("CC-70 The status never goes backwards, and the echo does not erase it")
    func status() {
        var bench = ChatBench.active(items: [ChatBench.item("m", 1, "Hi", role: "CUSTOMER")])
        bench.hear(ChatBench.receipt("m"))
        bench.hear(ChatBench.receipt("m", read: false))
        bench.hear(ChatBench.item("m", 1, "Hi", role: "CUSTOMER"))
        expectEqual(bench.rows[0].status, .Read)
    }

    @Test("CC-71 CC-73 Own messages of a page by their receipts, else Sent; early receipts are kept")
    func pageStatus() {
        var bench = ChatBench()
        bench.connect()
        bench.hear(ChatBench.receipt("late"))
        let metadata = JSONObject([
            .init(
                "Receipts",
                .array([
                    .object(["RecipientParticipantId": .string("agent"), "DeliveredTimestamp": .string("x")])
                ]))
        ])
        bench.answer(
            page([
                ChatBench.item("a", 1, "A", role: "CUSTOMER"),
                ChatBench.item("b", 2, "B", role: "CUSTOMER", more: [("MessageMetadata", .object(metadata))]),
                ChatBench.item("late", 3, "C", role: "CUSTOMER"),
            ]))
        expectEqual(bench.rows.map(\.status), [.Sent, .Delivered, .Read])
    }

    @Test("CC-74 CC-75 Own reading calls nothing back and marks the received message; other messages stay")
    func ownReading() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "A"), ChatBench.item("b", 2, "B")])
        bench.hear(ChatBench.receipt("b", by: "me"))
        #expect(bench.events == [] && bench.rows.map(\.status) == [nil, .Read])
        let empty = ChatBench.item(
            "e", 3, type: "MESSAGEMETADATA",
            more: [("MessageMetadata", .object(["MessageId": .string("a"), "Receipts": .array([])]))])
        bench.hear(empty)
        expectEqual(bench.rows.map(\.status), [nil, .Read])
    }

    @Test("CC-94 One event per live item of its kind")
    func events() {
        var bench = ChatBench.active()
        let names = [
            "typing", "participant.idle", "participant.returned", "participant.autodisconnection",
            "participant.invited", "chat.rehydrated", "transfer.succeeded", "transfer.failed",
        ]
        for (index, name) in names.enumerated() { bench.hear(ChatBench.event(name, Double(index), name)) }
        for (index, name) in names.enumerated() { bench.hear(ChatBench.event(name, Double(index), name)) }
        expectEqual(bench.events.count, names.count)
        bench.hear(ChatBench.event("again", 20, "typing"))
        expectEqual(bench.events.count, names.count + 1)
    }

    @Test("CC-104 A page is merged and answered in its order; the token is empty at the end")
    func pages() {
        var bench = ChatBench.active()
        let call = bench.call()
        var request = PageRequest()
        request.isDescending = true
        bench.give(.page(request, call))
        bench.answer(page([ChatBench.item("b", 2, "B"), ChatBench.item("a", 1, "A")]))
        expectEqual(
            bench.answers(call), [.page(initialContactID: "contact", ids: ["b", "a"], nextToken: "")])
        expectEqual(bench.texts, ["A", "B"])
    }

    @Test("CC-105 The paging token follows pages that reach further back, and no others")
    func pagingToken() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(page([ChatBench.item("m5", 5, "5"), ChatBench.item("m6", 6, "6")], "t5"))
        var forward = PageRequest()
        (forward.isForward, forward.startID) = (true, "m5")
        bench.give(.page(forward, bench.call()))
        bench.answer(page([ChatBench.item("m5", 5, "5")], "forward"))
        expectEqual(bench.core.previousToken, "t5")
        var inside = PageRequest()
        inside.startID = "m6"
        bench.give(.page(inside, bench.call()))
        bench.answer(page([ChatBench.item("m6", 6, "6")], "inside"))
        expectEqual(bench.core.previousToken, "t5")
        var unknown = PageRequest()
        unknown.startID = "nobody"
        bench.give(.page(unknown, bench.call()))
        bench.answer(page([]))
        expectEqual(bench.core.previousToken, "t5")
        var older = PageRequest()
        older.nextToken = "t5"
        bench.give(.page(older, bench.call()))
        bench.answer(page([ChatBench.item("m1", 1, "1")]))
        expectEqual(bench.core.previousToken, nil)
    }

    @Test("CC-106 CC-107 Items of past sessions tell nothing: a past end ends nothing")
    func past() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.event("r", 50, "chat.rehydrated"))
        bench.give(.page(PageRequest(), bench.call()))
        let ended = ChatBench.item(
            "old", -9_000, type: "EVENT", contentType: ContentType.ended.rawValue,
            more: [("RelatedContactId", .string("before"))])
        bench.answer(page([ended]))
        #expect(bench.core.isActive && bench.count(.chatEnded) == 0)
        expectEqual(bench.rows.map(\.isFromPastSession), [true, false])
        expectEqual(bench.events.count, 1)
    }

    @Test("CC-108 An end, a transfer or an invitation missed while away is told once")
    func missed() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        let items = [
            ChatBench.event("i", 2, "participant.invited"), ChatBench.event("t", 3, "transfer.succeeded"),
            ChatBench.event("e", 4, "chat.ended"),
        ]
        bench.answer(page(items))
        #expect(bench.events.suffix(3).count == 3 && bench.count(.chatEnded) == 1 && !bench.core.isActive)
    }

    @Test("CC-109 After a transfer everything goes on")
    func transfer() {
        var bench = ChatBench.active()
        bench.hear(ChatBench.event("t", 1, "transfer.succeeded"))
        let item = ChatBench.item("m", 2, "I am new here", more: [("ContactId", .string("second"))])
        bench.hear(item)
        expectEqual(bench.texts.last, "I am new here")
    }

    @Test("CC-123 chat.ended: item, inactive, no timers, closed 1000, told once")
    func ended() {
        var bench = ChatBench.active()
        let socket = bench.core.link.live?.socket ?? 0
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        #expect(bench.ids == ["e"] && !bench.core.isActive && bench.core.nextDeadline == nil)
        #expect(bench.closed == [socket: 1_000] && bench.count(.chatEnded) == 1)
    }
}
