package import Clocks
package import Matching

/// Compiled fixture: the behaviour of an agent.
package struct Script: Equatable, Sendable {
    /// Name for selection, such as `booking`.
    package var name: String
    package var title: String
    package var about: String
    /// File name for reports; empty for a script from code.
    package var file: String
    package var agent: SpeakerProfile
    package var session: SessionSettings
    package var seed: UInt64?
    /// Seconds by which local time is ahead of UTC.
    package var zone: Int
    package var values: [String: String]
    /// Slots in the order of the file, with initial values.
    package var memory: [MemorySlot]
    package var pace: Pace
    package var paces: [String: Pace]
    package var greeting: [Step]
    package var greetingPlace = SourcePlace()
    /// Index in ``stages`` of the stage in which a session begins; 0 if there are none.
    package var begin: Int
    package var stages: [Stage]
    package var anywhere: [Rule]
    package var otherwise: [Rule]
    package var handoffs: [Handoff]
    package var faults: [Fault]
    package var tools: [Tool] = []
    package var runs = RunSettings()
    /// Whether the script has run steps.
    package var hasRuns = false
    /// Whether the script sends receipts.
    package var hasReceipts = false
    /// Whether the script writes the start and end events of runs.
    package var writesBoundaries = false

    package init(
        name: String, title: String = "", about: String = "", file: String = "",
        agent: SpeakerProfile = SpeakerProfile(name: "Poly"), session: SessionSettings = SessionSettings(),
        seed: UInt64? = nil,
        zone: Int = 0, values: [String: String] = [:], memory: [MemorySlot] = [], pace: Pace = .natural,
        paces: [String: Pace] = [:], greeting: [Step] = [], begin: Int = 0, stages: [Stage] = [],
        anywhere: [Rule] = [], otherwise: [Rule] = [], handoffs: [Handoff] = [], faults: [Fault] = []
    ) {
        self.name = name
        self.title = title
        self.about = about
        self.file = file
        self.agent = agent
        self.session = session
        self.seed = seed
        self.zone = zone
        self.values = values
        self.memory = memory
        self.pace = pace
        self.paces = paces
        self.greeting = greeting
        self.begin = begin
        self.stages = stages
        self.anywhere = anywhere
        self.otherwise = otherwise
        self.handoffs = handoffs
        self.faults = faults
    }
}

extension Script {
    /// The steps of all replies, one list for each.
    package var stepLists: [[Step]] {
        let rules = stages.flatMap(\.rules) + anywhere + otherwise
        let later = handoffs.flatMap { [$0.opens] + ($0.rules + $0.otherwise).map(\.steps) }
        return [greeting] + rules.map(\.steps) + later
    }
}

/// Settings of a fixture's `session` block. Nil means the server's value.
package struct SessionSettings: Equatable, Sendable {
    package var streaming: Bool?
    package var tokenLife: Interval?
    package var idle: Interval?
    package var connections: Int?
    package var heartbeat: Interval?
    /// Whether the greeting of a join replaces the script's greeting.
    package var greetingMessage: Bool?

    package init(
        streaming: Bool? = nil, tokenLife: Interval? = nil, idle: Interval? = nil, connections: Int? = nil,
        heartbeat: Interval? = nil
    ) {
        self.streaming = streaming
        self.tokenLife = tokenLife
        self.idle = idle
        self.connections = connections
        self.heartbeat = heartbeat
    }
}

package struct MemorySlot: Equatable, Sendable {
    package var name: String
    package var initial: String?

    package init(name: String, initial: String? = nil) {
        self.name = name
        self.initial = initial
    }
}

package struct Stage: Equatable, Sendable {
    package var name: String
    package var rules: [Rule]

    package init(name: String, rules: [Rule]) {
        self.name = name
        self.rules = rules
    }
}

/// Rule that applies if `hears` matches, the `conditions` hold, and `limit` is not reached.
package struct Rule: Equatable, Sendable {
    package var name: String?
    package var place: SourcePlace
    /// Nil in `otherwise`, and for rules with ``answers``.
    package var hears: Hears?
    /// Input other than text that the rule matches; nil for rules for texts.
    package var answers: AnswerKind?
    package var hearsPlace: SourcePlace
    package var conditions: [Condition]
    package var limit: Int?
    package var steps: [Step]
    package var then: Int?

    package init(
        name: String? = nil, place: SourcePlace = SourcePlace(), hears: Hears? = nil,
        hearsPlace: SourcePlace = SourcePlace(), conditions: [Condition] = [], limit: Int? = nil,
        steps: [Step], then: Int? = nil
    ) {
        self.name = name
        self.place = place
        self.hears = hears
        self.hearsPlace = hearsPlace
        self.conditions = conditions
        self.limit = limit
        self.steps = steps
        self.then = then
    }
}

package struct Step: Equatable, Sendable {
    package var verb: Verb
    package var place: SourcePlace

    package init(_ verb: Verb, place: SourcePlace = SourcePlace()) {
        self.verb = verb
        self.place = place
    }
}

/// The action of a step (fixtures/README.md#steps-one-verb-each).
package enum Verb: Equatable, Sendable {
    case say(SayStep)
    /// Shows that the agent is thinking, or that the live agent is typing.
    case think(Interval)
    case wait(Interval)
    case remember([MemoryChange])
    case forget([String])
    /// An index in ``Script/handoffs``.
    case handoff(Int)
    /// Replaces the current live agent by that of another handoff, an index in ``Script/handoffs``.
    case transfer(Int)
    case receipt(isRead: Bool)
    case change(ChangeStep)
    case presence(LiveAgentStatus)
    /// The live agent leaves and the session ends.
    case leave(reason: String?)
    /// The live agent leaves, and the agent answers again.
    case giveBack(reason: String?)
    case end(EndReason)
    case system(NoticeLevel, NoticeWords)
    case language(String)
    /// Any event; `payload` is a JSON object.
    case emit(type: String, payload: String)
    case fault(Int)
    case run(RunStep)
}

package struct MemoryChange: Equatable, Sendable {
    package var slot: String
    package var value: Template

    package init(slot: String, value: Template) {
        self.slot = slot
        self.value = value
    }
}

package enum NoticeWords: Equatable, Sendable {
    case known(KnownProblem)
    case template(Template)
}

package struct SayStep: Equatable, Sendable {
    /// At least one text. Several texts alternate.
    package var texts: [Template]
    package var parts: PartTemplates
    package var pace: Pace?
    /// Exact chunks of a streamed reply; nil for the chunk size ``cut``.
    package var chunks: [Template]?
    /// Chunk size of a streamed reply; nil for the chunk size of the pace.
    package var cut: ChunkSize?
    package var id: Template?

    package init(
        texts: [Template], parts: PartTemplates = PartTemplates(), pace: Pace? = nil,
        chunks: [Template]? = nil, cut: ChunkSize? = nil
    ) {
        self.texts = texts
        self.parts = parts
        self.pace = pace
        self.chunks = chunks
        self.cut = cut
    }
}

package struct ChunkSize: Equatable, Sendable {
    package var count: Int
    package var unit: Pace.Unit

    package init(count: Int = 1, unit: Pace.Unit) {
        self.count = count
        self.unit = unit
    }
}

package struct Pace: Equatable, Sendable {
    /// Fixtures and connector tokens use the raw values.
    package enum Unit: String, CaseIterable, Sendable {
        case words
        case characters
        /// Up to four characters of a word.
        case tokens
        case sentences
        /// Each chunk begins with the line break before its line.
        case lines
        case whole
    }

    package var think: Interval
    package var chunkSize: Int
    package var chunkUnit: Unit
    package var every: Interval
    /// Maximum random variation of pauses as a fraction (0 to 1), from the session's seed.
    package var jitter: Double

    package init(
        think: Interval, chunkSize: Int = 3, chunkUnit: Unit = .words, every: Interval, jitter: Double = 0
    ) {
        self.think = think
        self.chunkSize = chunkSize
        self.chunkUnit = chunkUnit
        self.every = every
        self.jitter = jitter
    }

    /// The default of fixtures.
    package static let natural = Pace(
        think: .milliseconds(600), chunkSize: 3, every: .milliseconds(90), jitter: 0.2)
    /// Chunks of three words without delay.
    package static let instant = Pace(think: .zero, every: .zero)
}

package struct Handoff: Equatable, Sendable {
    package enum Mode: Equatable, Sendable {
        case server
        case client(reason: String?, route: String?)
    }

    package enum Outcome: Equatable, Sendable {
        case joins
        case fails(reason: String?)
        case timesOut(reason: String?)
    }

    package var name: String
    package var place: SourcePlace
    package var mode: Mode
    package var queue: QueuePlan?
    package var outcome: Outcome
    package var liveAgent: SpeakerProfile
    package var opens: [Step]
    package var rules: [Rule]
    package var otherwise: [Rule]

    package init(
        name: String, place: SourcePlace = SourcePlace(), mode: Mode = .server, queue: QueuePlan? = nil,
        outcome: Outcome = .joins,
        liveAgent: SpeakerProfile = SpeakerProfile(id: "person-1", name: "A person"),
        opens: [Step] = [], rules: [Rule] = [], otherwise: [Rule] = []
    ) {
        self.name = name
        self.place = place
        self.mode = mode
        self.queue = queue
        self.outcome = outcome
        self.liveAgent = liveAgent
        self.opens = opens
        self.rules = rules
        self.otherwise = otherwise
    }
}

package struct QueuePlan: Equatable, Sendable {
    package var name: String?
    /// Queue positions in sending order; 1 is the front.
    package var positions: [Int]
    package var every: Interval
    /// Estimated wait per position; nil sends no estimate.
    package var waitPerPlace: Interval?

    package init(
        name: String? = nil, positions: [Int] = [], every: Interval = .seconds(5),
        waitPerPlace: Interval? = nil
    ) {
        self.name = name
        self.positions = positions
        self.every = every
        self.waitPerPlace = waitPerPlace
    }
}
