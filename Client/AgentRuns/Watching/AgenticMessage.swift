public import RunWire
import Texts

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message kept after a run has ended.
public enum AgenticMessage: Sendable, Equatable, Identifiable {
    /// The calls of one turn of the agent.
    case toolArguments(AgenticToolArguments)
    /// The answer to one call.
    case toolResult(AgenticToolResult)
    /// The reply.
    case assistant(AgenticAssistantMessage)

    /// The message.
    public var id: MessageID { common.id }
    /// The run that the message belongs to.
    public var runID: RunID { common.run }
    /// The thread of the run.
    public var threadID: ThreadID { common.thread }
    /// End time of the run.
    public var sentAt: Date { common.date }

    private var common: (id: MessageID, run: RunID, thread: ThreadID, date: Date) {
        switch self {
        case .toolArguments(let message): (message.id, message.runID, message.threadID, message.sentAt)
        case .toolResult(let message): (message.id, message.runID, message.threadID, message.sentAt)
        case .assistant(let message): (message.id, message.runID, message.threadID, message.sentAt)
        }
    }
}

/// A whole reply.
public struct AgenticAssistantMessage: Sendable, Equatable {
    /// The message.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// All texts, with an empty line between two.
    public let text: String
    /// Texts, then cards.
    public let elements: [MessageElement]
    /// Whether the run was interrupted before its end.
    public let isPartial: Bool
}

/// The calls of one turn.
public struct AgenticToolArguments: Sendable, Equatable {
    /// The message that holds the calls.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// The calls in their order.
    public let calls: [AgenticToolCall]
}

/// The answer to one call.
public struct AgenticToolResult: Sendable, Equatable {
    /// The message.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// The call.
    public let toolCallID: ToolCallID
    /// The answer.
    public let text: String
    /// The reason of a failed call; nil for a successful one.
    public let failure: String?
}

/// One call.
public struct AgenticToolCall: Sendable, Equatable {
    /// The call.
    public let id: ToolCallID
    /// The tool.
    public let name: String
    /// JSON text.
    public let arguments: String
    /// Display name of the tool.
    public let displayName: String?
    /// Status text while the tool worked.
    public let executionText: String?

    /// The arguments as a value. Throws ``AgentRunError/decoding(eventType:detail:)`` when they are not JSON.
    public func decodedArguments() throws -> JSONValue { try JSONValue(parsing: arguments) }

    init(_ call: RunWire.RunToolCall) {
        id = ToolCallID(rawValue: call.id)
        name = call.name
        arguments = call.arguments
        displayName = call.metadata?["mock.displayName"]?.string
        executionText = call.metadata?["mock.executionText"]?.string
    }
}

/// One piece of a reply.
public enum MessageElement: Sendable, Equatable {
    /// Words.
    case text(String)
    /// A card.
    case card(id: String, JSONValue)
    /// Anything else. Runs over AG-UI have none.
    case other(type: String, JSONValue)
}

extension AgenticMessage {
    /// The messages kept of a run: its calls and answers in their order, then the reply. Messages that a
    /// snapshot of the thread repeats are left out, because they were kept with earlier runs.
    static func left(of reducer: RunReducer, _ events: [AgentRunEvent]) -> [AgenticMessage] {
        guard let end = events.last else { return [] }
        let (run, thread, date) = (end.runID, end.threadID, end.receivedAt)
        var told: Set<String> = []
        for event in events {
            switch event.wire.kind {
            case .toolStart(let id, _, _), .toolChunk(let id?, _, _, _): told.insert(id)
            case .toolResult(let result): told.insert(result.messageID)
            default: break
            }
        }
        var messages: [AgenticMessage] = []
        for message in reducer.messages {
            let id = MessageID(rawValue: message.id)
            let calls = (message.toolCalls ?? []).filter { told.contains($0.id) }
            if !calls.isEmpty {
                messages.append(
                    .toolArguments(
                        AgenticToolArguments(
                            id: id, runID: run, threadID: thread, sentAt: date,
                            calls: calls.map { AgenticToolCall($0) })))
            }
            guard message.role == .tool, told.contains(message.id) else { continue }
            let text = message.content?.text ?? ""
            messages.append(
                .toolResult(
                    AgenticToolResult(
                        id: id, runID: run, threadID: thread, sentAt: date,
                        toolCallID: ToolCallID(rawValue: message.toolCallID ?? ""), text: text,
                        failure: ToolCallResult.failure(text, message.metadata))))
        }
        let texts = reducer.runTexts.compactMap { reducer.message($0)?.content?.text }.filter { !$0.isEmpty }
        let cards = events.compactMap { event -> MessageElement? in
            guard case .cardReceived(let id, let card) = event.kind else { return nil }
            return .card(id: id, card)
        }
        var isPartial = true
        if case .finished = reducer.phase { isPartial = false }
        messages.append(
            .assistant(
                AgenticAssistantMessage(
                    id: MessageID(rawValue: reducer.runTexts.last ?? run.rawValue), runID: run,
                    threadID: thread, sentAt: date, text: texts.joined(separator: "\n\n"),
                    elements: texts.map { .text($0) } + cards, isPartial: isPartial)))
        return messages
    }
}
