import Texts

/// Event streamed while an agent works, delivered to ``AIAssistantEventsDelegate``.
///
/// Like all classes of this module it is not `Sendable`: use it on the queue of the callback, which is the main queue on Apple
/// systems and one serial queue elsewhere. A number that is absent is 0, a text that is absent is empty. An event of an
/// unknown type is an object of this class.
public class AIAssistantBaseEvent {
    /// The number of the run: that of the user's message that has caused it.
    public let id: Int
    /// The type of the event, such as `text_message_content`.
    public let type: String
    /// The conversation.
    public let conversationId: String?
    /// The first message of the thread; 0 when there is none.
    public let parentId: Int
    /// All other members of the event.
    public let additionalProperties: [String: Any]
    /// The run; 0 where the event has none.
    public var runId: Int { data.int("runId") }
    /// The thread.
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

/// A run begins, or a text message does.
public class AIAssistantRunStartedEvent: AIAssistantBaseEvent {
    /// The message that is streamed.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The role of the sender: `assistant`.
    public var role: String { data.text("role") }
}

/// A run is over; stored messages follow.
public class AIAssistantRunFinishedEvent: AIAssistantBaseEvent {
    /// The message that was streamed.
    public var streamMessageId: String { data.text("streamMessageId") }
}

/// More of a text.
public class AIAssistantContentReceivedEvent: AIAssistantBaseEvent {
    /// The message that is streamed.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The added text.
    public var delta: String { data.text("delta") }
}

/// A text is complete.
public class AIAssistantMessageEndedEvent: AIAssistantBaseEvent {
    /// The message that was streamed.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The id of the message, under its other name.
    public var messageId: String { data.text("messageId") }
}

/// Any event of a call.
public class AIAssistantToolCallEvent: AIAssistantBaseEvent {
    /// The call.
    public var toolCallId: String { data.text("toolCallId") }
    /// The tool.
    public var toolCallName: String { data.text("toolCallName") }
    /// Display name of the tool.
    public var displayName: String { data.text("displayName") }
    /// Status text while the tool works.
    public var executionText: String { data.text("executionText") }
    /// The arguments so far.
    public var arguments: String { data.text("arguments") }
}

/// A tool is called.
public class AIAssistantToolStartedEvent: AIAssistantToolCallEvent {
    /// The message that holds the call.
    public var streamParentMessageId: String { data.text("streamParentMessageId") }
}

/// The arguments of a call.
public class AIAssistantToolArgumentEvent: AIAssistantToolCallEvent {
    /// The added part of the arguments: all of them, unless the agent streams them.
    public var delta: String { data.text("delta") }
}

/// The arguments of a call are complete.
public class AIAssistantToolEndedEvent: AIAssistantToolCallEvent {}

/// A tool has answered.
public class AIAssistantToolResultEvent: AIAssistantToolCallEvent {
    /// The message with the answer.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The answer.
    public var content: String { data.text("content") }
    /// The role of the sender: `tool`.
    public var role: String { data.text("role") }
}

/// A card begins.
public class AIAssistantCardStartedEvent: AIAssistantBaseEvent {
    /// The message that holds the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The card.
    public var cardId: String { data.text("cardId") }
    /// Status text until the card is there.
    public var executionText: String { data.text("executionText") }
}

/// A card is there.
public class AIAssistantCardReceivedEvent: AIAssistantBaseEvent {
    /// The message that holds the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The card.
    public var cardId: String { data.text("cardId") }

    /// The content of the card; nil if it is not an object.
    public func getCard() -> [String: Any]? { data.object["card"]?.object.map { Fields.plain($0) } }
}

/// A card is complete.
public class AIAssistantCardEndedEvent: AIAssistantBaseEvent {
    /// The message that holds the card.
    public var streamMessageId: String { data.text("streamMessageId") }
    /// The card.
    public var cardId: String { data.text("cardId") }
}

extension AIAssistantBaseEvent {
    /// Decodes the body of a frame into the class of its type.
    static func make(_ body: Fields) -> AIAssistantBaseEvent {
        switch body.text("type") {
        case "run_started", "text_message_start": AIAssistantRunStartedEvent(body)
        case "run_finished": AIAssistantRunFinishedEvent(body)
        case "text_message_content": AIAssistantContentReceivedEvent(body)
        case "text_message_end": AIAssistantMessageEndedEvent(body)
        // Both spellings are published.
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
