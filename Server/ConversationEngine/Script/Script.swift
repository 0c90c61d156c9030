package import Clocks
package import Matching

/// Compiled fixture: the behaviour of an agent. Immutable; sessions share one copy.
///
/// Stages and handoffs are numbered by their place in ``stages`` and ``handoffs``; names are kept for reports.
package struct Script: Equatable, Sendable {
    /// The name it is chosen by, such as `booking`.
    package var name: String
    /// The human title and the one-line description.
    package var title: String
    package var about: String
    /// The file, as shown in reports; empty for scripts made in code.
    package var file: String
    package var agent: SpeakerProfile
    package var session: SessionSettings
    package var seed: UInt64?
    /// Seconds by which the clock of the talk is ahead of UTC, for `{now}` and for conditions on the time of day.
    package var zone: Int
    package var values: [String: String]
    /// All slots in the order of the file, with their initial values.
    package var memory: [MemorySlot]
    package var pace: Pace
    package var paces: [String: Pace]
    package var greeting: [Step]
    package var greetingPlace = SourcePlace()
    /// Index into ``stages``; 0 when there are none.
    package var begin: Int
    package var stages: [Stage]
    package var anywhere: [Rule]
    package var otherwise: [Rule]
    package var handoffs: [Handoff]
    package var troubles: [Trouble]
    package var tools: [Tool] = []
    /// Settings of its runs.
    package var runs = RunSettings()
    /// A step exists in runs alone, so that each reply is a run.
    package var hasRuns = false
    /// A step sends a receipt, so that no automatic ones are sent.
    package var hasReceipts = false
    /// It writes out how its runs begin and end.
    package var writesBoundaries = false

    package init(
        name: String, title: String = "", about: String = "", file: String = "",
        agent: SpeakerProfile = SpeakerProfile(name: "Poly"), session: SessionSettings = SessionSettings(),
        seed: UInt64? = nil,
        zone: Int = 0, values: [String: String] = [:], memory: [MemorySlot] = [], pace: Pace = .natural,
        paces: [String: Pace] = [:], greeting: [Step] = [], begin: Int = 0, stages: [Stage] = [],
        anywhere: [Rule] = [], otherwise: [Rule] = [], handoffs: [Handoff] = [], troubles: [Trouble] = []
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
        self.troubles = troubles
    }
}

/// Optional limits and switches of a fixture's `session` block; nil leaves the server's own setting.
package struct SessionSettings: Equatable, Sendable {
    package var streaming: Bool?
    package var tokenLife: Interval?
    package var idle: Interval?
    package var connections: Int?
    package var heartbeat: Interval?

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

/// When this is heard, and `conditions` hold, and the limit is not spent: do `steps`, go to `then`.
package struct Rule: Equatable, Sendable {
    package var name: String?
    package var place: SourcePlace
    /// nil in `otherwise`, where anything is heard.
    package var hears: Hears?
    /// The kind of client answer that it matches, in place of text.
    package var answers: AnswerKind?
    /// Source position of the `hears` block.
    package var hearsPlace: SourcePlace
    package var conditions: [Condition]
    /// How often the rule may answer in one session; nil means without end.
    package var limit: Int?
    package var steps: [Step]
    /// Index into ``Script/stages``.
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

/// What one step does. Source: fixtures/README.md#steps-one-verb-each.
package enum Verb: Equatable, Sendable {
    case say(SayStep)
    /// Thinking or typing for so long, with no text.
    case think(Interval)
    case wait(Interval)
    /// Slot to new value.
    case remember([MemoryChange])
    case forget([String])
    /// Index into ``Script/handoffs``.
    case handoff(Int)
    /// Index into ``Script/handoffs``: its person takes over from the one who is here.
    case transfer(Int)
    /// The user's last message was delivered, or read.
    case receipt(isRead: Bool)
    case presence(PersonStatus)
    /// The person leaves, and the session ends.
    case leave(reason: String?)
    /// The live agent leaves and the agent answers again; the steps after this one come first.
    case giveBack(reason: String?)
    case end(EndReason)
    case system(NoticeLevel, NoticeWords)
    case language(String)
    /// Any event; `payload` is the text of one JSON object.
    case emit(type: String, payload: String)
    /// Arms a trouble by its index in ``Script/troubles``.
    case trouble(Int)
    /// A step of runs alone.
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

/// Content of a `say` step.
package struct SayStep: Equatable, Sendable {
    /// At least one; several take turns by use and never skip.
    package var texts: [Template]
    package var parts: PartTemplates
    /// nil uses the script's pace, or the pace the session asked for.
    package var pace: Pace?
    /// Exact cuts of a streamed reply; nil cuts by ``cut``. When present, ``texts`` holds the joined text.
    package var chunks: [Template]?
    /// Chunking of a streamed reply; nil uses the pace.
    package var cut: ChunkSize?
    /// The id of the message, in place of one from the seed.
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

/// Chunk size of a streamed reply: a number of units.
package struct ChunkSize: Equatable, Sendable {
    package var count: Int
    package var unit: Pace.Unit

    package init(count: Int = 1, unit: Pace.Unit) {
        self.count = count
        self.unit = unit
    }
}

/// Typing and streaming speed of a speaker.
package struct Pace: Equatable, Sendable {
    /// Fixtures and connector tokens use the same words.
    package enum Unit: String, CaseIterable, Sendable {
        case words
        case characters
        /// Up to four characters of a word.
        case tokens
        case sentences
        /// A line begins with its line break, so that a blank between two of them is not seen.
        case lines
        /// The reply is one chunk, however long it is.
        case whole
    }

    package var think: Interval
    package var chunkSize: Int
    package var chunkUnit: Unit
    /// The time between two chunks.
    package var every: Interval
    /// Each gap is stretched or shrunk by up to this fraction, drawn from the session's seed. 0 to 1.
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
    /// No waiting at all; replies come in chunks of three words at one instant.
    package static let instant = Pace(think: .zero, every: .zero)
}

/// Handoff to a live agent.
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
    package var person: SpeakerProfile
    /// Said on joining.
    package var opens: [Step]
    package var rules: [Rule]
    package var otherwise: [Rule]

    package init(
        name: String, place: SourcePlace = SourcePlace(), mode: Mode = .server, queue: QueuePlan? = nil,
        outcome: Outcome = .joins, person: SpeakerProfile = SpeakerProfile(id: "person-1", name: "A person"),
        opens: [Step] = [], rules: [Rule] = [], otherwise: [Rule] = []
    ) {
        self.name = name
        self.place = place
        self.mode = mode
        self.queue = queue
        self.outcome = outcome
        self.person = person
        self.opens = opens
        self.rules = rules
        self.otherwise = otherwise
    }
}

package struct QueuePlan: Equatable, Sendable {
    package var name: String?
    /// Positions sent one after the other; 1 is the front; may rise as well as fall.
    package var positions: [Int]
    package var every: Interval
    /// Estimated wait = position times this; nil sends no estimate.
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
