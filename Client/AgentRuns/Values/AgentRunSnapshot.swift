public import RunWire
import Texts

/// The reason for which a run was left before its end.
public enum AgentRunInterruption: Sendable, Equatable {
    /// The connection was lost, or the data could not be read.
    case connectionLost
    /// The stream ended in good order before the run did.
    case truncated
    /// No data arrived for too long.
    case timedOut
    /// The client has started another run of the thread, or cancelled this one.
    case superseded
}

/// Snapshot of a thread and its last run.
public struct AgentRunSnapshot: Sendable, Equatable {
    /// Phase of a run.
    public enum Phase: Sendable, Equatable {
        /// Requested or in progress.
        case running
        /// Finished, while its messages are still to be stored. Runs over AG-UI are never in this phase.
        case awaitingPersistence
        /// Finished.
        case finished(RunOutcome)
        /// Failed at the agent.
        case failed(RunFailure)
        /// Interrupted on this side or on the way.
        case interrupted(AgentRunInterruption)
    }

    /// The thread.
    public let threadID: ThreadID
    /// Its last run.
    public let runID: RunID
    /// The phase of the run.
    public let phase: Phase
    /// All messages of the thread.
    public let messages: [RunMessage]
    /// The state of the thread.
    public let state: JSONValue
    /// Steps that have begun and not ended.
    public let openSteps: [String]
    /// Texts that have begun and not ended.
    public let openTextMessages: [MessageID]
    /// Calls whose arguments are not complete.
    public let openToolCalls: [ToolCallID]
    /// Calls of the run that have no answer yet.
    public let pendingToolCalls: [RunToolCall]
    /// The text of the agent in the run: its messages, with an empty line between two.
    public let visibleText: String

    init(_ reducer: RunReducer, _ input: RunInput? = nil, interruption: AgentRunInterruption? = nil) {
        threadID = ThreadID(rawValue: reducer.threadID.isEmpty ? input?.threadID ?? "" : reducer.threadID)
        runID = RunID(rawValue: reducer.runID.isEmpty ? input?.runID ?? "" : reducer.runID)
        phase =
            switch reducer.phase {
            case .finished(let finish): .finished(RunOutcome(finish.outcome))
            case .failed(let error): .failed(RunFailure(error))
            case .idle, .running: interruption.map { .interrupted($0) } ?? .running
            }
        messages = reducer.messages.map { RunMessage($0) }
        state = JSONValue(reducer.state)
        openSteps = reducer.openSteps
        openTextMessages = reducer.openTexts.map { MessageID(rawValue: $0) }
        openToolCalls = reducer.openCalls.map { ToolCallID(rawValue: $0) }
        pendingToolCalls = reducer.pendingCalls.compactMap { reducer.call($0) }.map { RunToolCall($0) }
        visibleText = reducer.runTexts.compactMap { reducer.message($0)?.content?.text }
            .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}

/// Folds events into messages and state, as every ``AGUIThread`` does.
///
/// ```swift
/// var reducer = AgentRunReducer(messages: [], state: .object([:]))
/// for try await event in stream { _ = reducer.apply(event) }
/// print(reducer.snapshot.visibleText)
/// ```
public struct AgentRunReducer: Sendable {
    private var reducer: RunReducer

    /// A snapshot of a thread with these messages and this state.
    public init(messages: [RunMessage], state: JSONValue) {
        reducer = RunReducer(messages: messages.map(\.wire), state: state.wire)
    }

    /// Applies the next event of the thread and returns warnings for the parts that could not be applied.
    public mutating func apply(_ event: AgentRunEvent) -> [ReducerWarning] {
        reducer.apply(event.wire)
    }

    /// Messages and state after all events so far.
    public var snapshot: AgentRunSnapshot { AgentRunSnapshot(reducer) }
}

/// Checks that the events of a stream come in an order that AG-UI allows. Each ``AGUIAgent`` has one for each stream,
/// unless its configuration says otherwise.
///
/// ```swift
/// var verifier = AgentRunVerifier(profile: .v1, input: nil)
/// for event in events { try verifier.consume(event) }
/// try verifier.finish()
/// ```
public struct AgentRunVerifier: Sendable {
    private var verifier: RunVerifier

    /// A check by the rules of a profile, of which version 1 has the stricter ones. Events must name the
    /// thread and the run of `input`; nil takes any.
    public init(profile: AGUIConfiguration.Profile, input: RunAgentInput?) {
        verifier = RunVerifier(
            profile: profile.wire, threadID: input?.threadID.rawValue, runID: input?.runID.rawValue)
    }

    /// Checks the next event. Throws ``AgentRunError/sequence(_:)`` when it cannot come here.
    public mutating func consume(_ event: AgentRunEvent) throws(AgentRunError) {
        do throws(SequenceViolation) {
            _ = try verifier.consume(event.wire)
        } catch {
            throw .sequence(error)
        }
    }

    /// Checks the end of the stream. Throws ``AgentRunError/truncated(lastEventType:)`` when the run is not over.
    public mutating func finish() throws(AgentRunError) {
        guard verifier.isComplete else { throw .truncated(lastEventType: verifier.lastType) }
    }
}
