package import Clocks

/// Takeover of a session by an operator, a human at the controls.
package struct Takeover: Equatable, Sendable {
    /// The speaker that the client sees.
    package enum Seat: Equatable, Sendable {
        case agent
        case person(SpeakerProfile)
    }

    package var seat: Seat
    /// The operator's name.
    package var by: String
    package var since: Instant
    /// The start of typing was recorded, and its end not yet.
    package var isTyping: Bool
    /// The user's last message, until it is answered.
    package var unanswered: String?

    package init(
        seat: Seat, by: String, since: Instant, isTyping: Bool = false, unanswered: String? = nil
    ) {
        self.seat = seat
        self.by = by
        self.since = since
        self.isTyping = isTyping
        self.unanswered = unanswered
    }
}

/// Saved state of a paused script.
struct ScriptPause: Sendable {
    struct Message: Equatable, Sendable {
        var text: String
        var metadata: String?
        var mark: UInt32
    }

    /// The operator; ``Conversation/takeover`` adds the seat, which follows from the responder.
    struct OperatorState: Equatable, Sendable {
        var by: String
        var since: Instant
        var isTyping = false
    }

    /// Nil where an operator moves a handoff along and nobody took over.
    var operatorState: OperatorState?
    /// Remaining time of the interrupted activity; nil when there was none.
    var remaining: Interval?
    /// The script's responder, while a handoff or live agent from outside replaces it.
    var displaced: Conversation.Responder?
    /// The client asked for the agent while somebody else was the responder: the agent comes when they leave.
    var isAgentAwaited = false
    /// The first turn waiting is the opening of the queue's person; it is not said after the human's own words.
    var holdsOpening = false
    /// The user's last message since then, until it is answered.
    var unanswered: Message?
}
