import ConversationEngine
import Fixtures
import Matching

/// `polymock try`: reports which rule would answer each message of a conversation, or why none does.
package struct FixtureTrial: Equatable, Sendable {
    package var fixture: String
    /// User messages of one conversation, at least one.
    package var messages: [String]
    package var stage: String?
    /// Wall-clock time at the start, such as `21:00` or `Monday 21:00`. Default Thursday 09:30.
    package var now: String?
    /// Initial values of slots by name, written as in scenario tokens.
    package var memory: [String: String] = [:]
    package var folder: String?
    package var isJSON = false

    package init(fixture: String, messages: [String]) {
        self.fixture = fixture
        self.messages = messages
    }

    package init(fixture: String, message: String) { self.init(fixture: fixture, messages: [message]) }

    package func run() -> ToolAnswer {
        let script: Script
        switch FixtureSource.playable(fixture, folder: folder, else: "so it cannot be tried") {
        case .success(let found): script = found
        case .failure(let refusal): return refusal.answer
        }
        var line = ScenarioLine(fixture: script.name)
        line.memory = memory
        do throws(ScenarioProblem) {
            line.now = try now.map { text throws(ScenarioProblem) in try ScenarioLine.time(text) }
            return try answer(script, Scenario(line, playing: script))
        } catch {
            return .misuse(error.sentence)
        }
    }

    private func answer(_ script: Script, _ scenario: Scenario) -> ToolAnswer {
        do throws(RuleProbe.Failure) {
            let trials = try RuleProbe.talk(
                of: script, saying: messages, in: stage, localTime: scenario.localTime,
                memory: scenario.memory)
            var answer = ToolAnswer()
            for trial in trials {
                if isJSON {
                    answer.lines.append(trial.json(of: script))
                } else {
                    if messages.count > 1 { answer.lines.append("> \(trial.message)") }
                    answer.lines += text(trial, script)
                }
                if trial.report != nil { answer.code = 1 }
            }
            if trials.count < messages.count {
                answer.talk.append(
                    "polymock: the talk ends before \"\(messages[trials.count])\", which nobody hears")
                answer.code = 1
            }
            return answer
        } catch {
            return .misuse("\(error)")
        }
    }

    private func text(_ trial: RuleProbe, _ script: Script) -> [String] {
        if let report = trial.report { return [report.text] }
        guard let answer = trial.answer else { return ["Nobody listens: the agent has left."] }
        let stage = trial.stage.isEmpty ? "" : " in stage \"\(trial.stage)\""
        var lines = ["\"\(answer.rule)\" answers\(stage), \(script.file):\(answer.place.line)."]
        if !answer.captures.isEmpty {
            let values = answer.captures.entries.map { "\($0.name) \($0.value)" }
            lines.append("  caught  " + values.joined(separator: "  "))
        }
        var isThen = false
        for effect in trial.effects {
            switch effect {
            case .said(let text): lines.append("  said    \"\(text)\"")
            case .then(let text) where isThen: lines[lines.count - 1] += ", " + text
            case .then(let text): lines.append("  then    " + text)
            }
            if case .then = effect { isThen = true } else { isThen = false }
        }
        if trial.stageAfter != trial.stage { lines.append("  stage   \(trial.stageAfter)") }
        return lines
    }
}
