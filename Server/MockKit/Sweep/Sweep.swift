import ConversationEngine
import FixtureTools
import Fixtures
import Matching
import MockServer

/// Fault injection over the examples of a fixture.
package struct Sweep: Sendable, Equatable {
    package enum Streaming: String, Sendable, CaseIterable {
        case both, on, off

        var modes: [Bool] { self == .both ? [false, true] : [self == .on] }
    }

    package enum Client: String, Sendable, CaseIterable {
        case messaging, connect
    }

    package var fixture: String
    package var fixturesFolder: String?
    package var example: String?
    package var lineCount: Int?
    package var says: [String]?
    package var streaming = Streaming.both
    package var client = Client.messaging
    package var withPairs = false
    package var cuts: [Interruption] = []
    /// Maximum single interruptions and pairs in one conversation.
    var mostCuts = KitLimits.sweptInterruptions
    var mostPairs = KitLimits.sweptPairs
    package var seed: UInt64 = 1
    package var flaw: PlantedBug?

    package init(_ fixture: String) { self.fixture = fixture }

    struct Talk: Sendable, Equatable {
        /// Nil if the fixture has no example, or if ``Sweep/says`` sets the messages.
        var example: String?
        var says: [String]
        var now: WallTime?
        var memory: [String: String] = [:]
        /// Number of user messages, including those that ``Sweep/lineCount`` excludes.
        var fullCount: Int

        init(example: String?, says: [String]) {
            self.example = example
            self.says = says
            fullCount = says.count
        }

        /// Whether time and memory start with their defaults.
        var beginsAsUsual: Bool { now == nil && memory.isEmpty }
    }

    /// - Throws: `ScenarioProblem`, `ServerError` or ``MockError`` when there is nothing to play.
    package func run() async throws -> SweepReport {
        let compiled = try compiled()
        let talks = try talks(of: compiled)
        var report = SweepReport(fixture: plan.fixtureName)
        var beyond: SweepRig.NoSuchEvent?
        for talk in talks {
            var isFound = false
            for isStreaming in streaming.modes {
                let result: SweepReport.Result
                let finding: SweepReport.Finding?
                do {
                    (result, finding) = try await sweep(talk, isStreaming: isStreaming, shrinks: !isFound)
                } catch let error as SweepRig.NoSuchEvent {
                    // An event that is missing in this mode may exist in the other mode.
                    beyond = error
                    continue
                }
                report.results.append(result)
                if let finding {
                    report.findings.append(finding)
                    isFound = true
                }
            }
        }
        if report.results.isEmpty, let beyond { throw MockError(beyond.sentence) }
        if client == .connect, cuts.isEmpty, flaw == nil {
            for talk in talks {
                var faults = ContactSweep(plan: plan(of: talk), example: talk.example, says: talk.says)
                (faults.mostFaults, faults.isStreaming) = (mostCuts, streaming != .off)
                report.faults.append(try await faults.run())
            }
        }
        if let script = compiled.script, script.hasRuns, client == .messaging, cuts.isEmpty, says == nil,
            flaw == nil
        {
            for example in try compiled.examples(named: example) {
                report.runs.append(
                    try await RunSweep(
                        plan: plan, example: example, lineCount: lineCount, mayGoWrong: script.mayGoWrong,
                        mostCuts: mostCuts
                    ).run())
            }
        }
        return report
    }

    var plan: MockPlan {
        var plan = MockPlan(fixture)
        plan.fixturesFolder = fixturesFolder
        plan.seed = seed
        // Protocol rules set timers of their own, and a sweep does not compare violations.
        plan.settings.checksProtocol = false
        return plan
    }

    private func plan(of talk: Talk) -> MockPlan {
        var plan = plan
        plan.timeOfDay = talk.now?.text
        plan.memory = talk.memory
        return plan
    }

    // MARK: - Talks

    private func compiled() throws -> CompiledFixture {
        let compiled =
            plan.isText
            ? FixtureLoader.compile(bytes: Array(fixture.utf8), fileName: "inline", name: "inline")
            : try FixtureSource.find(fixture, folder: fixturesFolder)
        let errors = compiled.rehearsed().findings.filter { $0.severity == .error }
        guard errors.isEmpty else {
            throw MockError(errors.map(\.description).joined(separator: "\n"))
        }
        return compiled
    }

    private func talks(of compiled: CompiledFixture) throws -> [Talk] {
        if let says { return [cut(Talk(example: nil, says: says))] }
        var talks = try compiled.examples(named: example).map { example in
            var talk = Talk(example: example.name, says: example.userWords)
            talk.now = example.now
            talk.memory = example.memory
            return talk
        }
        if talks.isEmpty { talks = [Talk(example: nil, says: [])] }
        return talks.map(cut)
    }

    private func cut(_ talk: Talk) -> Talk {
        guard let lineCount else { return talk }
        var talk = talk
        talk.says = Array(talk.says.prefix(lineCount))
        return talk
    }

    // MARK: - Sweeping

    private func sweep(
        _ talk: Talk, isStreaming: Bool, shrinks: Bool
    ) async throws -> (SweepReport.Result, SweepReport.Finding?) {
        let plan = plan(of: talk)
        let bench = SweepRig(
            base: SweepRun(plan: plan, says: talk.says, isStreaming: isStreaming, client: client, flaw: flaw),
            mostCuts: mostCuts, mostPairs: mostPairs)
        let quiet = await bench.quiet()
        var result = SweepReport.Result(
            example: talk.example, lineCount: talk.says.count, isStreaming: isStreaming, client: client,
            eventCount: quiet.arrived.count)
        if let failure = quiet.failure {
            throw MockError("\(name(of: talk)) does not pass without interruptions: \(failure)")
        }
        let failing: SweepRig.Failure?
        (result.runCount, result.leftOut, result.differing, result.renewed, failing) = try await bench.sweep(
            quiet, only: cuts, withPairs: withPairs)
        guard let failing else { return (result, nil) }
        var finding = SweepReport.Finding(
            example: talk.example, says: talk.says, isStreaming: isStreaming, failure: failing, line: "")
        if shrinks, cuts.isEmpty, talk.beginsAsUsual {
            let shrunk = await bench.shrink(failing)
            finding.failure = shrunk
            finding.says = shrunk.says
        }
        finding.line = line(talk, finding)
        return (result, finding)
    }

    private func name(of talk: Talk) -> String {
        talk.example.map { "the example \"\($0)\"" } ?? "the talk"
    }

    private func line(_ talk: Talk, _ finding: SweepReport.Finding) -> String {
        let says = finding.says
        var words = ["polymock", "sweep", plan.isText ? "inline" : Self.quoted(fixture)]
        if let example = talk.example, talk.says.starts(with: says) {
            words += ["--example", Self.quoted(example)]
            if says.count < talk.fullCount { words += ["--lines", "\(says.count)"] }
        } else if says != talk.says || self.says != nil {
            words += says.isEmpty ? ["--lines", "0"] : says.flatMap { ["--say", Self.quoted($0)] }
        }
        if client != .messaging { words.append("--\(client)") }
        if seed != 1 { words += ["--seed", "\(seed)"] }
        // Event numbers differ between chunks and whole messages.
        if finding.isStreaming { words += ["--streaming", "on"] }
        return (words + finding.cuts.map(\.flag)).joined(separator: " ")
    }

    /// Quotes a word for the shell. A word of plain characters stays bare, a word with `"`, `\`, `$`, `` ` `` or `!`
    /// gets single quotes, and any other word gets double quotes.
    static func quoted(_ text: String) -> String {
        let isBare = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
        if isBare, !text.isEmpty { return text }
        if !text.contains(where: { "\"\\$`!".contains($0) }) { return "\"\(text)\"" }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
