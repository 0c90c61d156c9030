public import RunWire

/// The reason why the client stopped reading a run before its end.
public enum AgentRunInterruption: Sendable, Equatable {
    /// The request failed, the connection was lost, or the received data was invalid.
    case connectionLost
    /// The stream ended without an error before the run ended.
    case truncated
    case timedOut
    /// The client started another run of the thread or cancelled this run.
    case superseded
}

/// Snapshot of a thread and its last run.
public struct AgentRunSnapshot: Sendable, Equatable {
    /// The phase of a run.
    public enum Phase: Sendable, Equatable {
        case running
        /// The run has finished, but its messages are not stored yet. Not used over AG-UI.
        case awaitingPersistence
        case finished(RunOutcome)
        case failed(RunFailure)
        case interrupted(AgentRunInterruption)
    }

    /// The thread.
    public let threadID: ThreadID
    /// The last run of the thread.
    public let runID: RunID
    /// The phase of the run.
    public let phase: Phase
    /// All messages of the thread. In a snapshot of an ``AgentRunCenter``: only the messages in the events of the run.
    public let messages: [RunMessage]
    /// The state of the thread.
    public let state: JSONValue
    /// Steps that have begun but not ended.
    public let openSteps: [String]
    /// Text messages that have begun but not ended.
    public let openTextMessages: [MessageID]
    /// Tool calls whose arguments are not complete.
    public let openToolCalls: [ToolCallID]
    /// Tool calls of the run that have no result yet.
    public let pendingToolCalls: [RunToolCall]
    /// The texts of the agent's messages in the run, separated by empty lines.
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

/// Reducer: applies events to the messages and the state of a thread, in the same way as ``AGUIThread``.
///
/// ```swift
/// var reducer = AgentRunReducer(messages: [], state: .object([:]))
/// for try await event in stream { _ = reducer.apply(event) }
/// print(reducer.snapshot.visibleText)
/// ```
public struct AgentRunReducer: Sendable {
    private var reducer: RunReducer

    /// Makes a reducer that begins with these messages and this state.
    public init(messages: [RunMessage], state: JSONValue) {
        reducer = RunReducer(messages: messages.map(\.wire), state: state.wire)
    }

    /// Applies the next event. Returns a warning for each part of the event that could not be applied.
    public mutating func apply(_ event: AgentRunEvent) -> [ReducerWarning] {
        reducer.apply(event.wire)
    }

    /// Snapshot after all events so far.
    public var snapshot: AgentRunSnapshot { AgentRunSnapshot(reducer) }
}

/// Verifier of the order of events by the rules of AG-UI. Each ``AGUIAgent`` verifies its streams, unless
/// ``AGUIConfiguration/verifiesSequence`` is false.
///
/// ```swift
/// var verifier = AgentRunVerifier(profile: .v1, input: nil)
/// for event in events { try verifier.consume(event) }
/// try verifier.finish()
/// ```
public struct AgentRunVerifier: Sendable {
    private var verifier: RunVerifier

    /// Makes a verifier. Version 1 is stricter; among other rules, the first run must have the thread id and run id of
    /// `input`, unless `input` is nil.
    public init(profile: AGUIConfiguration.Profile, input: RunAgentInput?) {
        verifier = RunVerifier(
            profile: profile.wire, threadID: input?.threadID.rawValue, runID: input?.runID.rawValue)
    }

    /// Checks the next event. Throws ``AgentRunError/sequence(_:)`` if the earlier events do not allow it.
    public mutating func consume(_ event: AgentRunEvent) throws(AgentRunError) {
        do throws(SequenceViolation) {
            _ = try verifier.consume(event.wire)
        } catch {
            throw .sequence(error)
        }
    }

    /// Checks the end of the stream. Throws ``AgentRunError/truncated(lastEventType:)`` if the run has not ended.
    public mutating func finish() throws(AgentRunError) {
        guard verifier.isComplete else { throw .truncated(lastEventType: verifier.lastType) }
    }
}
