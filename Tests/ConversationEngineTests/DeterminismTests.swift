import Clocks
import ConversationEngine
import Expectations
import Testing

/// One seed, one talk.
@Suite("Repeatability")
struct DeterminismTests {
    /// Something that happens at a time after the start.
    struct Act {
        var at: Interval
        var word: ClientInput.Word
    }

    static func acts(seed: UInt64) -> [Act] {
        var random = SeededGenerator(seed: seed)
        let texts = ["pool", "manager", "person", "nonsense", "pool pool"]
        var at = Interval.milliseconds(5)
        return [Act(at: .milliseconds(3), word: .join(greeting: nil))]
            + (0..<12).map { _ in
                at = at + .microseconds(Int64.random(in: 1...900_000, using: &random))
                let pick = Int.random(in: 0..<7, using: &random)
                return Act(
                    at: at, word: pick < 5 ? .say(texts[pick]) : pick == 5 ? .heartbeat : .typing(.started))
            }
    }

    enum Waking: CaseIterable {
        /// At each of the engine's deadlines.
        case atDeadlines
        case everyMillisecond
        /// Only when a client says something.
        case never
    }

    static func journal(
        _ acts: [Act], seed: UInt64, options: EngineOptions = EngineOptions(), waking: Waking
    ) throws -> [JournalEntry] {
        var talk = try Talk(try Script.tour(), isStreaming: true, options: options, seed: seed)
        talk.connect(1, historyAfter: .milliseconds(25))
        for act in acts + [Act(at: .seconds(20), word: .heartbeat)] {
            let target = Talk.start + act.at
            switch waking {
            case .atDeadlines: talk.wait(target - talk.now)
            case .everyMillisecond:
                while talk.now + .milliseconds(1) <= target { talk.jump(.milliseconds(1)) }
                talk.now = target
            case .never: talk.now = target
            }
            talk.send(act.word)
        }
        return talk.journal
    }

    @Test("The same seed and words give the same journal, ids and times included", arguments: 0..<10)
    func sameSeed(_ seed: UInt64) throws {
        let acts = Self.acts(seed: seed)
        let first = try Self.journal(acts, seed: seed, waking: .atDeadlines)
        expectEqual(first, try Self.journal(acts, seed: seed, waking: .atDeadlines))
        #expect(first != (try Self.journal(acts, seed: seed + 1, waking: .atDeadlines)))
    }

    @Test(
        "Waking at the deadlines alone, every millisecond, or hardly ever gives the same journal",
        arguments: 0..<8)
    func wakingDoesNotMatter(_ seed: UInt64) throws {
        var options = EngineOptions()
        if seed % 2 == 1 { options.echoDelay = .milliseconds(40) }
        let acts = Self.acts(seed: seed)
        let journal = try Self.journal(acts, seed: seed, options: options, waking: .atDeadlines)
        #expect(journal.count > 12)
        expectEqual(
            journal, try Self.journal(acts, seed: seed, options: options, waking: .everyMillisecond))
        expectEqual(journal, try Self.journal(acts, seed: seed, options: options, waking: .never))
    }

    @Test("Heartbeats and refused events shift neither ids nor jitter")
    func privateEventsShiftNothing() throws {
        let acts = Self.acts(seed: 3)
        let noisy =
            acts.flatMap { [Act(at: $0.at, word: .heartbeat), $0] }
            + [Act(at: .seconds(15), word: .refused(.unknownEvent, detail: nil))]
        let quiet = try Self.journal(acts, seed: 3, waking: .atDeadlines)
        expectEqual(quiet, try Self.journal(noisy, seed: 3, waking: .atDeadlines))
    }

    @Test("A seeded session is the same alone, among others, and in whatever order they open")
    func otherSessions() throws {
        let script = try Script.tour()
        let seeds: [UInt64] = [11, 12, 13, 14, 15, 16]
        func run(_ order: [UInt64]) throws -> [UInt64: [JournalEntry]] {
            var engine = ConversationEngine()
            var effects: [Effect] = []
            var handles: [UInt64: SessionHandle] = [:]
            for seed in order {
                let opened = engine.open(
                    .init(script: script, isStreaming: true, seed: seed), at: Talk.start, into: &effects)
                handles[seed] = try #require(opened).handle
            }
            for (index, text) in ["", "pool", "person", "pool", "thanks"].enumerated() {
                for seed in order {
                    guard let handle = handles[seed] else { continue }
                    let now = Talk.start + .milliseconds(Int64(index * 800) + Int64(seed))
                    if order.count == 1 || seed == order.last { engine.advance(to: now, into: &effects) }
                    engine.handle(
                        ClientInput(index == 0 ? .join(greeting: nil) : .say(text)),
                        from: ConnectionID(seed), in: handle, at: now, into: &effects)
                }
            }
            engine.advance(to: Talk.start + .minutes(5), into: &effects)
            return handles.compactMapValues { engine.withJournal(of: $0) { $0 } }
        }
        let together = try run(seeds)
        expectEqual(together, try run(seeds.reversed()))
        for seed in seeds {
            expectEqual(together[seed], (try run([seed]))[seed])
            #expect((together[seed]?.count ?? 0) > 15)
        }
    }

    @Test("Without a seed of its own a session draws one from the engine's, or takes the script's")
    func drawnSeeds() throws {
        var script = Script.plain
        func seeds(_ engineSeed: UInt64) -> [UInt64] {
            var engine = ConversationEngine(seed: engineSeed)
            var effects: [Effect] = []
            return (0..<3).compactMap { _ in
                engine.open(.init(script: script), at: Talk.start, into: &effects)
                    .flatMap { engine[$0.handle]?.seed }
            }
        }
        expectEqual(seeds(5), seeds(5))
        expectEqual(Set(seeds(5) + seeds(6)).count, 6)
        script.seed = 99
        expectEqual(seeds(5), [99, 99, 99])
    }

    @Test("Session ids are unique, whatever seeds the sessions have")
    func sessionIDs() throws {
        var engine = ConversationEngine()
        var effects: [Effect] = []
        let ids = (0..<1000).compactMap { _ in
            engine.open(.init(script: .plain, seed: 1), at: Talk.start, into: &effects)?.id
        }
        expectEqual(Set(ids).count, 1000)
    }

    @Test("Gaps between chunks stay within the jitter, vary, and repeat with the seed")
    func jitter() throws {
        func gaps(_ seed: UInt64) throws -> [Int64] {
            var script = Script.plain
            script.pace = Pace(think: .zero, chunkSize: 1, every: .milliseconds(100), jitter: 0.25)
            script.greeting = [Step(says(String(repeating: "word ", count: 200)))]
            let talk = try Talk.joined(script, isStreaming: true, seed: seed)
            let times = talk.journal.dropFirst(3).map(\.time.nanoseconds)
            return zip(times, times.dropFirst()).map { $1 - $0 }
        }
        let one = try gaps(1)
        #expect(one.count > 190)
        #expect(one.allSatisfy { (75_000_000...125_000_000).contains($0) })
        #expect((one.min() ?? 0) < 80_000_000 && (one.max() ?? 0) > 120_000_000)
        expectEqual(one, try gaps(1))
        #expect(one != (try gaps(2)))
    }
}
