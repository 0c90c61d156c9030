package import Clocks

/// A human at the controls who sits in a session's chair.
package struct Chair: Equatable, Sendable {
    /// Whom the client hears when the human speaks.
    package enum Seat: Equatable, Sendable {
        case agent
        case person(Profile)
    }

    package var seat: Seat
    /// The name the human goes by.
    package var by: String
    package var since: Instant
    /// Typing was told to have started, and not yet to have stopped.
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

/// The script stands still, in the middle of whatever it was doing.
struct ScriptPause: Sendable {
    struct Message: Equatable, Sendable {
        var text: String
        var metadata: String?
        var mark: UInt32
    }

    /// The human who took over; ``Conversation/chair`` adds what follows from the floor.
    struct Takeover: Equatable, Sendable {
        var by: String
        var since: Instant
        var isTyping = false
    }

    /// Nil where a handoff that a human moves along displaced the script, and nobody sits in the chair.
    var takeover: Takeover?
    /// How much longer the activity under way would have taken; nil when there was none.
    var remaining: Interval?
    /// The floor as the script left it, when someone else's handoff or person has it meanwhile.
    var displaced: Conversation.Floor?
    /// The client asked for the agent while somebody else had the floor: the agent comes when they leave.
    var isAgentAwaited = false
    /// The first turn waiting is the opening of the queue's person; it is not said after the human's own words.
    var holdsOpening = false
    /// The user's last message since then, until it is answered.
    var unanswered: Message?
}
