package import Clocks
package import Matching

/// Settings of the runs of a script.
package struct RunSettings: Equatable, Sendable {
    package enum IDs: String, CaseIterable, Sendable {
        /// Prefix and digits of the seed: `call_631f6d79d9dba3e5`.
        case seeded
        /// `call-1`, `call-2`.
        case counted
        case uuid
    }

    package var ids = IDs.seeded
    /// Events have timestamps.
    package var stamps = false
    /// The first event echoes the request.
    package var echoes = false
    /// JSON for the first event.
    package var metadata: String?
    /// Initial state of a thread: JSON, and its values by path.
    package var state: String?
    package var statePaths: [String: String] = [:]
    /// Whether runs continue after their client disconnects.
    package var outlivesClients = false
    /// Profile for all clients, named by the protocol; nil: as requested.
    package var profile: String?
    /// Ignores decisions on unknown questions; nil: as requested.
    package var toleratesStrangeDecisions: Bool?
    /// Checks order; nil if no step can violate it.
    package var order: RunOrderFactory?

    package init() {}
}

/// A tool of the agent, with its results by arguments.
package struct Tool: Equatable, Sendable {
    /// Result if the conditions hold; arguments are `args.city`.
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
    /// A client tool: calls wait for an answer.
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

/// Outcome of a call.
package enum ToolOutcome: Equatable, Sendable {
    /// Text.
    case says(Template)
    /// JSON text.
    case gives(Template)
    /// JSON list of parts.
    case parts(Template)
    /// Failure with a text.
    case fails(Template)
    /// No result.
    case nothing
}

/// Call in a script.
package struct ScriptedCall: Equatable, Sendable {
    /// Index into ``Script/tools``.
    package var tool: Int
    package var id: Template?
    /// Arguments; placeholders are escaped if `isJSON`.
    package var arguments: Template
    package var isJSON: Bool
    /// Argument values for conditions.
    package var parts: [String: Template]
    /// Chunks of the arguments; nil for one.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// Outcome instead of the tool's.
    package var outcome: ToolOutcome?
    package var takes: Interval?
    package var owner = Owner.own

    /// Message of a call.
    package enum Owner: Equatable, Sendable {
        /// The current message.
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

/// Order of parallel calls.
package struct CallOrder: Equatable, Sendable {
    /// Interleaves argument chunks.
    package var interleaves: Bool
    /// Result order; nil: as called.
    package var results: [Int]?
    /// Sorts results by duration.
    package var byTime: Bool

    package init(interleaves: Bool = false, results: [Int]? = nil, byTime: Bool = false) {
        self.interleaves = interleaves
        self.results = results
        self.byTime = byTime
    }
}

/// Reasoning before a reply: a span with a message per text.
package struct Reasoning: Equatable, Sendable {
    package var texts: [Template]
    /// Exact chunks of a single text; nil: by ``cut``.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// Encrypted value of the last message.
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

/// Question to a person (interrupt).
package struct ScriptedAsk: Equatable, Sendable {
    package var name: String
    package var id: Template?
    package var reason: String
    package var message: Template?
    /// Tool of the last call in question; index into ``Script/tools``.
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

/// A step of runs. `value` is JSON with placeholders.
package indirect enum RunStep: Equatable, Sendable {
    case stepStarted(String)
    case stepFinished(String)
    case reason(Reasoning)
    case call([ScriptedCall], CallOrder)
    /// Result of a tool's last open call.
    case result(tool: Int, ToolOutcome)
    case state(value: Template, asPatch: Bool)
    case subagentStarted(name: String, about: Template?, id: Template?)
    /// Ends the last open subagent of a name; failed with an error.
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
    /// Expectation of the request; fails the run if `isRequired`.
    case expects([Condition], isRequired: Bool)
    case fail(Template, code: String?)
    case cancel
    /// A complete event, unchanged if `isUnchecked`, the last if `endsRun`.
    case event(value: Template, isUnchecked: Bool, endsRun: Bool)
    /// Recorded events at one instant.
    case recorded([AgentEvent])
}

/// Client answer for a rule.
package enum AnswerKind: Equatable, Sendable {
    case tool(Int)
    case ask(String)
}
