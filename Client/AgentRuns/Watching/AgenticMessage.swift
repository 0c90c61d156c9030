public import RunWire
import Texts

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message of a run that has ended.
public enum AgenticMessage: Sendable, Equatable, Identifiable {
    case toolArguments(AgenticToolArguments)
    case toolResult(AgenticToolResult)
    case assistant(AgenticAssistantMessage)

    /// The message's id.
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

/// A reply of the agent.
public struct AgenticAssistantMessage: Sendable, Equatable {
    /// The message's id.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// All texts, separated by empty lines.
    public let text: String
    /// The texts, then the cards.
    public let elements: [MessageElement]
    /// Whether the run failed. The reply may then be incomplete.
    public let isPartial: Bool
}

/// The tool calls in one message of the agent.
public struct AgenticToolArguments: Sendable, Equatable {
    /// The id of the message that contains the calls.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// The calls in order.
    public let calls: [AgenticToolCall]
}

/// The result of one tool call.
public struct AgenticToolResult: Sendable, Equatable {
    /// The message's id.
    public let id: MessageID
    /// The run that the message belongs to.
    public let runID: RunID
    /// The thread of the run.
    public let threadID: ThreadID
    /// End time of the run.
    public let sentAt: Date
    /// The call's id.
    public let toolCallID: ToolCallID
    /// The result.
    public let text: String
    /// The reason why the call failed; nil for a successful call.
    public let failure: String?
}

/// One tool call.
public struct AgenticToolCall: Sendable, Equatable {
    /// The call's id.
    public let id: ToolCallID
    /// The tool's name.
    public let name: String
    /// The arguments as JSON text.
    public let arguments: String
    /// Display name of the tool.
    public let displayName: String?
    /// Status text, shown while the tool worked.
    public let executionText: String?

    /// Decodes the arguments. Throws ``AgentRunError/decoding(eventType:detail:)`` if they are not valid JSON.
    public func decodedArguments() throws -> JSONValue { try JSONValue(parsing: arguments) }

    init(_ call: RunWire.RunToolCall) {
        id = ToolCallID(rawValue: call.id)
        name = call.name
        arguments = call.arguments
        displayName = call.metadata?["mock.displayName"]?.string
        executionText = call.metadata?["mock.executionText"]?.string
    }
}

/// One element of a reply.
public enum MessageElement: Sendable, Equatable {
    case text(String)
    case card(id: String, JSONValue)
    /// An element of another type. Not used over AG-UI.
    case other(type: String, JSONValue)
}

extension AgenticMessage {
    /// Returns the messages of an ended run: its calls and results in order, then the reply.
    static func left(of reducer: RunReducer, _ events: [AgentRunEvent]) -> [AgenticMessage] {
        guard let end = events.last else { return [] }
        let (run, thread, date) = (end.runID, end.threadID, end.receivedAt)
        var known: Set<String> = []
        for event in events {
            switch event.wire.kind {
            case .toolStart(let id, _, _), .toolChunk(let id?, _, _, _): known.insert(id)
            case .toolResult(let result): known.insert(result.messageID)
            default: break
            }
        }
        var messages: [AgenticMessage] = []
        for message in reducer.messages {
            let id = MessageID(rawValue: message.id)
            let calls = (message.toolCalls ?? []).filter { known.contains($0.id) }
            if !calls.isEmpty {
                messages.append(
                    .toolArguments(
                        AgenticToolArguments(
                            id: id, runID: run, threadID: thread, sentAt: date,
                            calls: calls.map { AgenticToolCall($0) })))
            }
            guard message.role == .tool, known.contains(message.id) else { continue }
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
