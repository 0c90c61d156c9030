package import Clocks

package struct Takeover: Equatable, Sendable {
    /// The speaker that the user sees.
    package enum Seat: Equatable, Sendable {
        case agent
        case liveAgent(SpeakerProfile)
    }

    package var seat: Seat
    package var by: String
    package var since: Instant
    package var isTyping: Bool
    /// The user's last message if it has not been answered; otherwise nil.
    package var unanswered: String?

    package init(seat: Seat, by: String, since: Instant, isTyping: Bool = false, unanswered: String? = nil) {
        self.seat = seat
        self.by = by
        self.since = since
        self.isTyping = isTyping
        self.unanswered = unanswered
    }
}

struct ScriptPause: Sendable {
    struct Message: Equatable, Sendable {
        /// The text, or the name of the file in brackets.
        var text: String
        var file: UserFile?
        var metadata: String?
        var mark: UInt32
    }

    /// The operator who has taken over.
    /// ``Conversation/takeover`` adds the speaker that the user sees (``Takeover/Seat``).
    struct OperatorState: Equatable, Sendable {
        var by: String
        var since: Instant
        var isTyping = false
    }

    /// The operator who has taken over; nil while an operator only controls a handoff.
    var operatorState: OperatorState?
    /// The remaining time of the interrupted activity.
    var remaining: Interval?
    /// The script's responder; nil unless an operator has replaced the responder.
    var displaced: Conversation.Responder?
    /// True if the client has sent a join during the pause. The agent then joins at the end of the pause.
    var isAgentAwaited = false
    /// True if the first queued turn is the opening of the script's live agent. A message of the operator drops this
    /// turn.
    var holdsOpening = false
    /// The last message that was not answered during the pause.
    var unanswered: Message?
}

extension ConversationEngine {
    /// The default name of an operator.
    package static let controls = "controls"

    /// Applies an action of an operator called `name`. An action that differs from production is applied if there are
    /// events for it, and it is noted as unusual (``Note/takeover(action:by:unusual:)``).
    ///
    /// - Returns: the reason if the action was refused; otherwise nil. A refused action records no event.
    package mutating func apply(
        _ action: OperatorAction, in handle: SessionHandle, by name: String = ConversationEngine.controls,
        at now: Instant, into effects: inout [Effect]
    ) -> OperatorRefusal? {
        var refusal: OperatorRefusal? = .unknownSession
        mutate(handle, into: &effects) { conversation, outbox in
            // Timers that are already due fire before the action. Timers that the action makes due fire after it.
            conversation.advance(to: now, &outbox)
            refusal = conversation.apply(action, by: name, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return refusal
    }
}
