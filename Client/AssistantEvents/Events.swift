import Texts

/// Base class of the events of a run. Events of unknown types have this class itself. Not `Sendable`: use an event only
/// on the callback's queue. A missing number is 0, and a missing text is empty.
public class AIAssistantBaseEvent {
    /// The number of the run; in frames of CometChat, the number of the user message that started the run.
    public let id: Int
    /// The type of the event, such as `text_message_content`.
    public let type: String
    /// The id of the conversation.
    public let conversationId: String?
    /// The number of the first message of the thread; 0 if the event has no such number.
    public let parentId: Int
    /// The members of the event that have no property above, and all members of its `data`.
    public let additionalProperties: [String: Any]
    /// The number of the run; 0 if the event has none.
    public var runId: Int { data.int("runId") }
    /// The id of the thread.
    public var threadId: String { data.text("threadId") }
    let data: Fields

    init(_ body: Fields) {
        id = body.int("id")
        type = body.text("type")
        conversationId = body.object["conversationId"]?.string
        parentId = body.object["parentId"] == nil ? body.int("parentMessageId") : body.int("parentId")
        data = body.inner("data")
        let known: Set = ["id", "type", "conversationId", "parentId", "parentMessageId", "data"]
        additionalProperties = Fields.plain(body.object, without: known)
            .merging(Fields.plain(data.object, without: [])) { first, _ in first }
    }
}

/// A run or a text message started.
public class AIAssistantRunStartedEvent: AIAssistantBaseEvent {
    /// The id of the streamed message.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The role of the sender: `assistant`.
    public var role: String { data.text("role") }
}

/// A run has finished; stored messages follow.
public class AIAssistantRunFinishedEvent: AIAssistantBaseEvent {
    /// The id of the streamed message.
    public var streamMessageId: String { data.text("streamMessageId") }
}

/// A part of a text message.
public class AIAssistantContentReceivedEvent: AIAssistantBaseEvent {
    /// The id of the streamed message.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The added text.
    public var delta: String { data.text("delta") }
}

/// A text message is complete.
public class AIAssistantMessageEndedEvent: AIAssistantBaseEvent {
    /// The id of the streamed message.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The id of the message, from the field `messageId`.
    public var messageId: String { data.text("messageId") }
}

/// Base class of the events of a tool call.
public class AIAssistantToolCallEvent: AIAssistantBaseEvent {
    /// The id of the tool call.
    public var toolCallId: String { data.text("toolCallId") }
    /// The name of the tool.
    public var toolCallName: String { data.text("toolCallName") }
    /// Display name of the tool.
    public var displayName: String { data.text("displayName") }
    /// Status text while the tool runs.
    public var executionText: String { data.text("executionText") }
    /// The arguments so far.
    public var arguments: String { data.text("arguments") }
}

/// A tool call started.
public class AIAssistantToolStartedEvent: AIAssistantToolCallEvent {
    /// The id of the message with the tool call.
    public var streamParentMessageId: String { data.text("streamParentMessageId") }
}

/// Arguments of a tool call.
public class AIAssistantToolArgumentEvent: AIAssistantToolCallEvent {
    /// The next part of the arguments; the complete arguments if the agent does not stream them.
    public var delta: String { data.text("delta") }
}

/// The arguments of a tool call are complete.
public class AIAssistantToolEndedEvent: AIAssistantToolCallEvent {}

/// A tool has returned its result.
public class AIAssistantToolResultEvent: AIAssistantToolCallEvent {
    /// The id of the message with the result.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The result.
    public var content: String { data.text("content") }
    /// The role of the sender: `tool`.
    public var role: String { data.text("role") }
}

/// A card started.
public class AIAssistantCardStartedEvent: AIAssistantBaseEvent {
    /// The id of the message with the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The id of the card.
    public var cardId: String { data.text("cardId") }
    /// Status text until the card arrives.
    public var executionText: String { data.text("executionText") }
}

/// A card has arrived.
public class AIAssistantCardReceivedEvent: AIAssistantBaseEvent {
    /// The id of the message with the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The id of the card.
    public var cardId: String { data.text("cardId") }

    /// Returns the content of the card; nil if the content is not a JSON object.
    public func getCard() -> [String: Any]? { data.object["card"]?.object.map { Fields.plain($0) } }
}

/// A card is complete.
public class AIAssistantCardEndedEvent: AIAssistantBaseEvent {
    /// The id of the message with the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The id of the card.
    public var cardId: String { data.text("cardId") }
}

extension AIAssistantBaseEvent {
    static func make(_ body: Fields) -> AIAssistantBaseEvent {
        switch body.text("type") {
        case "run_started", "text_message_start": AIAssistantRunStartedEvent(body)
        case "run_finished": AIAssistantRunFinishedEvent(body)
        case "text_message_content": AIAssistantContentReceivedEvent(body)
        case "text_message_end": AIAssistantMessageEndedEvent(body)
        // CometChat publishes both spellings.
        case "tool_call_start", "tool_call_started": AIAssistantToolStartedEvent(body)
        case "tool_call_args": AIAssistantToolArgumentEvent(body)
        case "tool_call_end", "tool_call_ended": AIAssistantToolEndedEvent(body)
        case "tool_call_result": AIAssistantToolResultEvent(body)
        case "card_start": AIAssistantCardStartedEvent(body)
        case "card": AIAssistantCardReceivedEvent(body)
        case "card_end": AIAssistantCardEndedEvent(body)
        default: AIAssistantBaseEvent(body)
        }
    }
}
