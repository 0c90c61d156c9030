package import Clocks

/// Event of an agent run, independent of the protocol.
package enum AgentEvent: Equatable, Sendable {
    case started
    case stepStarted(String)
    case stepFinished(String)
    /// `name` is the speaker; nil for the agent.
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
    /// The new state, to be sent as a patch.
    case stateTarget(value: String)
    /// Starts a subagent, to which the following events belong.
    indirect case subagentStarted(RunSubagent)
    /// Ends a subagent. With `asks`, the subagent waits for decisions on these interrupts, or for client tools if the
    /// list is empty.
    indirect case subagentEnded(id: String, result: String?, error: String?, asks: [String]? = nil)
    /// All messages of the thread.
    case messages
    /// All messages of the thread, with `value` in place of those that the run has sent.
    indirect case runMessages(value: String)
    /// `replaces`: nil means true.
    indirect case activity(id: String, type: String, content: String, replaces: Bool?)
    indirect case activityChanged(id: String, type: String, patch: String)
    indirect case card(id: String, message: String?, value: String, label: String?)
    indirect case suggestions(message: String, [Suggestion])
    indirect case custom(name: String, value: String)
    indirect case raw(value: String, source: String?)
    /// A scripted event, sent without changes if `isUnchecked`.
    indirect case written(value: String, isUnchecked: Bool)
    indirect case finished(RunEnd)
    indirect case failed(RunFailure)

    /// Whether the event is the last of a run.
    package var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }

    package var isFailure: Bool { if case .failed = self { true } else { false } }

    var textBytes: Int {
        switch self {
        case .started, .messages, .finished, .failed, .subagentStarted, .suggestions: 0
        case .stepStarted(let text), .stepFinished(let text), .textDelta(_, let text),
            .callDelta(_, let text),
            .reasoningDelta(_, let text), .sealed(_, _, let text), .state(let text), .stateChanged(let text),
            .stateTarget(let text), .activity(_, _, let text, _), .activityChanged(_, _, let text),
            .card(_, _, let text, _), .custom(_, let text), .raw(let text, _), .written(let text, _),
            .runMessages(let text),
            .textStarted(let text, _, _), .textEnded(let text), .callEnded(let text),
            .reasoningStarted(let text), .reasoningTextStarted(let text), .reasoningTextEnded(let text),
            .reasoningEnded(let text), .subagentEnded(let text, _, _, _):
            text.utf8.count
        case .callStarted(let call): call.tool.utf8.count
        case .callResult(let result): result.content.utf8.count
        }
    }

    /// Whether encoding needs earlier events (``RunLog/before(_:of:)``).
    package var buildsOnLog: Bool {
        switch self {
        case .messages, .runMessages, .stateTarget: true
        default: false
        }
    }
}

package struct RunSubagent: Equatable, Sendable {
    package var id: String
    package var name: String
    package var about: String?
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
    package var owner: String?
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

package struct RunResult: Equatable, Sendable {
    package var id: String
    package var call: String
    package var content: String
    package var hasParts = false
    package var hasFailed = false
}

/// Interrupt: a decision that the user has to make.
package struct RunAsk: Equatable, Sendable {
    package var id: String
    package var name = ""
    /// Reason of the interrupt, such as `confirmation`.
    package var reason: String
    package var message: String?
    package var call: String?
    package var schema: String?
    package var expires: Instant?
    package var metadata: String?
    package var choices: [RunChoice] = []
}

/// Choice of a ``RunAsk``, for clients of protocols without runs.
package struct RunChoice: Equatable, Sendable {
    package var text: String
    package var parts: [String: String]
    /// Whether the choice cancels the interrupt instead of resolving it.
    package var cancels: Bool

    package init(text: String, parts: [String: String] = [:], cancels: Bool = false) {
        self.text = text
        self.parts = parts
        self.cancels = cancels
    }
}

/// End of a run that did not fail.
package struct RunEnd: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case done(pending: [String])
        case asks([RunAsk])
        case cancelled
        /// The engine sends no end event, because the script writes its own.
        case cut
    }

    package var outcome: Outcome
    package var result: String?
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
    package var number: UInt32
    package var precedingCount: UInt32

    /// Creates the entry of an event. `count` is the number of earlier events in its run.
    init(_ event: AgentEvent, _ count: Int, precedingCount: Int, at now: Instant) {
        time = now
        self.event = event
        number = UInt32(clamping: count + 1)
        self.precedingCount = UInt32(clamping: precedingCount)
    }
}
