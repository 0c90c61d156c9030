public import RunWire
import Texts

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A tool that the client can run for the agent.
///
/// ```swift
/// let tool = AGUITool(
///     name: "pick_date", description: "Lets the user choose a date",
///     parameters: try JSONValue(parsing: #"{"type":"object","properties":{"month":{"type":"string"}}}"#))
/// ```
public struct AGUITool: Sendable, Equatable, Codable {
    /// The name by which the agent calls the tool.
    public let name: String
    /// Description of the tool for the agent.
    public let description: String
    /// A JSON Schema of the arguments.
    public let parameters: JSONValue?
    /// Metadata.
    public let metadata: [String: JSONValue]?

    /// Makes a tool; each argument sets the property of its name.
    public init(
        name: String, description: String, parameters: JSONValue? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.metadata = metadata
    }

    init(_ tool: RunTool) {
        self.init(
            name: tool.name, description: tool.description, parameters: tool.parameters.map { JSONValue($0) },
            metadata: tool.metadata.map { JSONValue.members($0) })
    }

    var wire: RunTool {
        RunTool(
            name: name, description: description, parameters: parameters?.wire,
            metadata: metadata.map { JSONValue.object($0) })
    }
}

/// The answer to one interrupt.
public struct ResumeEntry: Sendable, Equatable, Codable {
    /// Status of the answer.
    public typealias Status = ResumeStatus

    private enum CodingKeys: String, CodingKey {
        case interruptID = "interruptId"
        case status
        case payload
        case metadata
    }

    /// The interrupt that is answered.
    public let interruptID: InterruptID
    /// Status of the answer.
    public let status: Status
    /// The answer.
    public let payload: JSONValue?
    /// Metadata.
    public let metadata: [String: JSONValue]?

    /// Makes an answer; each argument sets the property of its name.
    public init(
        interruptID: InterruptID, status: Status, payload: JSONValue? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.interruptID = interruptID
        self.status = status
        self.payload = payload
        self.metadata = metadata
    }

    init(_ resume: RunResume) {
        self.init(
            interruptID: InterruptID(rawValue: resume.interruptID),
            status: resume.status, payload: resume.payload.map { JSONValue($0) },
            metadata: resume.metadata.map { JSONValue.members($0) })
    }

    var wire: RunResume {
        RunResume(
            interruptID: interruptID.rawValue, status: status, payload: payload?.wire,
            metadata: metadata.map { JSONValue.object($0) })
    }
}

/// Body of a run request of AG-UI.
///
/// ```swift
/// var input = RunAgentInput(threadID: "thread-1", runID: "run-2", messages: history)
/// input.tools = [tool]
/// input.state = .object(["city": .string("Leeds")])
/// ```
public struct RunAgentInput: Sendable, Equatable {
    /// The thread. The client chooses the id.
    public var threadID: ThreadID
    /// The id of the run. The client chooses a new id for each run.
    public var runID: RunID
    /// The requested version of AG-UI; nil for version 0. ``AGUIAgent`` sets it according to its configuration.
    public var protocolVersion: String?
    /// The run that this run continues.
    public var parentRunID: RunID?
    /// The state of the thread; an empty object by default.
    public var state: JSONValue
    /// All messages of the thread so far.
    public var messages: [RunMessage]
    /// Tools that the client can run.
    public var tools: [AGUITool] = []
    /// Further context for the agent.
    public var context: [AGUIContext] = []
    /// Agent-specific data; an empty object by default.
    public var forwardedProps: JSONValue = .object([:])
    /// Answers to the interrupts of the last run.
    public var resume: [ResumeEntry] = []

    /// Makes the request of a run. `messages` are all messages of the thread so far. `runID` must be new for each run.
    public init(threadID: ThreadID, runID: RunID, messages: [RunMessage]) {
        self.threadID = threadID
        self.runID = runID
        self.messages = messages
        state = .object([:])
    }

    /// Reads the body of a request, with keys in camel case or snake case. Throws ``AgentRunError/invalidInput(_:)``
    /// with the name of the invalid field.
    public init(decoding data: Data) throws {
        do throws(RunFormatError) {
            self.init(try RunInput(reading: Array(data)))
        } catch {
            throw AgentRunError.invalidInput(error.description)
        }
    }

    /// Encodes the request as JSON, with all keys that agents of version 0 require. Throws
    /// ``AgentRunError/invalidInput(_:)`` if the thread id or the run id is empty.
    public func encoded() throws -> Data {
        guard !threadID.rawValue.isEmpty, !runID.rawValue.isEmpty else {
            throw AgentRunError.invalidInput("A thread and a run need an id that is not empty.")
        }
        return Data(RunEventWriter.bytes(wire))
    }

    init(_ input: RunInput) {
        self.init(
            threadID: ThreadID(rawValue: input.threadID), runID: RunID(rawValue: input.runID),
            messages: input.messages.map { RunMessage($0) })
        protocolVersion = input.protocolVersion
        parentRunID = input.parentRunID.map { RunID(rawValue: $0) }
        if let state = input.state { self.state = JSONValue(state) }
        tools = (input.tools ?? []).map { AGUITool($0) }
        context = input.context ?? []
        if let props = input.forwardedProps { forwardedProps = JSONValue(props) }
        resume = (input.resume ?? []).map { ResumeEntry($0) }
    }

    package var wire: RunInput {
        RunInput(
            threadID: threadID.rawValue, runID: runID.rawValue, parentRunID: parentRunID?.rawValue,
            protocolVersion: protocolVersion, state: state.wire, messages: messages.map(\.wire),
            tools: tools.map(\.wire), context: context, forwardedProps: forwardedProps.wire,
            resume: resume.isEmpty ? nil : resume.map(\.wire))
    }
}
