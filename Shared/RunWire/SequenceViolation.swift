/// A violated rule about the order of events.
public enum SequenceViolation: String, Error, Sendable, Equatable, CaseIterable {
    /// The first event is neither RUN_STARTED nor RUN_ERROR.
    case firstEventNotRunStarted
    /// RUN_STARTED arrived during a run.
    case runAlreadyActive
    /// After RUN_FINISHED came an event other than RUN_STARTED or RUN_ERROR.
    case eventAfterFinish
    /// An event other than RUN_STARTED followed RUN_ERROR.
    case eventAfterError
    /// TEXT_MESSAGE_START arrived for an open text message.
    case textAlreadyOpen
    /// TEXT_MESSAGE_CONTENT or TEXT_MESSAGE_END arrived for a text message that is not open.
    case textNotOpen
    /// A text message is open at RUN_FINISHED.
    case textOpenAtFinish
    /// TOOL_CALL_START arrived for an open tool call.
    case toolCallAlreadyOpen
    /// TOOL_CALL_ARGS or TOOL_CALL_END arrived for a tool call that is not open.
    case toolCallNotOpen
    /// A tool call is open at RUN_FINISHED.
    case toolCallOpenAtFinish
    /// STEP_STARTED arrived for an open step.
    case stepAlreadyOpen
    /// STEP_FINISHED arrived for a step that is not open.
    case stepNotOpen
    /// A step is open at RUN_FINISHED.
    case stepOpenAtFinish
    /// An event continues or ends reasoning that is not open.
    case reasoningNotOpen
    /// Reasoning is open at RUN_FINISHED.
    case reasoningOpenAtFinish
    /// An event belongs to a subagent that is not open.
    case subagentNotOpen
    /// A subagent is open at RUN_FINISHED.
    case subagentOpenAtFinish
    /// The first chunk of an item has no id, or the first chunk of a tool call has no name.
    case firstChunkLacksIdentity
    /// A chunk contradicts the first chunk of its item.
    case chunkConflict
    /// The event names a thread other than that of the request or of RUN_STARTED.
    case threadMismatch
    /// The event names a run other than that of the request or of RUN_STARTED.
    case runMismatch
}

extension SequenceViolation {
    package var sentence: String {
        switch self {
        case .firstEventNotRunStarted: "The first event must be RUN_STARTED or RUN_ERROR."
        case .runAlreadyActive: "RUN_STARTED comes while a run is active: end that one first."
        case .eventAfterFinish: "After RUN_FINISHED only RUN_STARTED or RUN_ERROR may come."
        case .eventAfterError: "After RUN_ERROR only RUN_STARTED may come."
        case .textAlreadyOpen: "TEXT_MESSAGE_START opens a message that is open."
        case .textNotOpen: "The text message is not open: TEXT_MESSAGE_START must come first."
        case .textOpenAtFinish: "A text message is open at RUN_FINISHED: TEXT_MESSAGE_END must come first."
        case .toolCallAlreadyOpen: "TOOL_CALL_START opens a call that is open."
        case .toolCallNotOpen: "The tool call is not open: TOOL_CALL_START must come first."
        case .toolCallOpenAtFinish: "A tool call is open at RUN_FINISHED: TOOL_CALL_END must come first."
        case .stepAlreadyOpen: "STEP_STARTED opens a step that is open."
        case .stepNotOpen: "The step is not open: STEP_STARTED must come first."
        case .stepOpenAtFinish: "A step is open at RUN_FINISHED: STEP_FINISHED must come first."
        case .reasoningNotOpen: "The reasoning is not open: its start must come first."
        case .reasoningOpenAtFinish: "Reasoning is open at RUN_FINISHED: its end must come first."
        case .subagentNotOpen: "The subagent is not open: SUBAGENT_STARTED must come first."
        case .subagentOpenAtFinish:
            "A subagent is open at RUN_FINISHED: SUBAGENT_FINISHED or SUBAGENT_ERROR must come first."
        case .firstChunkLacksIdentity:
            "The first chunk of an item must have its id, and that of a tool call the tool's name."
        case .chunkConflict: "A chunk repeats a field of its item with another value."
        case .threadMismatch: "The thread is not the one of the request, or of RUN_STARTED."
        case .runMismatch: "The run is not the one of the request, or of RUN_STARTED."
        }
    }
}
