package import Clocks

/// Pending timer of a session.
package struct PendingTimer: Equatable, Sendable {
    /// Such as `next chunk of reply 2`, `queue update 3` or `idle end`.
    package var name: String
    package var sessionID: String
    /// The connection that it is about.
    package var connection: ConnectionID?
    package var deadline: Instant
    /// The script, or something on its way to a client, is under way; false for what silence and age bring
    /// about, and for the clearing up after an end. "Until quiet" runs the former alone.
    package var isScript: Bool
    /// What ``ConversationEngine/run(_:at:into:)`` takes; nil for what does not belong to a talk.
    package var timer: SessionTimer?
    /// How far the script is: of two timers of one name at one moment the later one has another.
    package var progress: String

    package init(
        name: String, sessionID: String, connection: ConnectionID? = nil, deadline: Instant, isScript: Bool,
        timer: SessionTimer? = nil, progress: String = ""
    ) {
        self.timer = timer
        self.progress = progress
        self.name = name
        self.sessionID = sessionID
        self.connection = connection
        self.deadline = deadline
        self.isScript = isScript
    }
}
