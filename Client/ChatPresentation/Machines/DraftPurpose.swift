/// Purpose of the text in the text field: a new message, an answer to a message, or a message's new text.
///
/// ```swift
/// purpose = .edit(message)                                   // the field shows message.text
/// try await source.execute(purpose.command(text: box.message))
/// ```
public enum DraftPurpose: Equatable, Sendable {
    case message
    case reply(RowMessage)
    case edit(RowMessage)

    /// The message that is answered or edited, shown above the field; nil for a new message.
    public var about: RowMessage? {
        switch self {
        case .message: nil
        case .reply(let message), .edit(let message): message
        }
    }

    /// Returns the command for the source. `payload` comes from a suggestion, which never edits a message.
    public func command(text: String, payload: String? = nil) -> ChatCommand {
        switch self {
        case .edit(let message) where payload == nil: .change(messageID: message.id, .text(text))
        default: .send(text: text, payload: payload, replyTo: isReply ? about?.id : nil)
        }
    }

    private var isReply: Bool {
        if case .reply = self { true } else { false }
    }
}
