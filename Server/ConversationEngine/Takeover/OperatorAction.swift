/// Action of an operator (protocol.md#human-at-the-controls).
package enum OperatorAction: Sendable, Equatable {
    /// Lets the operator speak as the current speaker, and pauses the script.
    case takeOver
    /// Resumes the script where it stopped. With `answersLast`, the script also answers the user's last unanswered
    /// message.
    case handBack(answersLast: Bool = false)
    /// Joins as a live agent. If the agent is present, the events of a handoff are recorded before the join.
    case join(SpeakerProfile)
    /// Starts or stops typing. If the operator speaks as the agent, a start is recorded as thinking.
    case typing(TypingState)
    /// Sends a message as the current speaker and ends typing. A streamed text of the agent has up to `pieces` chunks.
    case send(text: String, parts: MessageParts = MessageParts(), pieces: Int = 1)
    /// Lets a live agent leave. With `ends`, the session ends; otherwise the agent continues.
    case leave(reason: String? = nil, ends: Bool = false)
    /// Starts a handoff that is not part of the script.
    case triggerHandoff
    case accept(queueName: String? = nil)
    case updateQueue(QueueStatus)
    case fail(reason: String? = nil)
    case timeOut(reason: String? = nil)
    /// Asks the client to route the user to a live agent.
    case requireClientHandoff(reason: String? = nil, route: String? = nil)
    /// Changes a message, as the user or as the current speaker.
    case change(MessageChange.Kind, of: String? = nil, asUser: Bool = false)

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
        case .change: "change"
        }
    }
}

/// Reason why an ``OperatorAction`` was refused.
package enum OperatorRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownSession
    case sessionOver
    case taken(by: String)
    case notTakenOver
    case nobodySpeaks
    case noLiveAgent
    /// The change is not possible, for this reason (extensions.md#refused-changes).
    case change(String)

    package var description: String {
        switch self {
        case .unknownSession: "There is no such session; list the sessions to see which are held."
        case .sessionOver: "The session has ended, so nothing more can be sent in it."
        case .taken(let name): "\(name) has taken over already; hand back first."
        case .notTakenOver: "The agent is still answering: take over (/take) or join (/join) first."
        case .nobodySpeaks: "The agent has left and nobody speaks; join as a live agent instead."
        case .noLiveAgent: "No live agent is here who could leave; join first."
        case .change(let reason): "Nothing is changed: \(reason)."
        }
    }
}
