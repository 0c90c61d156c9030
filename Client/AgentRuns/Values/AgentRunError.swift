public import RunWire

/// Error of a run request or of its event stream.
///
/// A run that fails at the agent throws no error: its stream ends with ``AgentRunEvent/Kind/runFailed(_:)``.
///
/// ```swift
/// do {
///     print(try await agent.stream(input).collect().visibleText)
/// } catch AgentRunError.http(let status, _) {
///     print("The agent has refused the request with status \(status)")
/// }
/// ```
public enum AgentRunError: Error, Sendable, Equatable {
    case invalidInput(String)
    case http(status: Int, body: String)
    case transport(String)
    /// Received data or a JSON text cannot be decoded. `eventType` is the type of the event, if known.
    case decoding(eventType: String?, detail: String)
    case sequence(SequenceViolation)
    /// The stream ended before the run had ended. `lastEventType` is nil if no event had arrived.
    case truncated(lastEventType: String?)
    /// These interrupts need an answer: use ``AGUIThread/resume(_:)``.
    case interruptsUnanswered([InterruptID])
    case interruptExpired(InterruptID)
    case cancelled
}

extension AgentRunError: CustomStringConvertible {
    /// The error in one sentence.
    public var description: String {
        switch self {
        case .invalidInput(let text), .transport(let text): text
        case .http(let status, let body): "The agent has refused the request with status \(status): \(body)"
        case .decoding(let type?, let detail): "An event of type \(type) cannot be read: \(detail)"
        case .decoding(nil, let detail): "Something that cannot be read: \(detail)"
        case .sequence(let violation): violation.sentence
        case .truncated(let type?): "The stream ended after \(type), before the run did."
        case .truncated(nil): "The stream ended before any event came."
        case .interruptsUnanswered(let ids):
            "The thread waits for an answer to \(ids.map(\.rawValue).joined(separator: ", ")): use resume(_:)."
        case .interruptExpired(let id): "It is too late to answer \(id.rawValue)."
        case .cancelled: "The run was cancelled."
        }
    }
}
