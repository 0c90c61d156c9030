/// An action of a human at the controls of a session: take over, speak, move a handoff along, hand back.
///
/// Source: protocol.md#human-at-the-controls.
package enum ChairAction: Sendable, Equatable {
    /// Type as the speaker who has the floor. The script pauses; what the user says is echoed, and rules do not answer.
    case takeOver
    /// The script goes on exactly where it stood. The last unanswered message is answered by the
    /// script only with `answersLast`. Someone who joined in place of the queue's person and said nothing
    /// leaves the opening to the script.
    case handBack(answersLast: Bool = false)
    /// A live person joins, and the human sits in that chair. From the agent, what the documentation puts
    /// before it is told as well. Hand back to let the script play the person of the queue it stood in; leave
    /// to give the floor back to the agent.
    case join(Profile)
    /// As a person, typing is told; as the agent, its start is told as thinking.
    case typing(TypingState)
    /// Says something as the speaker of the chair, after typing that was told has stopped. As the agent of a session that
    /// streams, the text comes in up to `pieces` chunks at one instant.
    case send(text: String, parts: MessageParts = MessageParts(), pieces: Int = 1)
    /// The person leaves, the script's own as well. The session `ends`, or the agent takes over again.
    case leave(reason: String? = nil, ends: Bool = false)
    /// Starts a handoff that no script moves along. The script pauses until it fails or someone has left.
    case triggerHandoff
    case accept(queueName: String? = nil)
    case updateQueue(QueueStatus)
    /// The handoff fails; the agent has the floor again (or stays away, by ``EngineOptions/agentReturnsAfterFailedHandoff``).
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

/// Why a ``ChairAction`` was not done; nothing was told.
package enum ChairRefusal: Error, Equatable, Sendable, CustomStringConvertible {
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
