import ConversationEngine
import Fixtures
import Texts

/// `polymock simulate`: runs seeded random users against a fixture, and reduces each failure to few steps.
package struct FixtureSimulation: Equatable, Sendable {
    package var fixture: String
    package var count = 1_000
    package var length = 20
    package var seed: UInt64 = 1
    package var folder: String?
    package var isJSON = false

    package init(fixture: String) { self.fixture = fixture }

    package func run() -> ToolAnswer {
        let script: Script
        switch FixtureSource.playable(fixture, folder: folder, else: "so no user can be simulated") {
        case .success(let found): script = found
        case .failure(let refusal): return refusal.answer
        }
        let report = Simulator(script, seed: seed, length: length).run(count)
        return ToolAnswer(
            lines: isJSON ? [json(report)] : text(report, file: script.file),
            code: report.failures.isEmpty ? 0 : 1)
    }

    private func text(_ report: SimulationReport, file: String) -> [String] {
        var lines = [
            "\(report.simulations) users sent \(report.messages) messages, which made \(report.entries) events. "
                + "\(report.ended) conversations ended.",
            "\(report.unmatched) messages met no rule, as is usual: users say each phrase in any stage, and "
                + "\(report.offTopic) messages were off topic on purpose.",
        ]
        for rule in report.unreached {
            lines.append("\(file):\(rule.line): no user reached rule \"\(rule.name)\"")
        }
        for gap in report.emptyGaps {
            lines.append("\(file):\(gap.line): a text was said with nothing in the gap {\(gap.name)}")
        }
        for failure in report.failures {
            lines.append("user \(failure.simulation): \(failure.reason)")
            if let begins = failure.begins { lines.append("  begins: \(begins)") }
            for step in failure.steps { lines.append("  \(step)") }
            if failure.steps.count < failure.originalCount {
                lines.append("  (\(failure.originalCount) steps before it was shrunk)")
            }
            lines.append("Again: polymock simulate \(fixture) --seed \(seed) --users \(failure.simulation)")
        }
        if report.failures.isEmpty {
            lines.append(
                report.unreached.isEmpty
                    ? "Nothing went wrong, and each rule answered somebody." : "Nothing went wrong.")
        }
        return lines
    }

    private func json(_ report: SimulationReport) -> String {
        JSONWriter.line([
            ("fixture", .string(fixture)), ("seed", .string("\(seed)")),
            ("users", .integer(Int64(report.simulations))), ("messages", .integer(Int64(report.messages))),
            ("events", .integer(Int64(report.entries))), ("ended", .integer(Int64(report.ended))),
            ("unmatched", .integer(Int64(report.unmatched))),
            (
                "unreached",
                .array(
                    report.unreached.map {
                        .object(["rule": .string($0.name), "line": .integer(Int64($0.line))])
                    })
            ),
            (
                "emptyGaps",
                .array(
                    report.emptyGaps.map {
                        .object(["gap": .string($0.name), "line": .integer(Int64($0.line))])
                    })
            ),
            (
                "failures",
                .array(
                    report.failures.map { failure in
                        .object([
                            "user": .integer(Int64(failure.simulation)), "reason": .string(failure.reason),
                            "begins": failure.begins.map { .string($0) } ?? .null,
                            "steps": .array(failure.steps.map { .string($0.description) }),
                        ])
                    })
            ),
        ])
    }
}
