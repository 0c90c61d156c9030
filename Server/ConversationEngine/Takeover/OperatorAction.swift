/// An action of a human at the controls of a session: take over, speak, move a handoff along, hand back.
///
/// Source: protocol.md#human-at-the-controls.
package enum OperatorAction: Sendable, Equatable {
    /// Type as the present responder. The script pauses; messages of the user are echoed, and rules do not answer.
    case takeOver
    /// The script goes on exactly where it stood. The last unanswered message is answered by the
    /// script only with `answersLast`. Someone who joined in place of the queue's person and said nothing
    /// leaves the opening to the script.
    case handBack(answersLast: Bool = false)
    /// A live agent joins, played by the operator. From the agent, the events that the documentation puts before a join
    /// are recorded as well. Hand back to let the script play the live agent of its queue; leave to let the agent
    /// answer again.
    case join(SpeakerProfile)
    /// Recorded as typing for a live agent; for the agent, the start is recorded as thinking.
    case typing(TypingState)
    /// Sends a message as the operator's speaker, after its typing has stopped. As the agent of a session that
    /// streams, the text comes in up to `pieces` chunks at one instant.
    case send(text: String, parts: MessageParts = MessageParts(), pieces: Int = 1)
    /// The person leaves, the script's own as well. The session `ends`, or the agent takes over again.
    case leave(reason: String? = nil, ends: Bool = false)
    /// Starts a handoff that no script moves along. The script pauses until it fails or someone has left.
    case triggerHandoff
    case accept(queueName: String? = nil)
    case updateQueue(QueueStatus)
    /// The handoff fails; the agent answers again (or stays away, by ``EngineOptions/agentReturnsAfterFailedHandoff``).
    case fail(reason: String? = nil)
    case timeOut(reason: String? = nil)
    /// The client is to bring the user to a person itself; the agent leaves for good.
    case requireClientHandoff(reason: String? = nil, route: String? = nil)

    /// For notes.
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
    case nobodyHasTheFloor
    case noPerson

    package var description: String {
        switch self {
        case .unknownSession: "There is no such session; list the sessions to see which are held."
        case .sessionOver: "The session has ended, so nothing more can be told in it."
        case .taken(let name): "\(name) sits in the chair already; hand back first."
        case .notTakenOver: "Nobody sits in the chair; take over or join first."
        case .nobodyHasTheFloor: "The agent has left and nobody has the floor; join as a person instead."
        case .noPerson: "No live person is here who could leave; join first."
        }
    }
}
