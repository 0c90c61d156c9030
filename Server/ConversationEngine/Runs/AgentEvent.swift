package import Clocks

/// An event of an agent run, independent of the protocol. `value`, `content` and `patch` are JSON texts that the engine
/// does not parse.
package enum AgentEvent: Equatable, Sendable {
    case started
    case stepStarted(String)
    case stepFinished(String)
    /// `name` is the name of the speaker; nil means the agent.
    indirect case textStarted(id: String, role: String, name: String?)
    case textDelta(id: String, String)
    case textEnded(id: String)
    indirect case callStarted(RunCall)
    case callDelta(id: String, String)
    case callEnded(id: String)
    indirect case callResult(RunResult)
    case reasoningStarted(id: String)
    case reasoningTextStarted(id: String)
    case reasoningDelta(id: String, String)
    case reasoningTextEnded(id: String)
    case reasoningEnded(id: String)
    /// Opaque (encrypted) data of a message or a tool call.
    indirect case sealed(entity: String, ofCall: Bool, value: String)
    case state(value: String)
    case stateChanged(patch: String)
    /// The new state. Clients get the difference to the former state as a patch.
    case stateTarget(value: String)
    /// Starts a subagent. The following events belong to the subagent until its end.
    indirect case subagentStarted(RunSubagent)
    /// Ends a subagent. If `asks` is not nil, the subagent waits: for decisions on these interrupts or, if the list is
    /// empty, for results of client tools.
    indirect case subagentEnded(id: String, result: String?, error: String?, asks: [String]? = nil)
    /// All messages of the thread, which the dialect assembles.
    case messages
    /// If `replaces` is nil, it counts as true.
    indirect case activity(id: String, type: String, content: String, replaces: Bool?)
    indirect case activityChanged(id: String, type: String, patch: String)
    indirect case card(id: String, message: String?, value: String, label: String?)
    indirect case suggestions(message: String, [Suggestion])
    indirect case custom(name: String, value: String)
    indirect case raw(value: String, source: String?)
    /// A scripted event. If `isUnchecked`, the event is sent without changes.
    indirect case written(value: String, isUnchecked: Bool)
    indirect case finished(RunEnd)
    indirect case failed(RunFailure)

    /// True for the last event of a run.
    package var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }

    /// True if the event says that the run failed.
    package var isFailure: Bool { if case .failed = self { true } else { false } }

    var textBytes: Int {
        switch self {
        case .started, .messages, .finished, .failed, .subagentStarted, .suggestions: 0
        case .stepStarted(let text), .stepFinished(let text), .textDelta(_, let text),
            .callDelta(_, let text),
            .reasoningDelta(_, let text), .sealed(_, _, let text), .state(let text), .stateChanged(let text),
            .stateTarget(let text), .activity(_, _, let text, _), .activityChanged(_, _, let text),
            .card(_, _, let text, _), .custom(_, let text), .raw(let text, _), .written(let text, _),
            .textStarted(let text, _, _), .textEnded(let text), .callEnded(let text),
            .reasoningStarted(let text), .reasoningTextStarted(let text), .reasoningTextEnded(let text),
            .reasoningEnded(let text), .subagentEnded(let text, _, _, _):
            text.utf8.count
        case .callStarted(let call): call.tool.utf8.count
        case .callResult(let result): result.content.utf8.count
        }
    }

    /// Whether encoding the event needs earlier events (``RunLog/before(_:of:)``).
    package var buildsOnLog: Bool {
        switch self {
        case .messages, .stateTarget: true
        default: false
        }
    }
}

package struct RunSubagent: Equatable, Sendable {
    package var id: String
    package var name: String
    package var about: String?
    /// The id of the parent subagent.
    package var parent: String?

    package init(id: String, name: String, about: String? = nil, parent: String? = nil) {
        self.id = id
        self.name = name
        self.about = about
        self.parent = parent
    }
}

package struct RunCall: Equatable, Sendable {
    package var id: String
    package var tool: String
    /// The id of the message to which the call belongs.
    package var owner: String?
    /// Texts for display.
    package var title: String?
    package var label: String?

    package init(id: String, tool: String, owner: String? = nil, title: String? = nil, label: String? = nil) {
        self.id = id
        self.tool = tool
        self.owner = owner
        self.title = title
        self.label = label
    }
}

/// The result of a tool call.
package struct RunResult: Equatable, Sendable {
    /// The message id of the result.
    package var id: String
    package var call: String
    /// A text, or a JSON list of parts if `hasParts`.
    package var content: String
    package var hasParts = false
    package var hasFailed = false
}

/// An interrupt: a decision that the user has to make.
package struct RunAsk: Equatable, Sendable {
    package var id: String
    /// The name of the interrupt in the fixture.
    package var name = ""
    /// The reason of the interrupt: `tool_call`, `input_required` or `confirmation`.
    package var reason: String
    package var message: String?
    package var call: String?
    /// The JSON schema of the answer.
    package var schema: String?
    package var expires: Instant?
    /// Choices for clients of protocols without runs.
    package var choices: [RunChoice] = []
}

/// A choice of a ``RunAsk``.
package struct RunChoice: Equatable, Sendable {
    package var text: String
    /// The values of the answer.
    package var parts: [String: String]
    /// Whether the choice rejects the request.
    package var cancels: Bool

    package init(text: String, parts: [String: String] = [:], cancels: Bool = false) {
        self.text = text
        self.parts = parts
        self.cancels = cancels
    }
}

/// The end of a run that did not fail.
package struct RunEnd: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// `pending` contains the ids of calls to client tools without a result.
        case done(pending: [String])
        case asks([RunAsk])
        case cancelled
        /// The run ends without an end event from the engine, because the script wrote the end event itself.
        case cut
    }

    package var outcome: Outcome
    /// The result as JSON.
    package var result: String?
    /// The usage as JSON.
    package var usage: String?

    package init(_ outcome: Outcome, result: String? = nil, usage: String? = nil) {
        self.outcome = outcome
        self.result = result
        self.usage = usage
    }
}

package struct RunFailure: Equatable, Sendable {
    package var message: String
    package var code: String?
    package var usage: String?

    package init(_ message: String, code: String? = nil, usage: String? = nil) {
        self.message = message
        self.code = code
        self.usage = usage
    }
}

package struct RunEntry: Equatable, Sendable {
    package var time: Instant
    package var event: AgentEvent
    /// The number of the event in its run, from 1.
    package var number: UInt32
    /// The number of journal entries before the event.
    package var behind: UInt32

    /// Creates the entry of an event that follows `count` others in its run.
    init(_ event: AgentEvent, _ count: Int, behind: Int, at now: Instant) {
        time = now
        self.event = event
        number = UInt32(clamping: count + 1)
        self.behind = UInt32(clamping: behind)
    }
}
