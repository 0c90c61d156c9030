import AgentRuns
import Clocks
import ConversationEngine
import Fixtures
import Matching
import Texts

/// Fault injection for the runs of an example over AG-UI. Each repetition cuts the stream before a different event, or
/// requests a second run of the thread during the first.
package struct RunSweep: Sendable {
    package struct Result: Sendable, Equatable {
        package var example: String
        package var runCount: Int
        package var cutCount = 0
        package var secondCount = 0
        package var leftOut = 0
        /// A failure that happens without a cut, possibly on purpose.
        package var ownFault: String?
        package var differences: [String] = []

        func lines(of fixture: String) -> [String] {
            let cuts = Counted.text(cutCount, "cut") + ", \(secondCount) next to a second run"
            if let ownFault {
                return [
                    "\(fixture): \"\(example)\" over AG-UI, not cut, as it goes wrong by itself: \(ownFault)"
                ]
            }
            var line = "\(fixture): \"\(example)\" over AG-UI, \(Counted.text(runCount, "run")), \(cuts): "
            line +=
                differences.isEmpty
                ? "the client says why, and goes on" : Counted.text(differences.count, "difference")
            if leftOut > 0 { line += "; \(leftOut) more were left out, evenly" }
            return [line] + differences.map { "  " + $0 }
        }
    }

    /// Numbers of the run to cut and of the event before which it is cut, from 1. If `event` is nil, a second run is
    /// requested after the run's first event.
    struct Cut: Sendable, Equatable {
        var run: Int
        var event: Int?
    }

    struct Heard<Event: Sendable & Equatable>: Sendable, Equatable {
        var events: [Event] = []
        var error: String?
    }

    struct Outcome<Event: Sendable & Equatable>: Sendable, Equatable {
        var runs: [Heard<Event>] = []
        var joined: Heard<Event>?
        var again: Heard<Event>?
        var second: Heard<Event>?
        var failure: String?
    }

    private typealias EventOutcome = Outcome<AgentRunEvent.Kind>

    private enum Act: Sendable {
        case say(String)
        case answer(tool: String, String, isFailure: Bool)
    }

    private let plan: MockPlan
    private let example: String
    private let acts: [Act]
    private let mayGoWrong: Bool
    private let mostCuts: Int

    init(
        plan: MockPlan, example: Example, lineCount: Int?, mayGoWrong: Bool,
        mostCuts: Int = KitLimits.sweptInterruptions
    ) {
        self.mayGoWrong = mayGoWrong
        self.mostCuts = mostCuts
        var plan = plan
        plan.timeOfDay = example.now?.text
        plan.memory = example.memory
        plan.unmatched = .pass
        plan.violations = .pass
        self.plan = plan
        self.example = example.name
        let acts = example.lines.compactMap { line -> Act? in
            switch line.line {
            case .says(.user, let text, _): .say(text)
            case .answers(let tool, let text, let isFailure): .answer(tool: tool, text, isFailure: isFailure)
            default: nil
            }
        }
        self.acts = Array(acts.prefix(lineCount ?? acts.count))
    }

    func run() async throws -> Result {
        let quiet = await play(nil)
        var result = Result(example: example, runCount: quiet.runs.count)
        if let failure = quiet.failure ?? quiet.runs.compactMap(\.error).first {
            if quiet.failure == nil, mayGoWrong {
                result.ownFault = failure
            } else {
                result.differences = ["without a cut: \(failure)"]
            }
            return result
        }
        let all = quiet.runs.enumerated().flatMap { run, heard in
            heard.events.indices.map { Cut(run: run + 1, event: $0 + 1) }
        }
        let cuts = SweepRig.spread(all, over: mostCuts)
        let seconds = quiet.runs.indices.map { Cut(run: $0 + 1) }
        (result.cutCount, result.leftOut) = (cuts.count, all.count - cuts.count)
        result.secondCount = seconds.count
        let outcomes = await SweepRig.together(cuts + seconds) { await play($0) }
        for (cut, outcome) in zip(cuts + seconds, outcomes) where difference(cut, outcome, quiet) != nil {
            // Repeat the run: on a busy machine, mock time may pass before a call has run.
            guard let fault = difference(cut, await play(cut), quiet) else { continue }
            let place = cut.event.map { "cut before event \($0)" } ?? "a second run at the same time"
            result.differences.append("run \(cut.run), \(place): \(fault)")
        }
        result.differences += Self.unfired(cuts, outcomes).map { "run \($0): no cut ever came about" }
        return result
    }

    private func difference(_ cut: Cut, _ outcome: EventOutcome, _ quiet: EventOutcome) -> String? {
        cut.event == nil
            ? Self.difference(secondRun: cut.run, outcome, quiet) : Self.difference(cut, outcome, quiet)
    }

    /// Returns the numbers of the runs in which no cut took effect.
    static func unfired<Event>(_ cuts: [Cut], _ outcomes: [Outcome<Event>]) -> [Int] {
        let fired = zip(cuts, outcomes).filter { $1.failure != nil || $1.runs.contains { $0.error != nil } }
        return Set(cuts.map(\.run)).subtracting(fired.map(\.0.run)).sorted()
    }

    static func difference<Event>(_ cut: Cut, _ outcome: Outcome<Event>, _ quiet: Outcome<Event>) -> String? {
        if let failure = outcome.failure { return failure }
        guard outcome.runs.count >= cut.run, quiet.runs.count >= cut.run else {
            return "it was never asked for"
        }
        let (heard, whole) = (outcome.runs[cut.run - 1], quiet.runs[cut.run - 1])
        guard whole.events.starts(with: heard.events) else { return "the client heard what was not sent" }
        // A cut after the last wire event has no effect.
        if heard == whole { return nil }
        guard heard.error != nil else { return "the client takes the rest for all there is" }
        guard let joined = outcome.joined, joined.error == nil else {
            return "the thread cannot be joined: \(outcome.joined?.error ?? "nobody tried")"
        }
        guard let again = outcome.again, again.error == nil else {
            return "the thread does not go on: \(outcome.again?.error ?? "nobody tried")"
        }
        return nil
    }

    static func difference<Event>(
        secondRun run: Int, _ outcome: Outcome<Event>, _ quiet: Outcome<Event>
    ) -> String? {
        if let failure = outcome.failure { return failure }
        guard outcome.runs.count >= run, quiet.runs.count >= run else { return "it was never asked for" }
        if outcome.runs[run - 1] != quiet.runs[run - 1] {
            return "the client heard something else: \(outcome.runs[run - 1].error ?? "other events")"
        }
        guard let second = outcome.second, second.error == nil else {
            return "the second run does not end: \(outcome.second?.error ?? "nobody asked for it")"
        }
        return nil
    }

    // MARK: - One talk

    private func play(_ cut: Cut?) async -> EventOutcome {
        var outcome = EventOutcome()
        let failure = await Mock.failure(of: plan) { mock in try await talk(mock, cut, &outcome) }
        outcome.failure = failure
        return outcome
    }

    private func talk(_ mock: Mock, _ cut: Cut?, _ outcome: inout EventOutcome) async throws {
        if let cut, let event = cut.event {
            try await mock.inject(at: "run \(cut.run) event \(event)", do: #"drop: "connection""#)
        }
        let agent = try mock.agent()
        var calls: [RunToolCall] = []
        for (number, act) in acts.enumerated() {
            if let cut, cut.event == nil, cut.run == number + 1 {
                let message = message(act, calls, number)
                (outcome.runs, outcome.second) = try await both(agent, mock, cut.run, message, outcome.runs)
                return
            }
            let (heard, snapshot) = try await ask(
                agent, mock, RunID(rawValue: "run-\(number + 1)"), message(act, calls, number))
            outcome.runs.append(heard)
            calls = snapshot.pendingToolCalls
            guard heard.error != nil, cut?.run == number + 1 else { continue }
            let thread = Heard(try await collect(agent.connect(to: "thread"), mock))
            outcome.joined = thread
            let words: RunMessage = .text(id: "u-again", role: .user, content: "Hello", name: nil)
            outcome.again = try await ask(agent, mock, "run-again", words).heard
            return
        }
    }

    private func message(_ act: Act, _ calls: [RunToolCall], _ number: Int) -> RunMessage {
        let id = MessageID(rawValue: "u-\(number + 1)")
        switch act {
        case .say(let text): return .text(id: id, role: .user, content: text, name: nil)
        case .answer(let tool, let text, let isFailure):
            let call = calls.first { $0.name == tool }?.id ?? "none"
            return .tool(
                id: id, toolCallID: call, content: .text(isFailure ? "" : text), error: isFailure ? text : nil
            )
        }
    }

    private func ask(
        _ agent: AGUIAgent, _ mock: Mock, _ run: RunID, _ message: RunMessage
    ) async throws -> (heard: Heard<AgentRunEvent.Kind>, snapshot: AgentRunSnapshot) {
        let stream = agent.stream(RunAgentInput(threadID: "thread", runID: run, messages: [message]))
        let heard = try await collect(stream, mock)
        var reducer = AgentRunReducer(messages: [], state: .object([:]))
        for event in heard.events { _ = reducer.apply(event) }
        return (Heard(heard), reducer.snapshot)
    }

    private func both(
        _ agent: AGUIAgent, _ mock: Mock, _ run: Int, _ message: RunMessage,
        _ runs: [Heard<AgentRunEvent.Kind>]
    ) async throws -> ([Heard<AgentRunEvent.Kind>], Heard<AgentRunEvent.Kind>?) {
        let words: RunMessage = .text(id: "u-second", role: .user, content: "Hello", name: nil)
        let input = RunAgentInput(
            threadID: "thread", runID: RunID(rawValue: "run-\(run)"), messages: [message])
        let other = RunAgentInput(threadID: "thread", runID: "run-second", messages: [words])
        let (first, second) = try await mock.letTimePass {
            let second = Locked<Task<EventOutcome, Never>?>(nil)
            let first = await Self.gather(agent.stream(input)) {
                second.withLock { task in
                    guard task == nil else { return }
                    // Request the stream before the task is created: mock time may pass before the task starts.
                    let stream = agent.stream(other)
                    task = Task { EventOutcome(runs: [Heard(await Self.gather(stream) {})]) }
                }
            }
            return (first, await second.withLock { $0 }?.value.runs.first)
        }
        return (runs + [Heard(first)], second)
    }

    private func collect(
        _ stream: AGUIRunStream, _ mock: Mock
    ) async throws -> (events: [AgentRunEvent], error: String?) {
        try await mock.letTimePass { await Self.gather(stream) {} }
    }

    private static func gather(
        _ stream: AGUIRunStream, _ each: @Sendable () -> Void
    ) async -> (events: [AgentRunEvent], error: String?) {
        var events: [AgentRunEvent] = []
        do {
            for try await event in stream {
                events.append(event)
                each()
            }
            return (events, nil)
        } catch {
            return (events, "\(error)")
        }
    }
}

extension RunSweep.Heard<AgentRunEvent.Kind> {
    fileprivate init(_ run: (events: [AgentRunEvent], error: String?)) {
        self.init(events: run.events.map(\.kind), error: run.error)
    }
}

extension Script {
    /// Whether runs may fail even if no stream is cut.
    var mayGoWrong: Bool {
        let steps = greeting + allRules.flatMap(\.steps) + handoffs.flatMap(\.opens)
        // `result` steps provide the results of these tools.
        let answered = steps.compactMap { step in
            if case .run(.result(let tool, _)) = step.verb { tool } else { nil }
        }
        return !faults.isEmpty || tools.contains { $0.rows.contains { $0.outcome == .nothing } }
            || steps.contains { step in
                guard case .run(let run) = step.verb else { return false }
                switch run {
                case .fail, .cancel, .event(_, isUnchecked: true, _): return true
                case .call(let calls, _):
                    return calls.contains { $0.outcome == .nothing && !answered.contains($0.tool) }
                case .result(_, let outcome): return outcome == .nothing
                default: return false
                }
            }
    }
}
