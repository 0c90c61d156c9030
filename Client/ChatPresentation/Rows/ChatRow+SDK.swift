public import PolyMessaging

extension ChatRow {
    /// Makes the row of a message as in a conversation with only this message. Nil if it has no row.
    public init?(_ message: ChatMessage) {
        let at = Milliseconds(rounding: message.timestamp)
        var chat = ChatModel()
        _ = chat.apply(.fill(ChatHistory(entries: [ChatHistory.Entry(message)])), at: at)
        guard let row = chat.rows.last else { return nil }
        self = row
    }
}
