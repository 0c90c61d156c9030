/// Whether somebody is typing. Raw values are those of the wire.
public enum TypingState: String, Sendable, Equatable, CaseIterable {
    /// Typing started or continues.
    case started = "TYPING_STATE_STARTED"
    /// Typing ended.
    case stopped = "TYPING_STATE_STOPPED"
}
