import Clocks
import ConversationEngine
import Matching

/// One conversation between a random user and the engine, on virtual time.
struct SimulationRun {
    private static let start = Instant(secondsSince1970: 1_767_259_800)

    private var engine: ConversationEngine
    private var handle: SessionHandle?
    private var now = SimulationRun.start
    private var effects: [Effect] = []
    private var connection = ConnectionID(1)
    private var watch: SimulationWatch
    /// Sequence number of the last replayed entry.
    private var replayed: UInt64 = 0
    private(set) var suggestions: [String] = []
    private(set) var problem: String?
    private(set) var entries = 0
    private(set) var unmatched = 0
    private(set) var emptyGaps: Set<SimulationReport.EmptyGap> = []

    init(_ script: Script, _ start: SimulationStart, extra: (@Sendable (JournalEntry) -> String?)?) {
        watch = SimulationWatch(extra: extra)
        engine = ConversationEngine(options: EngineOptions(), seed: start.seed)
        let opening = ConversationEngine.Opening(
            script: script, isStreaming: start.isStreaming, seed: start.seed, memory: start.memory,
            localTime: start.localTime)
        handle = engine.open(opening, at: now, into: &effects)?.handle
        connect(cursor: 0)
        send(.join(greeting: nil))
        rest()
    }

    var isOver: Bool { watch.isOver || problem != nil }
    var ruleUses: [RuleUse] { engine.ruleUses }

    mutating func execute(_ step: SimulationStep) {
        guard !isOver else { return }
        switch step {
        case .say(let text):
            send(text)
            rest()
        case .interrupt(let text): send(text)
        case .wait(let interval): pass(to: now + interval)
        case .drop:
            guard let handle else { return }
            engine.detach(connection, from: handle)
            connection = ConnectionID(connection.rawValue + 1)
            connect(cursor: watch.cursor)
        case .hangUp:
            send(.end)
            rest()
        }
    }

    mutating func finish() {
        rest()
        if problem == nil { problem = watch.atRest() }
    }

    private mutating func connect(cursor: UInt64) {
        guard let handle else { return }
        _ = engine.attach(connection, to: handle, cursor: cursor, firstFrameAt: now, at: now, into: &effects)
        recordEffects()
    }

    private mutating func send(_ text: String) {
        watch.expectEcho(text)
        send(.say(text))
    }

    private mutating func send(_ word: ClientInput.Word) {
        guard let handle else { return }
        engine.handle(ClientInput(word), from: connection, in: handle, at: now, into: &effects)
        recordEffects()
    }

    /// Advances virtual time until the script is idle. Records a problem if that takes too long.
    private mutating func rest() {
        let end = now + FixtureLimits.simulationPatience
        var moments = 0
        while !isOver, let due = engine.nextScriptDeadline {
            moments += 1
            guard due <= end, moments < FixtureLimits.simulationMoments else {
                problem = "the agent never comes to rest"
                return
            }
            now = max(now, due)
            engine.advance(to: now, into: &effects)
            recordEffects()
        }
    }

    private mutating func pass(to target: Instant) {
        var budget = MomentBudget(rounds: FixtureLimits.simulationMoments)
        while !isOver, let due = engine.nextDeadline, due <= target {
            now = max(now, due)
            guard budget.spend(at: now) else {
                problem = "the agent never comes to rest"
                return
            }
            engine.advance(to: now, into: &effects)
            recordEffects()
        }
        now = max(now, target)
    }

    private mutating func recordEffects() {
        for effect in effects {
            switch effect {
            case .deliver(_, let entry, .one(let id)) where id == connection:
                if (entry.sequence ?? .max) > replayed { record(entry) }
            case .replay(let handle, let id, let after, _) where id == connection:
                let history = engine.withJournal(of: handle) { Array($0.dropFirst(Int(after))) } ?? []
                for entry in history { record(entry) }
                replayed = max(replayed, after + UInt64(history.count))
            case .note(_, .unmatched): unmatched += 1
            case .note(_, .emptyGap(let name, let place)):
                emptyGaps.insert(SimulationReport.EmptyGap(name: name, line: place.line))
            default: break
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    private mutating func record(_ entry: JournalEntry) {
        guard problem == nil else { return }
        entries += 1
        switch entry.event {
        case .agentMessage(let message), .liveAgentMessage(let message, _):
            suggestions = message.parts.suggestions.map(\.text)
        case .agentChunk(let chunk) where chunk.isComplete: suggestions = chunk.parts.suggestions.map(\.text)
        default: break
        }
        problem = watch.check(entry)
    }
}

/// Initial state of a simulation.
struct SimulationStart {
    var seed: UInt64
    var isStreaming: Bool
    var localTime: WallTime?
    var memory: [String: String] = [:]

    mutating func choose(among script: Script, _ source: SeededGenerator) {
        var chance = source
        var minutes: [Int] = []
        var values: [(slot: String, value: String)] = []
        for condition in script.allRules.flatMap(\.conditions) {
            switch condition.test {
            case .isWithin(let hours): minutes += [hours.from, hours.to % 1_440]
            case .equals(let value): values.append((condition.slot, value))
            default: break
            }
        }
        if let minute = minutes.randomElement(using: &chance) {
            localTime = WallTime(weekday: Int(chance.next() % 7), minute: minute)
        }
        // Three of four simulations start with the fixture's own slot values.
        if chance.next() % 4 == 0, let known = values.randomElement(using: &chance) {
            memory[known.slot] = known.value
        }
    }

    /// Description of the initial state; nil for the initial state of the fixture.
    var words: String? {
        var parts: [String] = []
        if let localTime { parts.append("the clock shows \(localTime.text)") }
        for (slot, value) in memory.sorted(by: { $0.key < $1.key }) {
            parts.append("\(slot) is \"\(MessageFormat.shortened(value))\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
