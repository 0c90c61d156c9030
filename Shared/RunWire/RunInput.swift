package import Texts

/// Body of a run request: `RunAgentInput` of AG-UI. An optional is nil if its key is absent or null.
package struct RunInput: Equatable, Sendable {
    package var threadID: String
    package var runID: String
    package var parentRunID: String?
    /// `MAJOR.MINOR`. Nil means version 0.
    package var protocolVersion: String?
    package var state: JSONValue?
    package var messages: [RunMessage]
    package var tools: [RunTool]?
    package var context: [AGUIContext]?
    package var forwardedProps: JSONValue?
    package var resume: [RunResume]?

    package init(
        threadID: String, runID: String, parentRunID: String? = nil, protocolVersion: String? = nil,
        state: JSONValue? = nil, messages: [RunMessage] = [], tools: [RunTool]? = nil,
        context: [AGUIContext]? = nil, forwardedProps: JSONValue? = nil, resume: [RunResume]? = nil
    ) {
        self.threadID = threadID
        self.runID = runID
        self.parentRunID = parentRunID
        self.protocolVersion = protocolVersion
        self.state = state
        self.messages = messages
        self.tools = tools
        self.context = context
        self.forwardedProps = forwardedProps
        self.resume = resume
    }
}

package struct RunTool: Equatable, Sendable {
    package var name: String
    package var description: String
    /// JSON Schema of the arguments.
    package var parameters: JSONValue?
    package var metadata: JSONObject?

    package init(
        name: String, description: String, parameters: JSONValue? = nil, metadata: JSONObject? = nil
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.metadata = metadata
    }
}

/// Context for the agent, in addition to messages.
public struct AGUIContext: Sendable, Equatable, Codable {
    /// Description of the value.
    public let description: String
    /// The value.
    public let value: String

    /// - Parameters:
    ///   - description: a description of the value.
    ///   - value: the value.
    public init(description: String, value: String) {
        self.description = description
        self.value = value
    }
}

/// Outcome of an interrupt.
public enum ResumeStatus: String, Sendable, Codable {
    /// The user answered.
    case resolved
    /// The user refused.
    case cancelled
}

package struct RunResume: Equatable, Sendable {
    package var interruptID: String
    package var status: ResumeStatus
    package var payload: JSONValue?
    package var metadata: JSONObject?

    package init(
        interruptID: String, status: ResumeStatus, payload: JSONValue? = nil, metadata: JSONObject? = nil
    ) {
        self.interruptID = interruptID
        self.status = status
        self.payload = payload
        self.metadata = metadata
    }
}

/// The protocol version of a peer.
package enum RunProfile: String, Sendable, CaseIterable {
    case v0
    /// Version 1 or later.
    case v1
    /// An old client of version 0: reasoning is sent as `THINKING_*` events, there are no activities, and one item is
    /// open at a time.
    case legacy

    /// ``v1`` if the major version is 1 or higher, otherwise ``v0``.
    package init(version: String?) {
        let major = version?.split(separator: ".").first.flatMap { Int($0) } ?? 0
        self = major >= 1 ? .v1 : .v0
    }

    /// Value of ``RunInput/protocolVersion`` that this package's client sends for version 1.
    package static let ownVersion = "1.0"
}
