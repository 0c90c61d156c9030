import Clocks
import Expectations
import HTTPCore
import Testing

@testable import ConnectChat
@testable import ConnectCore

@Suite("ConnectChat: sending")
struct SendingTests {
    private static let time = "2026-01-15T09:31:00.000Z"
    private let text = "text/plain"

    @Test("CC-76 CC-77 A row at once under a temporary id; accepted it has the server's id and time")
    func sends() {
        var bench = ChatBench.active()
        let call = bench.call()
        bench.give(.send(contentType: text, text: "Hi", call))
        let temporary = bench.rows[0]
        #expect(temporary.status == .Sending && temporary.participant == "CUSTOMER")
        #expect(temporary.id == temporary.persistentId && temporary.timeStamp == WireTime.text(bench.now))
        bench.answer(.accepted(id: "x", time: Self.time))
        let row = bench.rows[0]
        #expect(row.id == "x" && row.timeStamp == Self.time && row.status == .Sent)
        #expect(row.persistentId == temporary.persistentId && bench.answers(call) == [.success])
    }

    @Test("A receipt leaves for a message of another, and none for an own one")
    func receiptOfOwn() {
        let items = [ChatBench.item("a", 1, "A"), ChatBench.item("b", 2, "B", role: "CUSTOMER")]
        var bench = ChatBench.active(items: items)
        let own = bench.call()
        bench.give(.receipt(.messageRead, messageID: "b", own))
        bench.advance(.seconds(5))
        #expect(bench.answers(own) == [.success] && bench.operations == [])
        bench.give(.receipt(.messageRead, messageID: "a", bench.call()))
        bench.advance(.seconds(5))
        expectEqual(bench.operations.count, 1)
    }

    @Test("CC-78 The echo before the response adopts the row: never two")
    func echoFirst() {
        var bench = ChatBench.active()
        let calls = [bench.call(), bench.call()]
        for call in calls { bench.give(.send(contentType: text, text: "Hi", call)) }
        bench.hear(ChatBench.item("x", 60, "Hi", role: "CUSTOMER"))
        #expect(bench.rows.count == 2 && bench.rows.map(\.status) == [.Sent, .Sending])
        bench.answer(.accepted(id: "x", time: Self.time))
        bench.answer(.accepted(id: "y", time: "2026-01-15T09:31:01.000Z"))
        bench.hear(ChatBench.item("y", 61, "Hi", role: "CUSTOMER"))
        #expect(bench.ids == ["x", "y"] && calls.flatMap(bench.answers) == [.success, .success])
    }

    @Test("CC-79 If the response names another id, the rows are parted", arguments: [true, false] as [Bool])
    func parted(echoesFirst: Bool) {
        var bench = ChatBench.active()
        bench.give(.send(contentType: text, text: "Hi", bench.call()))
        let own = bench.rows[0].persistentId
        bench.hear(ChatBench.item("other", 60, "Hi", role: "CUSTOMER"))
        if echoesFirst { bench.hear(ChatBench.item("mine", 61, "Hi", role: "CUSTOMER")) }
        bench.answer(.accepted(id: "mine", time: "2026-01-15T09:31:01.000Z"))
        if !echoesFirst { bench.hear(ChatBench.item("mine", 61, "Hi", role: "CUSTOMER")) }
        expectEqual(bench.ids, ["other", "mine"])
        expectEqual(bench.rows.first { $0.id == "mine" }?.persistentId, own)
        expectEqual(bench.rows.first { $0.id == "other" }?.persistentId, "other")
    }

    @Test("A text that a custom client changed is shown as it was sent", arguments: [true, false] as [Bool])
    func rewritten(echoesFirst: Bool) {
        var bench = ChatBench.active()
        bench.give(.send(contentType: text, text: "Hi", bench.call()))
        let own = bench.rows[0].persistentId
        let echo = ChatBench.item("x", 60, "Hi, from the app", role: "CUSTOMER")
        if echoesFirst { bench.hear(echo) }
        bench.answer(.accepted(id: "x", time: Self.time))
        if !echoesFirst { bench.hear(echo) }
        #expect(bench.ids == ["x"] && bench.rows[0].persistentId == own && bench.rows[0].status == .Sent)
        expectEqual(bench.rows[0].text, "Hi, from the app")
    }

    @Test("CC-80 Echo but no answer: Sent at the echo, success when the tries end")
    func noAnswer() {
        var bench = ChatBench.active()
        let call = bench.call()
        bench.give(.send(contentType: text, text: "Hi", call))
        bench.hear(ChatBench.item("x", 60, "Hi", role: "CUSTOMER"))
        #expect(bench.rows[0].status == .Sent && bench.answers(call) == [])
        bench.answer(.failed(.timedOut(seconds: 15)))
        #expect(bench.answers(call) == [.success] && bench.rows[0].status == .Sent)
    }

    @Test(
        "CC-81 CC-83 CC-85 Refused: failed, and sent again with the same ClientToken in the same row, at the end"
    )
    func resends() {
        var bench = ChatBench.active()
        let (call, again) = (bench.call(), bench.call())
        bench.give(.send(contentType: text, text: "Hi", call))
        let error = ConnectChatError.service(.init(type: "ValidationException", status: 400))
        bench.answer(.failed(error))
        #expect(bench.answers(call) == [.failure(error)] && bench.rows[0].status == .Failed)
        bench.hear(ChatBench.item("a", 90, "Later"))
        let id = bench.rows[0].persistentId
        bench.outputs.removeAll { if case .changed = $0 { true } else { false } }
        bench.give(.resend(id: id, again))
        #expect(bench.rows.map(\.persistentId) == ["a", id] && bench.updates == 1)
        let tokens = bench.operations.compactMap {
            if case .sendMessage(_, _, let token) = $0 { token } else { nil }
        }
        #expect(tokens.count == 2 && Set(tokens).count == 1)
        bench.answer(.accepted(id: "x", time: "2026-01-15T09:32:00.000Z"))
        #expect(bench.answers(again) == [.success] && bench.ids == ["a", "x"])
        let (missing, sent) = (bench.call(), bench.call())
        bench.give(.resend(id: "nobody", missing))
        bench.give(.resend(id: "x", sent))
        expectEqual(bench.answers(missing), [.failure(.messageNotFound(id: "nobody"))])
        expectEqual(bench.answers(sent), [.failure(.messageNotFailed(id: "x"))])
    }

    @Test("CC-82 Given up without knowing, then found by a catch-up: one row, Sent")
    func found() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.give(.send(contentType: text, text: "Hi", bench.call()))
        bench.answer(.failed(.network("gone")))
        expectEqual(bench.rows.last?.status, .Failed)
        bench.reconnect()
        let items = [ChatBench.item("x", 30, "Hi", role: "CUSTOMER")]
        bench.answer(.page(Page(initialContactID: "", items: items, nextToken: nil)))
        #expect(bench.ids == ["a", "x"] && bench.rows.last?.status == .Sent)
    }

    @Test("CC-84 Requests leave in the order of the calls, one at a time")
    func oneAtATime() {
        var bench = ChatBench.active()
        for index in 0..<5 { bench.give(.send(contentType: text, text: "\(index)", bench.call())) }
        for index in 0..<5 {
            expectEqual(bench.operations.count, index + 1)
            bench.answer(.accepted(id: "m\(index)", time: Self.time))
        }
        expectEqual(bench.texts, ["0", "1", "2", "3", "4"])
    }

    @Test("CC-86 CC-89 An empty text, no connection, and the end: an error and no row")
    func refusals() {
        var bench = ChatBench()
        let early = bench.call()
        bench.give(.send(contentType: text, text: "Hi", early))
        expectEqual(bench.answers(early), [.failure(.notConnected)])
        bench = ChatBench.active()
        let empty = bench.call()
        bench.give(.send(contentType: text, text: "", empty))
        guard case .failure(.invalidArgument) = bench.answers(empty).first else {
            Issue.record("\(bench.answers(empty))")
            return
        }
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        let late = bench.call()
        bench.give(.send(contentType: text, text: "Hi", late))
        #expect(bench.answers(late) == [.failure(.chatEnded)] && bench.ids == ["e"])
    }

    @Test("CC-87 CC-88 Messages leave while the socket is down; without an answer they fail")
    func socketDown() {
        var bench = ChatBench.active()
        bench.give(.suspend)
        let call = bench.call()
        bench.give(.send(contentType: text, text: "Hi", call))
        bench.answer(.accepted(id: "x", time: Self.time))
        expectEqual(bench.answers(call), [.success])
        let lost = bench.call()
        bench.give(.send(contentType: text, text: "Ho", lost))
        bench.answer(.failed(.network("gone")))
        #expect(bench.answers(lost) == [.failure(.network("gone"))] && bench.rows.last?.status == .Failed)
    }

    @Test(
        "CC-90 CC-91 CC-93 Typing once per 10 s, all calls succeed; a failure, a message and connect reopen it"
    )
    func typing() {
        var bench = ChatBench.active()
        let typing = ContentType.typing.rawValue
        func sent() -> Int {
            bench.operations.count { if case .sendEvent(typing, _, _) = $0 { true } else { false } }
        }
        let first = bench.call()
        bench.give(.event(contentType: typing, content: "", first))
        bench.give(.event(contentType: typing, content: "", bench.call()))
        expectEqual(sent(), 1)
        bench.answer(.failed(.network("gone")))
        expectEqual(bench.answers(first), [.failure(.network("gone"))])
        bench.give(.event(contentType: typing, content: "", bench.call()))
        expectEqual(sent(), 2)
        bench.answer(.done)
        bench.advance(.milliseconds(9_999))
        bench.give(.event(contentType: typing, content: "", bench.call()))
        expectEqual(sent(), 2)
        bench.advance(.milliseconds(1))
        bench.give(.event(contentType: typing, content: "", bench.call()))
        expectEqual(sent(), 3)
        bench.answer(.done)
        bench.give(.send(contentType: text, text: "Hi", bench.call()))
        bench.answer(.accepted(id: "x", time: Self.time))
        bench.give(.event(contentType: typing, content: "", bench.call()))
        expectEqual(sent(), 4)
        for _ in 0..<2 { bench.give(.event(contentType: "application/other", content: "x", bench.call())) }
        #expect(
            bench.operations.suffix(2).allSatisfy {
                if case .sendEvent("application/other", "x", _) = $0 { true } else { false }
            })
    }

    // MARK: - Receipts

    private func sentReceipts(_ bench: ChatBench) -> [String] {
        bench.operations.compactMap {
            guard case .sendEvent(let type, let content, _) = $0 else { return nil }
            return "\(type.split(separator: ".").last ?? "") \(content)"
        }
    }

    private func messages(window: Interval = .seconds(5)) -> ChatBench {
        ChatBench.active(window: window, items: (1...4).map { ChatBench.item("m\($0)", Double($0), "\($0)") })
    }

    @Test("CC-95 CC-96 Off: nothing; own messages, events and repeats: nothing; all succeed")
    func noReceipts() {
        var bench = messages()
        bench.core.settings.sendsReceipts = false
        let off = bench.call()
        bench.give(.receipt(.messageRead, messageID: "m1", off))
        bench.core.settings.sendsReceipts = true
        bench.hear(ChatBench.item("own", 9, "Hi", role: "CUSTOMER"))
        let own = bench.call()
        bench.give(.receipt(.messageRead, messageID: "own", own))
        bench.advance(.seconds(6))
        #expect(
            bench.answers(off) == [.success] && bench.answers(own) == [.success] && sentReceipts(bench) == [])
        bench.give(.receipt(.messageRead, messageID: "m1", bench.call()))
        bench.advance(.seconds(5))
        bench.answer(.done)
        for kind: MessageReceiptType in [.messageRead, .messageDelivered] {
            let call = bench.call()
            bench.give(.receipt(kind, messageID: "m1", call))
            expectEqual(bench.answers(call), [.success])
        }
        bench.advance(.seconds(20))
        expectEqual(sentReceipts(bench).count, 1)
    }

    @Test("CC-97 One window: its end sends the newest read, and the newest delivered of another message")
    func window() {
        var bench = messages()
        for id in ["m1", "m2", "m3"] { bench.give(.receipt(.messageDelivered, messageID: id, bench.call())) }
        for id in ["m1", "m2"] { bench.give(.receipt(.messageRead, messageID: id, bench.call())) }
        bench.advance(.milliseconds(4_999))
        expectEqual(sentReceipts(bench), [])
        bench.advance(.milliseconds(1))
        expectEqual(sentReceipts(bench), [#"read {"messageId":"m2"}"#, #"delivered {"messageId":"m3"}"#])
        var atOnce = messages(window: .zero)
        atOnce.give(.receipt(.messageRead, messageID: "m1", atOnce.call()))
        expectEqual(sentReceipts(atOnce).count, 1)
    }

    @Test("CC-98 CC-99 A late delivered one goes out with the next window by itself; each completion once")
    func late() {
        var bench = messages()
        let (first, second, late) = (bench.call(), bench.call(), bench.call())
        bench.give(.receipt(.messageRead, messageID: "m1", first))
        bench.give(.receipt(.messageRead, messageID: "m2", second))
        bench.advance(.seconds(4))
        bench.give(.receipt(.messageDelivered, messageID: "m3", late))
        bench.advance(.seconds(1))
        expectEqual(sentReceipts(bench).count, 1)
        bench.answer(.failed(.network("gone")))
        #expect(
            bench.answers(first) == bench.answers(second)
                && bench.answers(first) == [.failure(.network("gone"))])
        bench.advance(.seconds(5))
        expectEqual(sentReceipts(bench).last, #"delivered {"messageId":"m3"}"#)
        bench.answer(.done)
        expectEqual(bench.answers(late), [.success])
    }

    @Test("The log of a chat: connecting, a message, a cut, the way back, an upload, the end")
    func logged() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(.page(Page(initialContactID: "contact", items: [], nextToken: nil)))
        for reply in [.accepted(id: "x", time: Self.time), .failed(.network("refused"))] as [Reply] {
            bench.give(.send(contentType: text, text: "Hi", bench.call()))
            bench.answer(reply)
        }
        bench.drop()
        bench.reconnect()
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        expectEqual(
            bench.logLines.map { $0.split(separator: " is in ")[0] },
            [
                "Connecting.", "Connected.", "A message was sent.", "A message was not sent: refused",
                "The connection was lost.", "Attempt 1 to connect again", "Connecting.", "Connected again.",
                "The chat has ended.",
            ])
    }

    @Test("CC-100 CC-101 Nothing after the end; a 403 is silent; a conflict is logged once")
    func refusedReceipts() {
        var bench = messages(window: .zero)
        bench.give(.receipt(.messageRead, messageID: "m1", bench.call()))
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.core.isActive && bench.connections == 0)
        for id in ["m2", "m3"] {
            bench.give(.receipt(.messageRead, messageID: id, bench.call()))
            bench.refuse(409, "ConflictException")
        }
        expectEqual(bench.logLines.count { $0.hasPrefix("The service takes no receipts") }, 1)
        bench.give(.receipt(.messageDelivered, messageID: "m4", bench.call()))
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        let sent = sentReceipts(bench).count
        let call = bench.call()
        bench.give(.receipt(.messageRead, messageID: "m4", call))
        bench.advance(.minutes(1))
        #expect(sentReceipts(bench).count == sent && bench.answers(call) == [.failure(.chatEnded)])
    }

    // MARK: - Files

    private let file = ChatCore.File(name: "a.txt", contentType: "text/plain", byteCount: 3, copy: "copy")

    @Test(
        "CC-111 CC-112 A row at once, start, put with all headers, complete, success; the item joins the row")
    func uploads() {
        var bench = ChatBench.active()
        let call = bench.call()
        bench.give(.attach(file, call))
        #expect(
            bench.texts == ["a.txt"] && bench.rows[0].attachmentId != nil && bench.rows[0].status == .Sending)
        let headers: HeaderFields = ["x-odd": "1", "Content-Type": "text/plain"]
        bench.answer(.upload(attachmentID: "f", url: "http://mock.test/up", headers: headers))
        let put = bench.outputs.compactMap { output -> HeaderFields? in
            if case .upload(_, "copy", "http://mock.test/up", let headers) = output { headers } else { nil }
        }
        expectEqual(put, [headers])
        bench.answer(.done)
        bench.answer(.done)
        #expect(bench.answers(call) == [.success] && bench.outputs.contains(.dropFile("copy")))
        let attachment = JSONObjectFactory.attachment("f", "a.txt", "APPROVED")
        bench.hear(ChatBench.item("item", 5, role: "CUSTOMER", type: "ATTACHMENT", more: [attachment]))
        #expect(bench.ids == ["item"] && bench.rows[0].status == .Sent)
    }

    @Test("CC-113 CC-85 A refused upload: failed, uploadRefused; the copy stays for a resend")
    func refusedUpload() {
        var bench = ChatBench.active()
        let (call, again) = (bench.call(), bench.call())
        bench.give(.attach(file, call))
        bench.answer(.upload(attachmentID: "f", url: "http://mock.test/up", headers: [:]))
        bench.answer(.failed(.uploadRefused(status: 403)))
        expectEqual(bench.answers(call), [.failure(.uploadRefused(status: 403))])
        #expect(bench.rows[0].status == .Failed && !bench.outputs.contains(.dropFile("copy")))
        bench.give(.resend(id: bench.rows[0].persistentId, again))
        bench.answer(.upload(attachmentID: "g", url: "http://mock.test/up", headers: [:]))
        bench.answer(.failed(.fileUnreadable("copy")))
        expectEqual(bench.answers(again), [.failure(.fileUnreadable("copy"))])
        #expect(bench.outputs.contains(.dropFile("copy")), "what cannot be read is not kept for a resend")
    }

    @Test(
        "A cancelled upload is cut and failed, at each step until the service has all of it", arguments: 0...2
    )
    func cancelledUpload(steps: Int) {
        var bench = ChatBench.active()
        let (call, again) = (bench.call(), bench.call())
        bench.give(.attach(file, call))
        if steps > 0 { bench.answer(.upload(attachmentID: "f", url: "http://mock.test/up", headers: [:])) }
        if steps > 1 { bench.answer(.done) }
        bench.give(.cancelUpload(call))
        let isCut = bench.outputs.contains { if case .cutUpload = $0 { true } else { false } }
        expectEqual(isCut, steps == 1)
        guard steps < 2 else {
            bench.answer(.done)
            expectEqual(bench.answers(call), [.success], "what the service has is not taken back")
            return
        }
        #expect(bench.answers(call).count == 1 && bench.answers(call) != [.success])
        #expect(bench.rows[0].status == .Failed && !bench.outputs.contains(.dropFile("copy")))
        bench.give(.resend(id: bench.rows[0].persistentId, again))
        bench.give(.cancelUpload(call))
        expectEqual(bench.answers(again), [], "the call before has no say in it")
    }

    @Test(
        "The percentage of an upload reaches its call and its row's listeners, until it is cancelled by its row"
    )
    func progress() throws {
        var bench = ChatBench.active()
        let call = bench.call()
        bench.give(.attach(file, call))
        bench.answer(.upload(attachmentID: "f", url: "http://mock.test/up", headers: [:]))
        let number = try #require(
            bench.outputs.compactMap { if case .upload(let number, _, _, _) = $0 { number } else { nil } }
                .first)
        let id = bench.rows[0].persistentId
        bench.give(.uploading(number, percent: 40))
        bench.give(.uploading(number + 1, percent: 50))
        bench.give(.cancelFile("unknown"))
        bench.give(.cancelFile(bench.rows[0].id))
        bench.give(.uploading(number, percent: 60))
        let percents = bench.outputs.compactMap { output -> Int? in
            if case .event(.uploadProgress(id, let percent), nil) = output { percent } else { nil }
        }
        expectEqual(percents, [40])
        expectEqual(
            bench.outputs.filter { if case .progress = $0 { true } else { false } }, [.progress(call, 40)])
        #expect(bench.rows[0].status == .Failed && bench.rows[0].isCancelled)
        bench.give(.resend(id: id, bench.call()))
        #expect(bench.rows[0].status == .Sending && !bench.rows[0].isCancelled)
    }

    @Test("An upload is cancelled also while it waits for a new token, and is not begun afterwards")
    func cancelledWhileRefused() {
        var bench = ChatBench.active()
        let call = bench.call()
        bench.give(.attach(file, call))
        bench.refuse(403, "AccessDeniedException")
        bench.give(.cancelUpload(call))
        #expect(bench.answers(call).count == 1 && bench.answers(call) != [.success])
        expectEqual(bench.rows[0].status, .Failed)
        let uploads = bench.operations.count
        bench.credentials()
        expectEqual(bench.operations.count, uploads)
    }

    @Test("A reset cuts what is being uploaded")
    func resetUpload() {
        var bench = ChatBench.active()
        bench.give(.attach(file, bench.call()))
        bench.answer(.upload(attachmentID: "f", url: "http://mock.test/up", headers: [:]))
        bench.give(.reset)
        #expect(bench.outputs.contains { if case .cutUpload = $0 { true } else { false } })
    }

    @Test(
        "CC-116 A scan that goes on, then its verdict: one row; rejected: own Failed, others' attachmentStatus"
    )
    func scans() {
        var bench = ChatBench.active()
        for (second, status) in [(1.0, "IN_PROGRESS"), (2, "APPROVED")] {
            let file = JSONObjectFactory.attachment("f", "a.txt", status)
            bench.hear(ChatBench.item("i", second, type: "ATTACHMENT", more: [file]))
        }
        #expect(
            bench.ids == ["i"] && bench.rows[0].attachmentStatus == "APPROVED" && bench.rows[0].status == nil)
        let bad = JSONObjectFactory.attachment("g", "b.txt", "REJECTED")
        bench.hear(ChatBench.item("own", 3, role: "CUSTOMER", type: "ATTACHMENT", more: [bad]))
        expectEqual(bench.rows[1].status, .Failed)
    }

    // MARK: - Endings

    @Test(
        "CC-124 Disconnect: the last items still come, ended once, then success; 403 is over; no answer is not"
    )
    func disconnects() {
        var bench = ChatBench.active()
        let (call, second) = (bench.call(), bench.call())
        bench.give(.disconnect(call))
        bench.give(.disconnect(second))
        bench.answer(.done)
        bench.hear(ChatBench.event("l", 1, "participant.left", role: "CUSTOMER"))
        expectEqual(bench.answers(call), [])
        bench.hear(ChatBench.event("e", 2, "chat.ended"))
        #expect(bench.answers(call) == [.success] && bench.answers(second) == [.success])
        #expect(bench.count(.chatEnded) == 1 && bench.operations.count == 1)
        let after = bench.call()
        bench.give(.disconnect(after))
        #expect(bench.answers(after) == [.success] && bench.operations.count == 1)

        var silent = ChatBench.active()
        let alone = silent.call()
        silent.give(.disconnect(alone))
        silent.answer(.done)
        silent.advance(.seconds(2))
        #expect(silent.answers(alone) == [.success] && silent.count(.chatEnded) == 1)

        var lost = ChatBench.active()
        let failing = lost.call()
        lost.give(.disconnect(failing))
        lost.answer(.failed(.network("gone")))
        #expect(lost.answers(failing) == [.failure(.network("gone"))] && lost.core.isActive)
        let over = lost.call()
        lost.give(.disconnect(over))
        lost.refuse(403, "AccessDeniedException")
        #expect(lost.answers(over) == [.success] && lost.count(.chatEnded) == 1)
    }

    @Test("CC-125 After the end the transcript stays; what was under way has failed")
    func afterTheEnd() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        let call = bench.call()
        bench.give(.send(contentType: text, text: "Hi", call))
        bench.hear(ChatBench.event("e", 2, "chat.ended"))
        #expect(bench.rows.count == 3 && bench.rows.first { $0.text == "Hi" }?.status == .Failed)
        expectEqual(bench.answers(call), [.failure(.chatEnded)])
        // The service had taken it: the transcript of the next connection says so.
        bench.outputs = []
        bench.connect()
        let items = [ChatBench.item("x", 30, "Hi", role: "CUSTOMER")]
        bench.answer(.page(Page(initialContactID: "contact", items: items, nextToken: nil)))
        expectEqual(bench.rows.filter { $0.text == "Hi" }.map(\.status), [.Sent])
    }

    @Test(
        "CC-121 Reset: closed, forgotten, waiting calls fail with reset, an empty list; the token connects again"
    )
    func resets() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        let calls = (0..<4).map { _ in bench.call() }
        bench.give(.send(contentType: text, text: "Hi", calls[0]))
        bench.give(.event(contentType: ContentType.typing.rawValue, content: "", calls[1]))
        bench.give(.receipt(.messageRead, messageID: "a", calls[2]))
        bench.give(.attach(file, calls[3]))
        bench.outputs = []
        bench.give(.reset)
        for call in calls { expectEqual(bench.answers(call), [.failure(.reset)]) }
        #expect(
            bench.rows == [] && bench.core.nextDeadline == nil && bench.outputs.contains(.dropFile("copy")))
        #expect(bench.operations == [] && bench.events == [] && !bench.core.isActive)
        bench.outputs = []
        let again = bench.connect()
        expectEqual(bench.answers(again), [.success])
    }
}
