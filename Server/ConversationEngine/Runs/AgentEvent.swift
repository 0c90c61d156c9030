package import Clocks

/// Something that happens in a run, in no wire's words. Texts called `value`, `content` and `patch` are JSON, which
/// the engine hands on without reading it.
package enum AgentEvent: Equatable, Sendable {
    case started
    case stepStarted(String)
    case stepFinished(String)
    /// `name` is who speaks where it is not the agent.
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
    /// An opaque text that belongs to a message or a call.
    indirect case sealed(entity: String, ofCall: Bool, value: String)
    case state(value: String)
    case stateChanged(patch: String)
    /// The new state, sent as a patch.
    case stateTarget(value: String)
    /// All that is told until its end belongs to it.
    indirect case subagentStarted(RunSubagent)
    /// With `asks` it waits for decisions on these, or for tools of the client where there are none.
    indirect case subagentEnded(id: String, result: String?, error: String?, asks: [String]? = nil)
    /// All messages of the thread, as assembled by the dialect.
    case messages
    /// `replaces`: nil where it is not said, which means yes.
    indirect case activity(id: String, type: String, content: String, replaces: Bool?)
    indirect case activityChanged(id: String, type: String, patch: String)
    indirect case card(id: String, message: String?, value: String, label: String?)
    indirect case suggestions(message: String, [Suggestion])
    indirect case custom(name: String, value: String)
    indirect case raw(value: String, source: String?)
    /// An event written out in the script; one that `isFault` is sent unchanged.
    indirect case written(value: String, isFault: Bool)
    indirect case finished(RunEnd)
    indirect case failed(RunFailure)

    /// The last event of the run.
    package var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }

    /// The run ends with it because something went wrong.
    package var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    /// Bytes of the event's texts.
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

    /// Its encoding depends on earlier events: ``RunLog/before(_:of:)``.
    package var buildsOnLog: Bool {
        switch self {
        case .messages, .stateTarget: true
        default: false
        }
    }
}

/// An agent that another one asks for help.
package struct RunSubagent: Equatable, Sendable {
    package var id: String
    package var name: String
    package var about: String?
    /// The one that asked, where that is a subagent itself.
    package var parent: String?

    package init(id: String, name: String, about: String? = nil, parent: String? = nil) {
        self.id = id
        self.name = name
        self.about = about
        self.parent = parent
    }
}

/// A tool is called.
package struct RunCall: Equatable, Sendable {
    package var id: String
    package var tool: String
    /// The message that holds the call.
    package var owner: String?
    /// Display text in place of the tool's name, and while it works.
    package var title: String?
    package var label: String?

    package init(
        id: String, tool: String, owner: String? = nil, title: String? = nil, label: String? = nil
    ) {
        self.id = id
        self.tool = tool
        self.owner = owner
        self.title = title
        self.label = label
    }
}

/// Result of a tool call.
package struct RunResult: Equatable, Sendable {
    /// The id of the message that it is.
    package var id: String
    package var call: String
    /// A text; where it `hasParts`, a JSON list of parts.
    package var content: String
    package var hasParts: Bool
    package var hasFailed: Bool

    package init(
        id: String, call: String, content: String, hasParts: Bool = false, hasFailed: Bool = false
    ) {
        self.id = id
        self.call = call
        self.content = content
        self.hasParts = hasParts
        self.hasFailed = hasFailed
    }
}

/// Something that a person has to decide before the agent goes on.
package struct RunAsk: Equatable, Sendable {
    package var id: String
    /// Its name in fixtures.
    package var name: String
    /// Reason of the interrupt: `tool_call`, `input_required`, `confirmation`.
    package var reason: String
    package var message: String?
    package var call: String?
    /// JSON: the schema of the answer.
    package var schema: String?
    package var expires: Instant?
    /// The choices, for clients without runs.
    package var choices: [RunChoice]

    package init(
        id: String, name: String = "", reason: String, message: String? = nil, call: String? = nil,
        schema: String? = nil, expires: Instant? = nil, choices: [RunChoice] = []
    ) {
        self.id = id
        self.name = name
        self.reason = reason
        self.message = message
        self.call = call
        self.schema = schema
        self.expires = expires
        self.choices = choices
    }
}

/// One of the decisions on a ``RunAsk``, in words.
package struct RunChoice: Equatable, Sendable {
    package var text: String
    /// What it answers.
    package var parts: [String: String]
    /// The answer is a refusal.
    package var cancels: Bool

    package init(text: String, parts: [String: String] = [:], cancels: Bool = false) {
        self.text = text
        self.parts = parts
        self.cancels = cancels
    }
}

/// Outcome of a run that did not fail.
package struct RunEnd: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Calls that the client has to answer.
        case done(pending: [String])
        case asks([RunAsk])
        case cancelled
        /// The script wrote out all that is told: nothing more is.
        case cut
    }

    package var outcome: Outcome
    /// JSON; nil: nothing.
    package var result: String?
    /// JSON: what it has cost.
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

/// One event with the instant at which it happened.
package struct RunEntry: Equatable, Sendable {
    package var time: Instant
    package var event: AgentEvent
    /// Its number in its run, from 1.
    package var number: UInt32
    /// Number of journal entries before it.
    package var behind: UInt32

    /// The event after `count` others of its run.
    init(_ event: AgentEvent, _ count: Int, behind: Int, at now: Instant) {
        time = now
        self.event = event
        number = UInt32(clamping: count + 1)
        self.behind = UInt32(clamping: behind)
    }
}
