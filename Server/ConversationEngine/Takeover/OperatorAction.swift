/// Action of an operator (protocol.md#human-at-the-controls).
package enum OperatorAction: Sendable, Equatable {
    /// Replace the current responder. The script pauses; messages are echoed without answers.
    case takeOver
    /// The script continues where it stopped, and answers the last message with `answersLast`. If the queue's person
    /// was replaced without a message, the script opens.
    case handBack(answersLast: Bool = false)
    /// A live agent, played by the operator, joins. From the agent, the documented events before a join are recorded as
    /// well. Hand back to let the script play its live agent; leave to let the agent answer.
    case join(SpeakerProfile)
    /// Typing of a live agent; for the agent, its start is recorded as thinking.
    case typing(TypingState)
    /// Sends a message as the current speaker and ends typing. In a streaming session the agent's text has up to
    /// `pieces` chunks at one instant.
    case send(text: String, parts: MessageParts = MessageParts(), pieces: Int = 1)
    /// The live agent leaves, also the script's. The session `ends`, or the agent continues.
    case leave(reason: String? = nil, ends: Bool = false)
    /// Starts a handoff outside the script, which pauses until it fails or someone leaves.
    case triggerHandoff
    case accept(queueName: String? = nil)
    case updateQueue(QueueStatus)
    /// The handoff fails; the agent answers again (or stays away, by ``EngineOptions/agentReturnsAfterFailedHandoff``).
    case fail(reason: String? = nil)
    case timeOut(reason: String? = nil)
    /// The client has to route the user; the agent leaves for good.
    case requireClientHandoff(reason: String? = nil, route: String? = nil)

    /// The name of the action in notes.
    package var name: String {
        switch self {
        case .takeOver: "take over"
        case .handBack: "hand back"
        case .join: "join"
        case .typing: "typing"
        case .send: "send"
        case .leave: "leave"
        case .triggerHandoff: "trigger handoff"
        case .accept: "accept"
        case .updateQueue: "update queue"
        case .fail: "fail"
        case .timeOut: "time out"
        case .requireClientHandoff: "require client handoff"
        }
    }
}

/// Refusal of an ``OperatorAction``; no event was recorded.
package enum OperatorRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownSession
    case sessionOver
    case taken(by: String)
    case notTakenOver
    case nobodySpeaks
    case noLiveAgent

    package var description: String {
        switch self {
        case .unknownSession: "There is no such session; list the sessions to see which are held."
        case .sessionOver: "The session has ended, so nothing more can be told in it."
        case .taken(let name): "\(name) has taken over already; hand back first."
        case .notTakenOver: "Nobody has taken over; take over or join first."
        case .nobodySpeaks: "The agent has left and nobody speaks; join as a live agent instead."
        case .noLiveAgent: "No live agent is here who could leave; join first."
        }
    }
}
