import ChatPresentation
import ContactPresentation
import Testing

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
}
