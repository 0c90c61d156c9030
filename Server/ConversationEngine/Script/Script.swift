package import Clocks
package import Matching

/// A compiled fixture, which defines the behaviour of an agent. Immutable. Stages and handoffs are referenced by index.
package struct Script: Equatable, Sendable {
    /// The name for selection, such as `booking`.
    package var name: String
    /// The title, and a description in one line.
    package var title: String
    package var about: String
    /// The file name for reports; empty for a script that was created in code.
    package var file: String
    package var agent: SpeakerProfile
    package var session: SessionSettings
    package var seed: UInt64?
    /// Seconds by which local time is ahead of UTC, for `{now}` and time conditions.
    package var zone: Int
    package var values: [String: String]
    /// The slots in the order of the file, with their initial values.
    package var memory: [MemorySlot]
    package var pace: Pace
    package var paces: [String: Pace]
    package var greeting: [Step]
    package var greetingPlace = SourcePlace()
    /// The index of the first stage in ``stages``; 0 if there are none.
    package var begin: Int
    package var stages: [Stage]
    package var anywhere: [Rule]
    package var otherwise: [Rule]
    package var handoffs: [Handoff]
    package var faults: [Fault]
    package var tools: [Tool] = []
    package var runs = RunSettings()
    /// Whether the script has run steps. If true, each reply is a run.
    package var hasRuns = false
    /// Whether the script sends receipts itself. If true, no receipts are sent automatically.
    package var hasReceipts = false
    /// Whether the script writes the start and end events of runs itself.
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

/// The settings in a fixture's `session` block. A setting that is nil has the server's value.
package struct SessionSettings: Equatable, Sendable {
    package var streaming: Bool?
    package var tokenLife: Interval?
    package var idle: Interval?
    package var connections: Int?
    package var heartbeat: Interval?
    /// Whether the greeting in a client's join replaces the script's greeting.
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

/// A rule. It applies if `hears` matches, the `conditions` hold, and `limit` is not reached. Its `steps` are then
/// played, and `then` becomes the current stage.
package struct Rule: Equatable, Sendable {
    package var name: String?
    package var place: SourcePlace
    /// Nil in `otherwise`, whose rules match any message.
    package var hears: Hears?
    /// The kind of client input that the rule matches instead of a text; nil for a rule that matches texts.
    package var answers: AnswerKind?
    package var hearsPlace: SourcePlace
    package var conditions: [Condition]
    /// Maximum number of uses per session; nil means unlimited.
    package var limit: Int?
    package var steps: [Step]
    /// The index of the next stage in ``Script/stages``.
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
    /// Thinking or typing without a message.
    case think(Interval)
    case wait(Interval)
    case remember([MemoryChange])
    case forget([String])
    /// An index in ``Script/handoffs``.
    case handoff(Int)
    /// Replaces the current live agent by the live agent of another handoff, an index in ``Script/handoffs``.
    case transfer(Int)
    case receipt(isRead: Bool)
    case change(ChangeStep)
    case presence(LiveAgentStatus)
    /// The live agent leaves and the session ends.
    case leave(reason: String?)
    /// The live agent leaves. The agent continues after the remaining steps.
    case giveBack(reason: String?)
    case end(EndReason)
    case system(NoticeLevel, NoticeWords)
    case language(String)
    /// Any event; `payload` is a JSON object.
    case emit(type: String, payload: String)
    /// An index in ``Script/faults``.
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
    /// The pace of the message; nil means the pace of the session or script.
    package var pace: Pace?
    /// The exact chunks of a streamed reply; nil means that ``cut`` sets the chunk size. ``texts`` contains the whole
    /// text in both cases.
    package var chunks: [Template]?
    /// The chunk size of a streamed reply; nil means the chunk size of the pace.
    package var cut: ChunkSize?
    /// The id of the message; nil means a generated id.
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

/// The size of the chunks of a streamed reply.
package struct ChunkSize: Equatable, Sendable {
    package var count: Int
    package var unit: Pace.Unit

    package init(count: Int = 1, unit: Pace.Unit) {
        self.count = count
        self.unit = unit
    }
}

/// The typing and streaming speed of a speaker.
package struct Pace: Equatable, Sendable {
    /// Fixtures and connector tokens use the raw values.
    package enum Unit: String, CaseIterable, Sendable {
        case words
        case characters
        /// Up to four characters of a word.
        case tokens
        case sentences
        /// Lines. Each chunk begins with the line break before its line: a space that a client puts between two chunks
        /// is then at the end of a line, where it is invisible.
        case lines
        case whole
    }

    package var think: Interval
    package var chunkSize: Int
    package var chunkUnit: Unit
    /// The time between chunks.
    package var every: Interval
    /// Maximum random variation of pauses as a fraction of the pause (0 to 1). The session's seed determines the random
    /// numbers.
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
    /// No pauses: chunks of three words without delay.
    package static let instant = Pace(think: .zero, every: .zero)
}

package struct Handoff: Equatable, Sendable {
    package enum Mode: Equatable, Sendable {
        case server
        /// The client routes the user itself.
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
    /// The steps after the live agent has joined.
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
    /// The queue positions in the order in which they are sent; 1 is the front. A position may be higher than the
    /// position before it.
    package var positions: [Int]
    package var every: Interval
    /// The estimated wait per position; nil means that no estimate is sent.
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
