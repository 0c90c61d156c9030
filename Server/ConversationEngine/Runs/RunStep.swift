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
    package var echoes = false
    package var metadata: String?
    /// Initial state of a thread as JSON, and its values by path.
    package var state: String?
    package var statePaths: [String: String] = [:]
    /// Whether runs continue after their client has disconnected.
    package var outlivesClients = false
    /// Protocol version for all clients; nil if the fixture sets none.
    package var profile: String?
    /// Whether decisions on unknown interrupts are ignored; nil leaves it to each request.
    package var toleratesStrangeDecisions: Bool?
    /// Checker of the order of events; nil if the order is not checked.
    package var order: RunOrderFactory?

    package init() {}
}

package struct Tool: Equatable, Sendable {
    /// Result of a call if the conditions hold.
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
    /// Whether the client has the tool.
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

package enum ToolOutcome: Equatable, Sendable {
    case says(Template)
    case gives(Template)
    case parts(Template)
    case fails(Template)
    /// The call gives no result.
    case nothing
}

package struct ScriptedCall: Equatable, Sendable {
    package var tool: Int
    package var id: Template?
    /// Arguments. With `isJSON`, values of placeholders are escaped.
    package var arguments: Template
    package var isJSON: Bool
    package var parts: [String: Template]
    /// Exact chunks of the arguments; nil for the chunk size ``cut``.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    package var outcome: ToolOutcome?
    package var takes: Interval?
    package var owner = Owner.own

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

package struct CallOrder: Equatable, Sendable {
    package var interleaves: Bool
    /// Order of the results by index; nil for the order of the calls.
    package var results: [Int]?
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
    /// Exact chunks of a single text; nil for the chunk size ``cut``.
    package var pieces: [Template]?
    package var cut: ChunkSize?
    package var every: Interval
    package var sealed: String?
    /// Whether the only text has the id of the whole reasoning.
    package var sharesID = false

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

/// Question to the user (an interrupt).
package struct ScriptedAsk: Equatable, Sendable {
    package var name: String
    package var id: Template?
    package var reason: String
    package var message: Template?
    /// Index in ``Script/tools`` of the tool whose last call the question is about.
    package var tool: Int?
    package var schema: String?
    package var expires: Interval?
    package var metadata: Template?
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
    /// Ends the last open subagent with this name.
    case subagentEnded(name: String, result: Template?, error: Template?)
    case patch(value: Template)
    /// `own`: the messages of this run; nil means those that it has sent.
    case messages(own: Template?)
    /// Ends the run and waits for the client's results of the last open calls of these tools.
    case awaits(tools: [Int])
    case activity(id: Template, type: String, content: Template, replaces: Bool?)
    case activityPatch(id: Template, type: String, patch: Template)
    case card(id: String?, value: Template, label: String?)
    case custom(name: String, value: Template)
    case raw(value: Template, source: String?)
    case ask([ScriptedAsk])
    case returns(value: Template)
    case usage(value: String)
    /// Conditions on the request. If `isRequired`, the run fails when one does not hold.
    case expects([Condition], isRequired: Bool)
    case fail(Template, code: String?)
    case cancel
    /// A complete event. `isUnchecked`: it is sent without changes. `endsRun`: it is the run's end.
    case event(value: Template, isUnchecked: Bool, endsRun: Bool)
    case recorded([AgentEvent])
}

/// The kind of client input, other than text, that a rule matches.
package enum AnswerKind: Equatable, Sendable {
    case tool(Int)
    case ask(String)
    /// A file of a media type such as `image/*`; `*` for any file.
    case file(String)
    /// A reaction of the user, such as `👍`; `*` for any.
    case reaction(String)
}
