package import Clocks

package struct PendingTimer: Equatable, Sendable {
    /// Purpose, such as `next chunk of reply 2`, `queue update 3` or `idle timeout`.
    package var name: String
    package var sessionID: String
    package var connection: ConnectionID?
    package var deadline: Instant
    /// True for the script and for events on their way to a client; false for idle timeouts and removals.
    package var isScript: Bool
    /// Timer to fire with ``ConversationEngine/run(_:at:into:)``, if any.
    package var timer: SessionTimer?
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
