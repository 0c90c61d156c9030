package import Clocks
package import Matching

package struct RunSettings: Equatable, Sendable {
    package enum IDs: String, CaseIterable, Sendable {
        /// A prefix and seeded random digits, such as `call_631f6d79d9dba3e5`.
        case seeded
        /// A prefix and a number, such as `call-1`, `call-2`.
        case counted
        case uuid
    }

    package var ids = IDs.seeded
    /// Whether events have timestamps.
    package var stamps = false
    /// Whether the first event contains the request.
    package var echoes = false
    /// Metadata of the first event, as JSON.
    package var metadata: String?
    /// The initial state of a thread as JSON, and the values in this state by path.
    package var state: String?
    package var statePaths: [String: String] = [:]
    /// Whether runs continue after their client has disconnected.
    package var outlivesClients = false
    /// The name of the protocol version that all clients get; nil means that each client gets the version that it
    /// requests.
    package var profile: String?
    /// Whether decisions on unknown interrupts are ignored; nil means that each request decides.
    package var toleratesStrangeDecisions: Bool?
    /// Checks the order of events; nil if no step can violate the order.
    package var order: RunOrderFactory?

    package init() {}
}

/// A tool of the agent, with its results.
package struct Tool: Equatable, Sendable {
    /// A result that applies if the conditions hold. Conditions refer to arguments as `args.city`.
    package struct Row: Equatable, Sendable {
        package var conditions: [Condition]
        package var outcome: ToolOutcome

        package init(conditions: [Condition] = [], outcome: ToolOutcome) {
            self.conditions = conditions
            self.outcome = outcome
        }
    }

    package var name: String
    package var title: String?
    package var label: String?
    /// True for a client tool, whose calls wait for the client's result.
    package var isOfClient: Bool
    package var takes: Interval
    package var rows: [Row]

    package init(
        name: String, title: String? = nil, label: String? = nil, isOfClient: Bool = false,
        takes: Interval = .zero, rows: [Row] = []
    ) {
        self.name = name
        self.title = title
        self.label = label
        self.isOfClient = isOfClient
        self.takes = takes
        self.rows = rows
    }
}

/// The outcome of a tool call.
package enum ToolOutcome: Equatable, Sendable {
    case says(Template)
    /// A JSON value.
    case gives(Template)
    /// A JSON list of parts.
    case parts(Template)
    case fails(Template)
    /// The call never gets a result.
    case nothing
}

package struct ScriptedCall: Equatable, Sendable {
    /// The index in ``Script/tools``.
    package var tool: Int
    package var id: Template?
    /// The arguments. If `isJSON`, values of placeholders are escaped.
    package var arguments: Template
    package var isJSON: Bool
    /// The values of the arguments for conditions.
    package var parts: [String: Template]
    /// The exact chunks of the arguments; nil means that ``cut`` sets the chunk size.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// The outcome, which replaces the tool's.
    package var outcome: ToolOutcome?
    package var takes: Interval?
    package var owner = Owner.own

    /// The message to which a call belongs.
    package enum Owner: Equatable, Sendable {
        /// The agent's current message.
        case own
        case none
        case message(Template)
    }

    package init(
        tool: Int, id: Template? = nil, arguments: Template, isJSON: Bool = true,
        parts: [String: Template] = [:], pieces: [Template]? = nil, cut: ChunkSize? = nil,
        every: Interval = .zero, outcome: ToolOutcome? = nil, takes: Interval? = nil
    ) {
        self.tool = tool
        self.id = id
        self.arguments = arguments
        self.isJSON = isJSON
        self.parts = parts
        self.pieces = pieces
        self.cut = cut
        self.every = every
        self.outcome = outcome
        self.takes = takes
    }
}

/// The order of parallel calls.
package struct CallOrder: Equatable, Sendable {
    /// Whether the argument chunks of several calls are interleaved.
    package var interleaves: Bool
    /// The order of the results by index; nil means the order of the calls.
    package var results: [Int]?
    /// Whether results are sorted by duration.
    package var byTime: Bool

    package init(interleaves: Bool = false, results: [Int]? = nil, byTime: Bool = false) {
        self.interleaves = interleaves
        self.results = results
        self.byTime = byTime
    }
}

/// Reasoning before a reply, with one reasoning message per text.
package struct Reasoning: Equatable, Sendable {
    package var texts: [Template]
    /// The exact chunks of a single text; nil means that ``cut`` sets the chunk size.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// The encrypted value of the last reasoning message.
    package var sealed: String?

    package init(
        _ texts: [Template], pieces: [Template]? = nil, cut: ChunkSize? = nil, every: Interval = .zero,
        sealed: String? = nil
    ) {
        self.texts = texts
        self.pieces = pieces
        self.cut = cut
        self.every = every
        self.sealed = sealed
    }
}

/// A question to the user (an interrupt).
package struct ScriptedAsk: Equatable, Sendable {
    package var name: String
    package var id: Template?
    package var reason: String
    package var message: Template?
    /// The index in ``Script/tools`` of the tool that the question is about. The question refers to the tool's last
    /// call.
    package var tool: Int?
    package var schema: String?
    package var expires: Interval?
    package var choices: [RunChoice]

    package init(
        name: String, id: Template? = nil, reason: String = "confirmation", message: Template? = nil,
        tool: Int? = nil, schema: String? = nil, expires: Interval? = nil, choices: [RunChoice] = []
    ) {
        self.name = name
        self.id = id
        self.reason = reason
        self.message = message
        self.tool = tool
        self.schema = schema
        self.expires = expires
        self.choices = choices
    }
}

/// A run step. `value` is JSON with placeholders.
package indirect enum RunStep: Equatable, Sendable {
    case stepStarted(String)
    case stepFinished(String)
    case reason(Reasoning)
    case call([ScriptedCall], CallOrder)
    /// The result of the tool's last open call.
    case result(tool: Int, ToolOutcome)
    case state(value: Template, asPatch: Bool)
    case subagentStarted(name: String, about: Template?, id: Template?)
    /// Ends the last open subagent with this name. With `error`, the subagent has failed.
    case subagentEnded(name: String, result: Template?, error: Template?)
    case patch(value: Template)
    case messages
    case activity(id: String, type: String, content: Template, replaces: Bool?)
    case activityPatch(id: String, type: String, patch: Template)
    case card(id: String?, value: Template, label: String?)
    case custom(name: String, value: Template)
    case raw(value: Template, source: String?)
    case ask([ScriptedAsk])
    case returns(value: Template)
    case usage(value: String)
    /// Conditions that the request should meet. If `isRequired` and a condition does not hold, the run fails.
    case expects([Condition], isRequired: Bool)
    case fail(Template, code: String?)
    case cancel
    /// A complete event. If `isUnchecked`, the event is sent without changes. If `endsRun`, the event is the last event
    /// of the run.
    case event(value: Template, isUnchecked: Bool, endsRun: Bool)
    /// Recorded events without pauses.
    case recorded([AgentEvent])
}

/// The kind of client input, other than text, that a rule matches.
package enum AnswerKind: Equatable, Sendable {
    case tool(Int)
    case ask(String)
    /// A file whose media type matches a pattern, such as `image/*`; `*` matches any file.
    case file(String)
    /// A reaction of the user, such as `👍`; `*` matches any reaction.
    case reaction(String)
}
