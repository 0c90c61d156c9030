/// Whether somebody is typing. The raw values are the texts in the protocol.
public enum TypingState: String, Sendable, Equatable, CaseIterable {
    /// Typing started or continues.
    case started = "TYPING_STATE_STARTED"
    /// Typing ended.
    case stopped = "TYPING_STATE_STOPPED"
}
