public import PolyMessaging

extension ChatRow {
    /// Makes the row of one message, for views that show `ChatMessage`s without a ``ChatModel``; nil for a message
    /// without a row. Dividers and groups need the model.
    public init?(_ message: ChatMessage) {
        let at = Milliseconds(rounding: message.timestamp)
        var chat = ChatModel()
        _ = chat.apply(.fill(ChatHistory(entries: [ChatHistory.Entry(message)])), at: at)
        guard let row = chat.rows.last else { return nil }
        self = row
    }
}
