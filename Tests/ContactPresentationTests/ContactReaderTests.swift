import ChatPresentation
import Clocks
import ContactPresentation
import Expectations
import Testing
import Texts

@testable import ConnectCore

/// The order of an upload's answer and its transcript item is the network's choice.
@Suite("Reader of a contact")
struct ContactReaderTests {
    @Test(
        "A file is complete and read, whether its transcript item comes before the answer or after it",
        arguments: [true, false])
    func uploadOrder(answerComesFirst: Bool) {
        var (reader, chat) = (ContactReader(), ChatModel())
        func take(_ event: ChatSessionEvent) {
            for action in reader.read(event) { _ = chat.apply(action, at: 0) }
        }
        var row = TranscriptRow(
            kind: .message, id: "draft", persistentId: "draft", timeStamp: "2026-01-15T09:30:00.000Z",
            contentType: "text/plain")
        (row.direction, row.status, row.attachmentId, row.text) = (.Outgoing, .Sending, "file", "film.txt")
        take(.connectionEstablished)
        take(.messageReceived(row))
        row.status = .Sent
        if answerComesFirst { take(.messageReceived(row)) }
        (row.id, row.attachmentStatus) = ("m1", "APPROVED")
        take(.messageReceived(row))
        row.status = .Read
        take(.messageReceived(row))
        var receipt = TranscriptRow(
            kind: .event, id: "m1", persistentId: "m1", timeStamp: row.timeStamp,
            contentType: MessageReceiptType.messageRead.rawValue)
        receipt.direction = .Incoming
        take(.readReceipt(receipt))
        let message = chat.rows.last?.message
        #expect(chat.rows.count == 1 && message?.attachments.first?.state == .complete)
        expectEqual(message?.delivery, .read)
    }

    /// Items of the agent, own messages and own files, whose answers and items come in any order.
    @Test(
        "A screen that was always open ends with the rows of one that opens late",
        arguments: 0..<100 as Range<UInt64>)
    func order(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (core, reader, chat) = (TranscriptCore(), ContactReader(), ChatModel())
        core.ownID = "me"
        var (milliseconds, count) = (0, 0)
        var open: [(id: String, isFile: Bool, answer: Bool, item: Bool)] = []
        func time(_ milliseconds: Int) -> String {
            TimeStamp.text(nanoseconds: 1_768_469_400_000_000_000 + Int64(milliseconds) * 1_000_000)
        }
        func merge(_ id: String, by sender: String, isFile: Bool) throws {
            let item = try Self.item(id, by: sender, isFile: isFile, at: time(milliseconds))
            _ = core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }
        }
        func follow() {
            for change in core.takeChanges() {
                switch change {
                case .insert(let row, _), .update(let row, _), .move(let row, _, _):
                    for action in reader.read(.messageReceived(row)) { _ = chat.apply(action, at: 0) }
                default: break
                }
            }
        }
        for _ in 0..<40 {
            if generator.next() % 3 == 0 { milliseconds += 1 }
            count += 1
            switch generator.next() % 4 {
            case 0:
                try merge("agent-\(count)", by: "them", isFile: generator.next() % 2 == 0)
            case 1:
                let isFile = generator.next() % 2 == 0
                var own = TranscriptRow(
                    kind: .message, id: "d\(count)", persistentId: "d\(count)", timeStamp: time(milliseconds),
                    contentType: "text/plain")
                (own.direction, own.status, own.text) = (.Outgoing, .Sending, "own-\(count)")
                if isFile { own.attachmentId = "file-own-\(count)" }
                core.addOwn(own)
                open.append(("\(count)", isFile, false, false))
            case 2:
                guard let place = open.indices.first(where: { !open[$0].answer }) else { continue }
                open[place].answer = true
                if open[place].isFile {
                    core.receipt("d" + open[place].id, .Sent, isOwn: false)
                } else {
                    core.accepted("d" + open[place].id, id: "own-" + open[place].id, time: time(milliseconds))
                }
            default:
                guard let place = open.indices.first(where: { !open[$0].item }) else { continue }
                open[place].item = true
                try merge("own-" + open[place].id, by: "me", isFile: open[place].isFile)
            }
            follow()
        }
        for each in open where !each.item { try merge("own-" + each.id, by: "me", isFile: each.isFile) }
        follow()
        var (fresh, late) = (ContactReader(), ChatModel())
        let history = core.rows.flatMap { fresh.read(.messageReceived($0)) }
        for action in history { _ = late.apply(action, at: 0) }
        func shown(_ chat: ChatModel) -> [String] {
            chat.rows.compactMap { row in row.message.map { $0.attachments.first?.title ?? $0.text } }
        }
        expectEqual(shown(chat), shown(late))
        expectEqual(shown(chat).count, core.rows.count)
    }

    @Test(
        "An upload that failed, arrived or begins again has no percentage",
        arguments: [.Failed, .Sending, .Sent] as [MessageStatus])
    func percentage(_ status: MessageStatus) {
        let streams = ChatStreams()
        streams.notify(.uploadProgress(messageId: "draft", percent: 40))
        var row = TranscriptRow(
            kind: .message, id: "draft", persistentId: "draft", timeStamp: "2026-01-15T09:30:00.000Z",
            contentType: "text/plain")
        row.status = status
        streams.notify([.move(row, from: 1, to: 0)], TranscriptSnapshot())
        #expect(streams.uploads.isEmpty)
    }

    @Test("An own file has the place of its item, also when its answer came before")
    func fileMoves() throws {
        var (core, reader, chat) = (TranscriptCore(), ContactReader(), ChatModel())
        core.ownID = "me"
        func take(_ row: TranscriptRow?) throws {
            for action in reader.read(.messageReceived(try #require(row))) { _ = chat.apply(action, at: 0) }
        }
        func item(_ id: String, by sender: String) throws -> TranscriptRow? {
            let item = try Self.item(id, by: sender, isFile: true, at: "2026-01-15T09:30:00.000Z")
            return core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }?.row
        }
        var own = TranscriptRow(
            kind: .message, id: "draft", persistentId: "draft", timeStamp: "2026-01-15T09:30:00.000Z",
            contentType: "text/plain")
        (own.direction, own.status, own.attachmentId, own.text) = (.Outgoing, .Sending, "file-own", "own")
        core.addOwn(own)
        try take(core.byPersistentID("draft"))
        try take(item("first", by: "them"))
        core.accepted("draft", id: "draft-sent", time: "2026-01-15T09:29:59.000Z")
        try take(core.byPersistentID("draft"))
        try take(item("second", by: "them"))
        try take(item("own", by: "me"))
        func titles(_ chat: ChatModel) -> [String?] {
            chat.rows.flatMap { $0.message?.attachments ?? [] }.map(\.title)
        }
        var (fresh, late) = (ContactReader(), ChatModel())
        let history = core.rows.flatMap { fresh.read(.messageReceived($0)) }
        for action in history { _ = late.apply(action, at: 0) }
        expectEqual(titles(chat), ["first", "second", "own"])
        expectEqual(titles(late), titles(chat))
        expectEqual(chat.rows.last?.message?.attachments.first?.state, .complete)
    }

    /// A screen that was open from the beginning, and its contact.
    private struct Bench {
        static let time = "2026-01-15T09:30:00.000Z"
        var core = TranscriptCore()
        var reader = ContactReader()
        var chat = ChatModel()

        init() { core.ownID = "me" }

        mutating func own(_ text: String, file: String? = nil) {
            var own = TranscriptRow(
                kind: .message, id: "draft", persistentId: "draft", timeStamp: Self.time,
                contentType: "text/plain")
            (own.direction, own.status, own.attachmentId, own.text) = (.Outgoing, .Sending, file, text)
            core.addOwn(own)
            follow()
        }

        mutating func merge(_ item: WireItem, from source: TranscriptCore.Source = .live) {
            _ = core.merge(item, from: source, at: Instant(secondsSince1970: 0)) { "made" }
            follow()
        }

        mutating func follow() {
            for change in core.takeChanges() {
                switch change {
                case .insert(let row, _), .update(let row, _), .move(let row, _, _):
                    for action in reader.read(.messageReceived(row)) { _ = chat.apply(action, at: 0) }
                default: break
                }
            }
        }

        /// A screen that opens now.
        var late: ChatModel {
            var (reader, chat) = (ContactReader(), ChatModel())
            let snapshot = TranscriptSnapshot(core.list, insertions: core.insertions)
            _ = chat.apply(.fill(reader.history(snapshot, isOpen: true)), at: 0)
            return chat
        }
    }

    @Test(
        "A message that the client rewrote has its new text on each screen, whichever answer comes first",
        arguments: [true, false])
    func rewritten(echoesFirst: Bool) throws {
        var bench = Bench()
        bench.own("Hi")
        let echo = try Self.item("x", by: "me", isFile: false, at: Bench.time, text: "Hi, from the app")
        if echoesFirst { bench.merge(echo) }
        bench.core.accepted("draft", id: "x", time: Bench.time)
        bench.follow()
        if !echoesFirst { bench.merge(echo) }
        for chat in [bench.chat, bench.late] {
            expectEqual(chat.rows.map(\.message?.text), ["Hi, from the app"])
            #expect(chat.rows[0].message?.delivery == .sent && chat.rows[0].message?.isEdited == false)
        }
    }

    @Test("A rejected file has no receipt, whichever comes first", arguments: [true, false])
    func rejectedReceipt(receiptIsFirst: Bool) throws {
        var bench = Bench()
        bench.own("own", file: "file-own")
        let scanned = try Self.item("own", by: "me", isFile: true, at: Bench.time, status: "IN_PROGRESS")
        bench.merge(scanned)
        for step in 0..<2 {
            if (step == 0) == receiptIsFirst {
                bench.core.receipt("own", .Read, isOwn: false)
                bench.follow()
            } else {
                bench.merge(try Self.item("own", by: "me", isFile: true, at: Bench.time, status: "REJECTED"))
            }
        }
        expectEqual(bench.core.row("own")?.status, .Failed)
        for chat in [bench.chat, bench.late] {
            expectEqual(chat.rows.map(\.message?.delivery), [.sent])
            expectEqual(chat.rows[0].message?.attachments.map(\.state), [.failed])
        }
    }

    @Test("Thousands of rows of one time stand in their order, also those of older pages")
    func oneMoment() throws {
        var bench = Bench()
        func merge(_ numbers: some Sequence<Int>, from source: TranscriptCore.Source) throws {
            for number in numbers {
                bench.merge(
                    try Self.item("\(number)", by: "them", isFile: false, at: Bench.time), from: source)
            }
        }
        try merge(1_000..<2_000, from: .live)
        try merge((0..<1_000).reversed(), from: .page(isOlder: true))
        try merge(2_000..<2_500, from: .live)
        for chat in [bench.chat, bench.late] {
            expectEqual(chat.rows.map(\.message?.text), (0..<2_500).map { "\($0)" })
        }
    }

    /// A message whose text is its id, unless `text` is set, or a file named after it.
    private static func item(
        _ id: String, by sender: String, isFile: Bool, at time: String, text: String? = nil,
        status: String = "APPROVED"
    ) throws -> WireItem {
        let file: JSONObject = [
            "AttachmentId": .string("file-" + id), "AttachmentName": .string(id),
            "Status": .string(status), "ContentType": .string("text/plain"),
        ]
        let item: JSONObject = [
            "Id": .string(id), "ContactId": .string("c"), "AbsoluteTime": .string(time),
            "Type": .string(isFile ? "ATTACHMENT" : "MESSAGE"), "ParticipantId": .string(sender),
            "ParticipantRole": .string(sender == "me" ? "CUSTOMER" : "AGENT"),
            "ContentType": .string("text/plain"), "Content": .string(isFile ? "" : text ?? id),
            "Attachments": .array(isFile ? [.object(file)] : []),
        ]
        return try #require(WireItem(.object(item)))
    }
}
