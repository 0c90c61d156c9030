package import Clocks

/// Takeover of a session by an operator.
package struct Takeover: Equatable, Sendable {
    /// Visible speaker.
    package enum Seat: Equatable, Sendable {
        case agent
        case liveAgent(SpeakerProfile)
    }

    package var seat: Seat
    package var by: String
    package var since: Instant
    /// Whether the operator's typing has started and not ended.
    package var isTyping: Bool
    /// Unanswered message of the user.
    package var unanswered: String?

    package init(seat: Seat, by: String, since: Instant, isTyping: Bool = false, unanswered: String? = nil) {
        self.seat = seat
        self.by = by
        self.since = since
        self.isTyping = isTyping
        self.unanswered = unanswered
    }
}

/// State of a paused script.
struct ScriptPause: Sendable {
    struct Message: Equatable, Sendable {
        var text: String
        var metadata: String?
        var mark: UInt32
    }

    /// Operator state; ``Conversation/takeover`` adds the seat.
    struct OperatorState: Equatable, Sendable {
        var by: String
        var since: Instant
        var isTyping = false
    }

    /// Nil for a handoff without takeover.
    var operatorState: OperatorState?
    /// Remaining time of the interrupted activity.
    var remaining: Interval?
    /// Responder of the script during a replacement.
    var displaced: Conversation.Responder?
    /// The client asked for the agent, who comes after the current responder.
    var isAgentAwaited = false
    /// The first waiting turn opens for the queue's person; it is dropped after the operator's message.
    var holdsOpening = false
    /// Unanswered message since the pause.
    var unanswered: Message?
}

extension ConversationEngine {
    /// Default name of an operator.
    package static let controls = "controls"

    /// Applies an action of an operator, with the name in the journal.
    ///
    /// Steps out of order are applied if events for them exist; ``Note/takeover(action:by:unusual:)`` describes the
    /// difference.
    ///
    /// - Returns: nil, or the refusal, without recorded events.
    package mutating func apply(
        _ action: OperatorAction, in handle: SessionHandle, by name: String = ConversationEngine.controls,
        at now: Instant, into effects: inout [Effect]
    ) -> OperatorRefusal? {
        var refusal: OperatorRefusal? = .unknownSession
        mutate(handle, into: &effects) { conversation, outbox in
            // Due timers first; new ones after.
            conversation.advance(to: now, &outbox)
            refusal = conversation.apply(action, by: name, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return refusal
    }
}
