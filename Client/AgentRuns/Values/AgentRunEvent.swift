package import Clocks
public import RunWire
import Texts

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One event of a run.
///
/// Chunk events are expanded into starts, deltas and ends. Deprecated thinking events become reasoning events.
///
/// ```swift
/// for try await event in agent.stream(input) {
///     if case .textDelta(_, let words) = event.kind { print(words, terminator: "") }
/// }
/// ```
public struct AgentRunEvent: Sendable, Equatable {
    /// The thread that the run belongs to.
    public let threadID: ThreadID
    /// The run of the event.
    public let runID: RunID
    /// The index of the event in its stream, from 0.
    public let index: Int
    /// Time at which the client received the event, by the local clock.
    public let receivedAt: Date
    package let wire: RunEvent

    package init(threadID: String, runID: String, index: Int, receivedAt: Instant, _ wire: RunEvent) {
        self.threadID = ThreadID(rawValue: threadID)
        self.runID = RunID(rawValue: runID)
        self.index = index
        self.receivedAt = Date(timeIntervalSince1970: Double(receivedAt.nanoseconds) / 1e9)
        self.wire = wire
    }

    /// Time of the event by the agent's clock; nil if the agent sent no time.
    public var timestamp: Date? {
        wire.timestamp.map { Date(timeIntervalSince1970: Double($0) / 1e3) }
    }

    /// Metadata of the event; empty if the agent sent none.
    public var metadata: [String: JSONValue] { wire.metadata.map { JSONValue.members($0) } ?? [:] }

    /// Id of the subagent's run that the event belongs to; nil for the agent itself.
    public var subagentRunID: String? { wire.subagentRunID }

    /// True for ``Kind/runFinished(_:)`` and ``Kind/runFailed(_:)``.
    public var isTerminal: Bool { wire.isTerminal }

    /// The kind of the event, decoded at each access.
    public var kind: Kind { Kind(wire) }

    /// The kind of an event.
    public enum Kind: Sendable, Equatable {
        case runStarted(RunStart)
        case stepStarted(name: String)
        case stepFinished(name: String)
        /// A text message begins. If the thread has a message with this id, the text is appended to it.
        case textStarted(MessageID, role: MessageRole, name: String?)
        case textDelta(MessageID, String)
        case textEnded(MessageID)
        case toolCallStarted(ToolCallStart)
        case toolCallArguments(ToolCallID, delta: String)
        case toolCallEnded(ToolCallID)
        /// The result of a tool on the agent's side.
        case toolCallResult(ToolCallResult)
        case reasoningStarted(MessageID)
        case reasoningTextStarted(MessageID)
        case reasoningDelta(MessageID, String)
        case reasoningTextEnded(MessageID)
        case reasoningEnded(MessageID)
        /// Encrypted reasoning, to be returned in later requests. `subtype` is `message` or `tool-call`.
        case reasoningEncrypted(entityID: String, subtype: String, value: String)
        case stateSnapshot(JSONValue)
        case stateDelta([JSONPatchOperation])
        case messagesSnapshot([RunMessage])
        /// Structured progress of the agent. If the thread already has an activity with this id, its content is
        /// replaced only if `replace` is true.
        case activitySnapshot(MessageID, type: String, content: JSONValue, replace: Bool)
        case activityDelta(MessageID, type: String, patch: [JSONPatchOperation])
        case cardStarted(CardStart)
        case cardReceived(cardID: String, card: JSONValue)
        case cardEnded(cardID: String)
        case subagentStarted(SubagentStart)
        /// A subagent has finished or, with `suspendedOn`, waits for answers to these interrupts.
        case subagentFinished(id: String, result: JSONValue?, suspendedOn: [InterruptID]?)
        case subagentFailed(id: String, message: String, code: String?)
        case custom(name: String, value: JSONValue)
        /// An event of the agent's model provider, forwarded unchanged.
        case raw(event: JSONValue, source: String?)
        case runFinished(RunFinish)
        case runFailed(RunFailure)
        case unknown(type: String, body: JSONValue)
    }
}

extension AgentRunEvent.Kind {
    /// Name of the custom event with a card. The event's value is `{"cardId":…,"card":…}`.
    static let cardEvent = "mock.card"

    init(_ event: RunEvent) {
        switch event.kind {
        case .runStarted(let start): self = .runStarted(RunStart(start))
        case .runFinished(let finish): self = .runFinished(RunFinish(finish))
        case .runError(let error): self = .runFailed(RunFailure(error))
        case .stepStarted(let name): self = .stepStarted(name: name)
        case .stepFinished(let name): self = .stepFinished(name: name)
        case .textStart(let id, let role, let name):
            self = .textStarted(MessageID(rawValue: id), role: role ?? .assistant, name: name)
        case .textContent(let id, let delta): self = .textDelta(MessageID(rawValue: id), delta)
        case .textEnd(let id): self = .textEnded(MessageID(rawValue: id))
        case .toolStart(let id, let name, let parent):
            self = .toolCallStarted(ToolCallStart(id, name, parent, event.metadata))
        case .toolArguments(let id, let delta):
            self = .toolCallArguments(ToolCallID(rawValue: id), delta: delta)
        case .toolEnd(let id): self = .toolCallEnded(ToolCallID(rawValue: id))
        case .toolResult(let result): self = .toolCallResult(ToolCallResult(result, event.metadata))
        case .reasoningStart(let id): self = .reasoningStarted(MessageID(rawValue: id))
        case .reasoningMessageStart(let id, _): self = .reasoningTextStarted(MessageID(rawValue: id))
        case .reasoningContent(let id, let delta): self = .reasoningDelta(MessageID(rawValue: id), delta)
        case .reasoningMessageEnd(let id): self = .reasoningTextEnded(MessageID(rawValue: id))
        case .reasoningEnd(let id): self = .reasoningEnded(MessageID(rawValue: id))
        case .reasoningEncrypted(let subtype, let entityID, let value):
            self = .reasoningEncrypted(entityID: entityID, subtype: subtype.rawValue, value: value)
        default: self.init(other: event)
        }
    }

    private init(other event: RunEvent) {
        switch event.kind {
        case .stateSnapshot(let state): self = .stateSnapshot(JSONValue(state))
        case .stateDelta(let patch): self = .stateDelta(patch.map { JSONPatchOperation($0) })
        case .messagesSnapshot(let messages): self = .messagesSnapshot(messages.map { RunMessage($0) })
        case .activitySnapshot(let id, let type, let content, let replace):
            self = .activitySnapshot(
                MessageID(rawValue: id), type: type, content: JSONValue(.object(content)),
                replace: replace ?? true)
        case .activityDelta(let id, let type, let patch):
            self = .activityDelta(
                MessageID(rawValue: id), type: type, patch: patch.map { JSONPatchOperation($0) })
        case .raw(let body, let source): self = .raw(event: JSONValue(body), source: source)
        case .custom(let name, let value):
            if name == Self.cardEvent, let id = value["cardId"]?.string, let card = value["card"] {
                self = .cardReceived(cardID: id, card: JSONValue(card))
            } else {
                self = .custom(name: name, value: JSONValue(value))
            }
        case .subagentStarted(let start): self = .subagentStarted(start)
        case .subagentFinished(let id, let result, let outcome):
            var suspendedOn: [InterruptID]?
            if case .suspended(let ids)? = outcome {
                suspendedOn = (ids ?? []).map { InterruptID(rawValue: $0) }
            }
            self = .subagentFinished(
                id: id, result: result.map { JSONValue($0) }, suspendedOn: suspendedOn)
        case .subagentError(let id, let message, let code):
            self = .subagentFailed(id: id, message: message, code: code)
        case .unknown(let type, let body): self = .unknown(type: type, body: JSONValue(.object(body)))
        // All other types were expanded or replaced earlier.
        default: self = .unknown(type: event.type, body: .null)
        }
    }
}
