package import Clocks
package import ConversationEngine
import Matching

/// Property-based test of a fixture by seeded random users.
package struct Simulator: Sendable {
    package var script: Script
    package var seed: UInt64
    package var length: Int
    /// Additional invariant. The function returns the violation, or nil.
    package var forbids: (@Sendable (JournalEntry) -> String?)?

    package init(
        _ script: Script, seed: UInt64 = 1, length: Int = 20,
        forbids: (@Sendable (JournalEntry) -> String?)? = nil
    ) {
        self.script = script
        self.seed = seed
        self.length = length
        self.forbids = forbids
    }

    /// Runs `count` simulations with different seeds. Stops after ``FixtureLimits/simulationFailures`` failures.
    package func run(_ count: Int) -> SimulationReport {
        let words = SimulationWords(script)
        var report = SimulationReport()
        var used: Set<Int> = []
        var gaps: Set<SimulationReport.EmptyGap> = []
        for number in 1...max(count, 1) {
            let own = SeededGenerator(seed: seed).stream("walk \(number)")
            var chance = own
            var start = SimulationStart(seed: chance.next(), isStreaming: chance.next() & 1 == 0)
            start.choose(among: script, own.stream("start"))
            var run = SimulationRun(script, start, extra: forbids)
            var steps: [SimulationStep] = []
            var messages = 0
            while messages < length, !run.isOver {
                let step = next(run, words, &chance)
                if let text = step.text {
                    messages += 1
                    if SimulationWords.isOffTopic(text) { report.offTopic += 1 }
                }
                steps.append(step)
                run.execute(step)
            }
            run.finish()
            report.simulations += 1
            report.messages += messages
            report.entries += run.entries
            report.unmatched += run.unmatched
            if run.isOver { report.ended += 1 }
            gaps.formUnion(run.emptyGaps)
            for use in run.ruleUses { used.insert(use.place.line) }
            guard let reason = run.problem else { continue }
            let shrunk = shrink(steps, start, reason: reason)
            report.failures.append(
                SimulationFailure(
                    simulation: number, seed: seed, reason: reason, begins: start.words, steps: shrunk,
                    originalCount: steps.count))
            if report.failures.count == FixtureLimits.simulationFailures { break }
        }
        report.emptyGaps = gaps.sorted { ($0.line, $0.name) < ($1.line, $1.name) }
        report.unreached = script.rules.filter { !used.contains($0.place.line) && $0.place.line > 0 }
            .map { SimulationReport.RuleName(name: $0.name, line: $0.place.line) }
        return report
    }

    private func next(_ run: SimulationRun, _ words: SimulationWords, _ chance: inout SeededGenerator)
        -> SimulationStep
    {
        switch chance.next() % 100 {
        case 0..<5: return .wait(.milliseconds(Int64(chance.next() % 90_000)))
        case 5..<11: return .drop
        case 11..<12: return .hangUp
        case 12..<22: return .say(words.offTopic(&chance))
        case 22..<30: return .interrupt(words.matching(&chance) ?? words.offTopic(&chance))
        case 30..<65: if let tapped = run.suggestions.randomElement(using: &chance) { return .say(tapped) }
        default: break
        }
        return .say(words.matching(&chance) ?? words.offTopic(&chance))
    }

    // MARK: - Shrinking

    /// Removes ever smaller groups of steps, while the same kind of failure remains.
    private func shrink(_ steps: [SimulationStep], _ start: SimulationStart, reason: String)
        -> [SimulationStep]
    {
        func fails(_ steps: [SimulationStep]) -> Bool {
            var run = SimulationRun(script, start, extra: forbids)
            for step in steps { run.execute(step) }
            run.finish()
            return run.problem.map { kind($0) == kind(reason) } ?? false
        }
        var kept = steps
        var size = max(kept.count / 2, 1)
        var tries = 0
        while tries < FixtureLimits.simulationShrinkTries {
            var start = 0
            var hasShrunk = false
            while start < kept.count, tries < FixtureLimits.simulationShrinkTries {
                var fewer = kept
                fewer.removeSubrange(start..<min(start + size, kept.count))
                tries += 1
                if fails(fewer) {
                    kept = fewer
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size > 1 {
                size /= 2
            } else if !hasShrunk {
                break
            }
        }
        return kept
    }

    /// Returns the reason without numbers and quoted words. Failures of one kind have equal results.
    private func kind(_ reason: String) -> String {
        var result = ""
        var isQuoted = false
        for character in reason {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, !character.isNumber { result.append(character) }
        }
        return result
    }
}

package enum SimulationStep: Equatable, Sendable, CustomStringConvertible {
    /// Sends a message and waits until the agent is idle.
    case say(String)
    case interrupt(String)
    case wait(Interval)
    /// Loses the connection, and reconnects with the last received cursor.
    case drop
    case hangUp

    package var description: String {
        switch self {
        case .say(let text): "user: \(text)"
        case .interrupt(let text): "user, interrupting: \(text)"
        case .wait(let interval): "waits \(interval.nanoseconds / 1_000_000) ms"
        case .drop: "loses the connection and comes back"
        case .hangUp: "ends the talk"
        }
    }

    package var text: String? {
        switch self {
        case .say(let text), .interrupt(let text): text
        default: nil
        }
    }
}

package struct SimulationFailure: Equatable, Sendable {
    /// Number of the simulation, from 1.
    package var simulation: Int
    package var seed: UInt64
    package var reason: String
    /// Description of the initial state; nil for the fixture's own.
    package var begins: String?
    /// Steps that still cause the failure, after shrinking.
    package var steps: [SimulationStep]
    package var originalCount: Int
}

package struct SimulationReport: Equatable, Sendable {
    package var simulations = 0
    package var messages = 0
    package var entries = 0
    package var unmatched = 0
    /// Number of messages that were off topic on purpose.
    package var offTopic = 0
    package var ended = 0
    package var failures: [SimulationFailure] = []
    package var unreached: [RuleName] = []
    /// Placeholders that had no value when a message used them, in the order of the file.
    package var emptyGaps: [EmptyGap] = []

    package struct EmptyGap: Hashable, Sendable {
        package var name: String
        package var line: Int
    }

    package struct RuleName: Equatable, Sendable {
        package var name: String
        package var line: Int
    }
}
