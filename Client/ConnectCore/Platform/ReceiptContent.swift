import Texts

/// Members of a receipt's frame, as its event shows them.
enum ReceiptContent {
    /// The frame's members, `receipt` for the delivered one, and `originalMessage` for the item it came in.
    static func content(of row: TranscriptRow) -> [String: Any] {
        guard let item = try? JSONReader.read(row.frame, manner: .lenient) else { return [:] }
        let receipts = item["MessageMetadata"]?["Receipts"]?.array ?? []
        let own = receipts.first { $0["RecipientParticipantId"]?.string == row.participant } ?? receipts.first
        var content: [String: Any] = [
            "content": String(decoding: row.frame, as: UTF8.self), "contentType": "application/json",
            "topic": "aws/chat",
        ]
        content["receipt"] = own?.dictionary
        content["originalMessage"] = item.dictionary
        return content
    }
}
