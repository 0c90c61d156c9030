package import Clocks
package import Matching

/// Settings of the runs of a script.
package struct RunSettings: Equatable, Sendable {
    package enum IDs: String, CaseIterable, Sendable {
        /// A prefix and digits of the seed: `call_631f6d79d9dba3e5`.
        case seeded
        /// `call-1`, `call-2`.
        case counted
        case uuid
    }

    package var ids = IDs.seeded
    /// Each event says when it happened.
    package var stamps = false
    /// The first event gives the request back.
    package var echoes = false
    /// JSON, on the first event.
    package var metadata: String?
    /// The state of a thread whose first request brings none: JSON, and its values by their paths.
    package var state: String?
    package var statePaths: [String: String] = [:]
    /// A run whose client has left goes on.
    package var outlivesClients = false
    /// What all clients are told as, by the name that their protocol has for it; nil: as each asks.
    package var profile: String?
    /// Decisions on what the agent did not ask are passed over; nil: as each client asks.
    package var toleratesStrangeDecisions: Bool?
    /// Watches their order; nil where no step could break it.
    package var order: RunOrderFactory?

    package init() {}
}

/// A tool of the agent, declared once: what its calls look like, and what it gives back to which arguments.
package struct Tool: Equatable, Sendable {
    /// Its result when the conditions hold; they name arguments as `args.city`.
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
    /// The client has it: its calls wait for an answer.
    package var isOfClient: Bool
    /// Duration of the call.
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
    /// Words as they are.
    case says(Template)
    /// JSON as a text.
    case gives(Template)
    /// A JSON list of parts.
    case parts(Template)
    /// Failure; the text is the result.
    case fails(Template)
    /// Nothing ever comes.
    case nothing
}

/// A call as a script has it.
package struct ScriptedCall: Equatable, Sendable {
    /// Index into ``Script/tools``.
    package var tool: Int
    package var id: Template?
    /// The text of the arguments; its gaps are escaped where `isJSON`.
    package var arguments: Template
    package var isJSON: Bool
    /// Values of the arguments for conditions.
    package var parts: [String: Template]
    /// Chunking of the arguments; nil for one piece.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// The outcome in place of the tool's own.
    package var outcome: ToolOutcome?
    package var takes: Interval?
    package var owner = Owner.own

    /// The message that holds a call.
    package enum Owner: Equatable, Sendable {
        /// That of the model's turn.
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

/// Order of the calls of one step.
package struct CallOrder: Equatable, Sendable {
    /// Fragments of the arguments take turns.
    package var interleaves: Bool
    /// Results in this order of the calls; nil: as called.
    package var results: [Int]?
    /// The result that takes the least time comes first.
    package var byTime: Bool

    package init(interleaves: Bool = false, results: [Int]? = nil, byTime: Bool = false) {
        self.interleaves = interleaves
        self.results = results
        self.byTime = byTime
    }
}

/// Reasoning before a reply: each text is a message of one span.
package struct Reasoning: Equatable, Sendable {
    package var texts: [Template]
    /// Exact chunks of a single text; nil cuts by ``cut``.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    /// Belongs to the last message.
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

/// Question to a person (an interrupt).
package struct ScriptedAsk: Equatable, Sendable {
    package var name: String
    package var id: Template?
    package var reason: String
    package var message: Template?
    /// The tool whose last call it is about; index into ``Script/tools``.
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

/// A step that only runs have words for. Texts called `value` are JSON with gaps.
package indirect enum RunStep: Equatable, Sendable {
    case stepStarted(String)
    case stepFinished(String)
    case reason(Reasoning)
    case call([ScriptedCall], CallOrder)
    /// The result of the last open call of a tool.
    case result(tool: Int, ToolOutcome)
    /// `asPatch`: sent as a patch.
    case state(value: Template, asPatch: Bool)
    case subagentStarted(name: String, about: Template?, id: Template?)
    /// The last open one of the name; with an error it has failed.
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
    /// Expectation of the request; the run fails where it `isRequired`.
    case expects([Condition], isRequired: Bool)
    case fail(Template, code: String?)
    case cancel
    /// A whole event; as it stands where it `isFault`. One that `endsRun` is the last.
    case event(value: Template, isFault: Bool, endsRun: Bool)
    /// All of these, one after the other at one instant: a recorded run.
    case recorded([AgentEvent])
}

/// Client answer that a rule matches: a tool's result, or a decision.
package enum AnswerKind: Equatable, Sendable {
    case tool(Int)
    case ask(String)
}
