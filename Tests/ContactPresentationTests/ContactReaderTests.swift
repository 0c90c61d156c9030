import ChatPresentation
import Clocks
import ContactPresentation
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
        take(.readReceipt(row))
        let message = chat.rows.last?.message
        #expect(chat.rows.count == 1 && message?.attachments.first?.state == .complete)
        #expect(message?.delivery == .read)
    }

    @Test("An own file has the place of its item, also when its answer came before")
    func fileMoves() throws {
        var (core, reader, chat) = (TranscriptCore(), ContactReader(), ChatModel())
        core.ownID = "me"
        func take(_ row: TranscriptRow?) throws {
            for action in reader.read(.messageReceived(try #require(row))) { _ = chat.apply(action, at: 0) }
        }
        func item(_ id: String, by sender: String, file: String) throws -> TranscriptRow? {
            let item = try #require(
                WireItem(
                    .object([
                        "Id": .string(id), "Type": .string("ATTACHMENT"), "ContactId": .string("c"),
                        "AbsoluteTime": .string("2026-01-15T09:30:00.000Z"), "ParticipantId": .string(sender),
                        "ParticipantRole": .string(sender == "me" ? "CUSTOMER" : "AGENT"),
                        "Attachments": .array([
                            .object([
                                "AttachmentId": .string(file), "AttachmentName": .string(file),
                                "Status": .string("APPROVED"), "ContentType": .string("text/plain"),
                            ])
                        ]),
                    ])))
            return core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }?.row
        }
        var own = TranscriptRow(
            kind: .message, id: "draft", persistentId: "draft", timeStamp: "2026-01-15T09:30:00.000Z",
            contentType: "text/plain")
        (own.direction, own.status, own.attachmentId, own.text) = (.Outgoing, .Sending, "own", "own")
        core.addOwn(own)
        try take(core.byPersistentID("draft"))
        try take(item("i1", by: "them", file: "first"))
        core.accepted("draft", id: "draft-sent", time: "2026-01-15T09:29:59.000Z")
        try take(core.byPersistentID("draft"))
        try take(item("i2", by: "them", file: "second"))
        try take(item("i3", by: "me", file: "own"))
        func titles(_ chat: ChatModel) -> [String?] {
            chat.rows.flatMap { $0.message?.attachments ?? [] }.map(\.title)
        }
        var (fresh, late) = (ContactReader(), ChatModel())
        let history = core.rows.flatMap { fresh.read(.messageReceived($0)) }
        for action in history { _ = late.apply(action, at: 0) }
        #expect(titles(chat) == ["first", "second", "own"])
        #expect(titles(late) == titles(chat))
        #expect(chat.rows.last?.message?.attachments.first?.state == .complete)
    }
}
