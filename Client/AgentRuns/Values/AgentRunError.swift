import RunWire

/// Why a run could not be asked for, or its events not be read to the end.
///
/// A run that fails at the agent is no such error: its stream ends with ``AgentRunEvent/Kind/runFailed(_:)``.
public enum AgentRunError: Error, Sendable, Equatable {
    /// What was asked for makes no sense; the text says why.
    case invalidInput(String)
    /// The agent has refused the request.
    case http(status: Int, body: String)
    /// There is no connection, or none any more; the text says why.
    case transport(String)
    /// Something came that is no event. `eventType` is its type, when that is known.
    case decoding(eventType: String?, detail: String)
    /// The events came in an order that AG-UI does not allow.
    case sequence(SequenceViolation)
    /// The stream has ended before the run. `lastEventType` is nil when no event has come.
    case truncated(lastEventType: String?)
    /// These interrupts wait for an answer: use ``AGUIThread/resume(_:)``.
    case interruptsUnanswered([InterruptID])
    /// It is too late to answer this interrupt.
    case interruptExpired(InterruptID)
    /// The run was cancelled on this side.
    case cancelled
}

extension AgentRunError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .invalidInput(let text), .transport(let text): text
        case .http(let status, let body): "The agent has refused the request with status \(status): \(body)"
        case .decoding(let type?, let detail): "An event of type \(type) cannot be read: \(detail)"
        case .decoding(nil, let detail): "Something that cannot be read: \(detail)"
        case .sequence(let violation): violation.wire.description
        case .truncated(let type?): "The stream ended after \(type), before the run did."
        case .truncated(nil): "The stream ended before any event came."
        case .interruptsUnanswered(let ids):
            "The thread waits for an answer to \(ids.map(\.rawValue).joined(separator: ", ")): use resume(_:)."
        case .interruptExpired(let id): "It is too late to answer \(id.rawValue)."
        case .cancelled: "The run was cancelled."
        }
    }

    /// A rule about the sequence that was broken; an end that came too early is another error.
    init(_ violation: RunViolation, after lastType: String?) {
        self =
            SequenceViolation(rawValue: violation.rawValue).map { .sequence($0) }
            ?? .truncated(lastEventType: lastType)
    }
}

/// Which rule about the sequence of events is broken.
public enum SequenceViolation: String, Sendable, Equatable, CaseIterable {
    /// The first event is neither RUN_STARTED nor RUN_ERROR.
    case firstEventNotRunStarted
    /// RUN_STARTED inside of a run.
    case runAlreadyActive
    /// Something other than RUN_STARTED or RUN_ERROR after RUN_FINISHED.
    case eventAfterFinish
    /// Something other than RUN_STARTED after RUN_ERROR.
    case eventAfterError
    /// A text message begins that is open.
    case textAlreadyOpen
    /// A text message goes on, or ends, that is not open.
    case textNotOpen
    /// A text message is open at RUN_FINISHED.
    case textOpenAtFinish
    /// A tool call begins that is open.
    case toolCallAlreadyOpen
    /// A tool call goes on, or ends, that is not open.
    case toolCallNotOpen
    /// A tool call is open at RUN_FINISHED.
    case toolCallOpenAtFinish
    /// A step begins that is open.
    case stepAlreadyOpen
    /// A step ends that is not open.
    case stepNotOpen
    /// A step is open at RUN_FINISHED.
    case stepOpenAtFinish
    /// Reasoning goes on, or ends, that is not open.
    case reasoningNotOpen
    /// Reasoning is open at RUN_FINISHED.
    case reasoningOpenAtFinish
    /// An event belongs to a subagent that is not open.
    case subagentNotOpen
    /// A subagent is open at RUN_FINISHED.
    case subagentOpenAtFinish
    /// The first chunk of an item does not say whose it is.
    case firstChunkLacksIdentity
    /// A chunk contradicts the first one of its item.
    case chunkConflict
    /// An event names another thread than the request.
    case threadMismatch
    /// An event names another run than the request.
    case runMismatch

    var wire: RunViolation { RunViolation(rawValue: rawValue) ?? .truncated }
}
