import Clocks
import ConversationEngine
import Matching
import Testing

/// One session of an engine, its clients, and the time: what a test needs to hold a conversation.
struct Talk {
    static let start = Instant(secondsSince1970: 1_768_469_400)

    var engine: ConversationEngine
    var now = Talk.start
    var wire = Wire()
    private(set) var handle: SessionHandle

    /// Opens a session; nobody is connected yet.
    init(
        _ script: Script, isStreaming: Bool = false, options: EngineOptions = EngineOptions(),
        seed: UInt64? = 7, pace: Pace? = nil, chunks: Pace.Unit? = nil, faults: [Fault] = [],
        terms: ProtocolDefaults? = nil, extensions: Extensions = []
    ) throws {
        engine = ConversationEngine(options: options)
        var effects: [Effect] = []
        let opened = engine.open(
            ConversationEngine.Opening(
                script: SharedValue(script), isStreaming: isStreaming, seed: seed, pace: pace, chunks: chunks,
                faults: faults, terms: terms, extensions: extensions),
            at: Talk.start, into: &effects)
        handle = try #require(opened).handle
        wire.apply(effects)
    }

    /// A talk whose agent has joined and greeted the one connection, 1.
    static func joined(
        _ script: Script, isStreaming: Bool = false, options: EngineOptions = EngineOptions(),
        seed: UInt64? = 7, pace: Pace? = nil, chunks: Pace.Unit? = nil, faults: [Fault] = [],
        extensions: Extensions = []
    ) throws -> Talk {
        var talk = try Talk(
            script, isStreaming: isStreaming, options: options, seed: seed, pace: pace, chunks: chunks,
            faults: faults, extensions: extensions)
        talk.connect()
        talk.send(.join(greeting: nil))
        talk.wait(.seconds(20))
        return talk
    }

    // MARK: - What clients do

    @discardableResult
    mutating func connect(
        _ number: UInt64 = 1, cursor: UInt64 = 0, historyAfter delay: Interval = .zero
    ) -> Bool {
        var effects: [Effect] = []
        let attached = engine.attach(
            ConnectionID(number), to: handle, cursor: cursor, firstFrameAt: now + delay, at: now,
            into: &effects)
        wire.apply(effects)
        return attached
    }

    mutating func disconnect(_ number: UInt64 = 1) {
        engine.detach(ConnectionID(number), from: handle)
    }

    mutating func send(
        _ word: ClientInput.Word, metadata: String? = nil, localID: String? = nil, files: [String] = [],
        from number: UInt64 = 1
    ) {
        var effects: [Effect] = []
        var input = ClientInput(word, metadata: metadata, localID: localID?[...])
        input.files = files
        engine.handle(input, from: ConnectionID(number), in: handle, at: now, into: &effects)
        wire.apply(effects)
    }

    /// Sends a user message.
    mutating func say(
        _ text: String, metadata: String? = nil, localID: String? = nil, from number: UInt64 = 1
    ) {
        send(.say(text), metadata: metadata, localID: localID, from: number)
    }

    /// Sends a user message and gives the agent 20 seconds, without going idle.
    mutating func ask(_ text: String) {
        say(text)
        wait(.seconds(20))
    }

    /// Tells the engine that the connection's history is due `delay` from now.
    @discardableResult
    mutating func expectHistory(_ number: UInt64 = 1, after delay: Interval) -> Bool {
        var effects: [Effect] = []
        let hasPlace = engine.expectHistory(
            of: ConnectionID(number), in: handle, due: now + delay, at: now, into: &effects)
        wire.apply(effects)
        return hasPlace
    }

    mutating func push(_ event: Event) {
        var effects: [Effect] = []
        engine.push(event, in: handle, at: now, into: &effects)
        wire.apply(effects)
    }

    mutating func end(_ reason: EndReason) {
        var effects: [Effect] = []
        engine.end(handle, reason: reason, at: now, into: &effects)
        wire.apply(effects)
    }

    // MARK: - Time

    /// Lets time pass, waking the engine at each of its deadlines.
    mutating func wait(_ interval: Interval) {
        let target = now + interval
        while let deadline = engine.nextDeadline, deadline <= target {
            now = max(now, deadline)
            advance()
        }
        now = target
    }

    /// Lets time pass in one jump, as a shell does that was held up.
    mutating func jump(_ interval: Interval) {
        now = now + interval
        advance()
    }

    mutating func advance() {
        var effects: [Effect] = []
        engine.advance(to: now, into: &effects)
        wire.apply(effects)
    }

    // MARK: - What happened

    var conversation: Conversation? { engine[handle] }
    var journal: [JournalEntry] { engine.withJournal(of: handle) { $0 } ?? [] }
    var journalLines: [String] { journal.map(\.line) }
    /// Everything that happened, transient events included.
    var lines: [String] { wire.told.map(\.line) }
    var notes: [Note] { wire.notes }
    var hasEnded: Bool { conversation?.hasEnded ?? true }

    /// What connection `number` was sent.
    func received(_ number: UInt64 = 1) -> [JournalEntry] { wire.received[ConnectionID(number)] ?? [] }
    func lines(_ number: UInt64) -> [String] { received(number).map(\.line) }
    func closeCause(_ number: UInt64 = 1) -> CloseCause? { wire.closes[ConnectionID(number)] }

    /// The lines that `action` adds.
    mutating func lines(of action: (inout Talk) throws -> Void) rethrows -> [String] {
        let count = wire.told.count
        try action(&self)
        return wire.told.dropFirst(count).map(\.line)
    }
}

extension Talk: CustomTestStringConvertible {
    var testDescription: String { "Talk(\(journal.count) entries)" }
}

// MARK: - Scripts

/// Heard when the message contains `words`.
func hears(_ words: String) throws -> Hears {
    let make: (String) throws -> Phrase = Phrase.init(_:)
    return .phrase(try make(words))
}

/// A rule for `words`.
func rule(
    _ words: String, if conditions: [Condition] = [], limit: Int? = nil, _ verbs: Verb..., then: Int? = nil
) throws -> Rule {
    Rule(
        hears: try hears(words), conditions: conditions, limit: limit, steps: verbs.map { Step($0) },
        then: then)
}

/// A rule that answers anything.
func anything(limit: Int? = nil, _ verbs: Verb...) -> Rule {
    Rule(limit: limit, steps: verbs.map { Step($0) })
}

/// A `say` step; several texts take turns.
func says(_ texts: String..., pace: Pace? = nil) -> Verb {
    .say(SayStep(texts: texts.map { Template(literal: $0) }, pace: pace))
}

/// A `say` step with gaps in braces.
func fills(_ text: String) -> Verb { .say(SayStep(texts: [template(text)])) }

func template(_ text: String) -> Template {
    var parts: [Template.Part] = []
    for (index, piece) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
        let halves = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
        if index > 0, halves.count == 2 { parts.append(.slot(String(halves[0]), offset: 0)) }
        if let last = halves.last, !last.isEmpty { parts.append(.text(String(last))) }
    }
    return Template(parts: parts)
}

extension Pace {
    /// Thinks 300 ms; two words every 100 ms.
    static let test = Pace(think: .milliseconds(300), chunkSize: 2, every: .milliseconds(100))
}

extension Script {
    /// Greets with "Welcome", and answers everything with "Yes".
    static let plain = Script(
        name: "plain", agent: SpeakerProfile(name: "Juno"), pace: .test, greeting: [Step(says("Welcome"))],
        otherwise: [anything(says("Yes"))])

    /// A greeting, a long answer, pauses, a handoff that fails and one that joins, an end.
    static func tour() throws -> Script {
        Script(
            name: "tour", agent: SpeakerProfile(name: "Juno"),
            pace: Pace(think: .milliseconds(200), chunkSize: 2, every: .milliseconds(70), jitter: 0.4),
            greeting: [Step(says("Welcome to the hotel by the lake"))],
            anywhere: [
                try rule(
                    "pool", says("The pool opens at nine and closes at ten"), .wait(.milliseconds(150)),
                    .language("fr-CA"), says("Bring your towel")),
                try rule("manager", says("One moment"), .handoff(0), says("Nobody is there")),
                try rule("person", says("One moment"), .handoff(1)),
                try rule("goodbye", says("Goodbye then"), .end(.natural)),
            ],
            otherwise: [anything(says("Say that again", "I did not follow"))],
            handoffs: [
                Handoff(
                    name: "manager", queue: QueuePlan(positions: [2, 1], every: .milliseconds(120)),
                    outcome: .fails(reason: "busy")),
                Handoff(
                    name: "desk", queue: QueuePlan(positions: [2, 3, 1], every: .milliseconds(90)),
                    liveAgent: SpeakerProfile(id: "p1", name: "Marta"), opens: [Step(says("Marta here"))],
                    rules: [try rule("thanks", says("See you"), .leave(reason: nil))],
                    otherwise: [anything(says("Let me look"))]),
            ])
    }
}
