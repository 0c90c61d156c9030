import Clocks
package import FixtureTools
import Fixtures
import Matching
import MockServer

/// Command `polymock replay`, which plays a scenario with the SDK as client and prints the journal.
package struct Replay: Sendable, Equatable {
    package var line: String
    package var fixturesFolder: String?
    /// The user's messages; nil means those of an example of the fixture.
    package var says: [String]?
    package var example: String?
    package var until: UInt64?
    package var isStreaming = true
    package var isJSON = false

    package init(_ line: String) { self.line = line }

    /// - Throws: ``MockError``, `ScenarioProblem` or `ServerError` when there is nothing to play.
    package func run() async throws -> ToolAnswer {
        var plan = try plan()
        let log = Locked(ReplayLog())
        plan.settings.observer = { news, now in log.withLock { $0.record(news, at: now) } }
        let says = try says ?? example(of: &plan)
        let mock = try await Mock.start(plan)
        var failure: String?
        do {
            let chat = try await mock.chat(streaming: isStreaming)
            try await mock.untilIdle()
            for text in says {
                try await chat.say(text)
                try await mock.untilIdle()
            }
        } catch {
            failure = "\(error)"
        }
        // Reads the log before the mock stops, because stopping adds events.
        let shown = log.withLock { $0 }
        await mock.stop()
        var answer = ToolAnswer(
            lines: shown.items(until: until).map { isJSON ? $0.json : $0.line })
        if let failure {
            answer.talk.append("polymock: the talk stops: \(failure)")
            answer.code = 1
        }
        return answer
    }

    private func plan() throws -> MockPlan {
        guard let scenario = try ScenarioLine(line) else {
            throw MockError("\"\(line)\" is no scenario; write mock:booking@seed=7, or name a recorded file")
        }
        let script = try FixtureSource.find(scenario.fixture, folder: fixturesFolder).script
        if let script { _ = try Scenario(scenario, playing: script) }
        var plan = MockPlan(scenario.fixture)
        plan.faults = scenario.faults
        plan.seed = scenario.seed ?? plan.seed
        plan.pace = scenario.pace
        plan.memory = scenario.memory
        plan.timeOfDay = scenario.now?.text
        plan.stage = scenario.stage
        plan.fixturesFolder = fixturesFolder
        return plan
    }

    /// Returns the user's messages in an example, and adds the example's time and memory to `plan`.
    private func example(of plan: inout MockPlan) throws -> [String] {
        let fixture = try FixtureSource.find(plan.fixture, folder: fixturesFolder)
        guard let found = try fixture.examples(named: example).first else { return [] }
        plan.timeOfDay = plan.timeOfDay ?? found.now?.text
        plan.memory.merge(found.memory) { wished, _ in wished }
        return found.userWords
    }
}

extension CompiledFixture {
    func examples(named name: String?) throws -> [Example] {
        guard let name else { return examples }
        let found = examples.filter { $0.name == name }
        guard found.isEmpty else { return found }
        let names = examples.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw MockError("\(fileName) has no example \"\(name)\"; it has " + (names.isEmpty ? "none" : names))
    }
}
