package import Clocks

package struct Takeover: Equatable, Sendable {
    /// Speaker that the user sees.
    package enum Seat: Equatable, Sendable {
        case agent
        case liveAgent(SpeakerProfile)
    }

    package var seat: Seat
    package var by: String
    package var since: Instant
    package var isTyping: Bool
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
        var text: String
        var file: UserFile?
        var metadata: String?
        var mark: UInt32
    }

    /// Operator who has taken over.
    struct OperatorState: Equatable, Sendable {
        var by: String
        var since: Instant
        var isTyping = false
    }

    /// Operator who has taken over; nil while an operator only controls a handoff.
    var operatorState: OperatorState?
    var remaining: Interval?
    /// The script's responder, if an operator has replaced it.
    var displaced: Conversation.Responder?
    /// Whether the agent joins when the pause ends.
    var isAgentAwaited = false
    /// Whether the first queued turn is the opening of the script's live agent, which a message of the operator drops.
    var holdsOpening = false
    var unanswered: Message?
}

extension ConversationEngine {
    package static let controls = "controls"

    /// Applies an action of the operator `name`. Returns the reason if the action was refused; otherwise nil.
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
