package import FixtureTools
import Texts

package struct SweepReport: Sendable, Equatable {
    package struct Result: Sendable, Equatable {
        /// Nil if the fixture has no example, or if ``Sweep/says`` sets the messages.
        package var example: String?
        package var lineCount: Int
        package var isStreaming: Bool
        package var client = Sweep.Client.messaging
        /// Number of messages to the client in the undisturbed run.
        package var eventCount: Int
        package var runCount = 0
        /// Number of interruptions that were not tried.
        package var leftOut = 0
        package var differing = 0
        /// Number of runs whose session ended while the client was away.
        package var renewed = 0
    }

    package struct Finding: Sendable, Equatable {
        package var example: String?
        package var says: [String]
        package var isStreaming: Bool
        var failure: SweepRig.Failure
        package var line: String

        package var cuts: [Interruption] { failure.cuts }
        package var differences: [String] { failure.differences }
    }

    package var fixture: String
    package var results: [Result] = []
    /// Results over AG-UI.
    package var runs: [RunSweep.Result] = []
    /// Results over Amazon Connect chat, with one fault of the service per run.
    package var faults: [ContactSweep.Result] = []
    package var findings: [Finding] = []

    package init(fixture: String) { self.fixture = fixture }

    package var runCount: Int { results.reduce(0) { $0 + $1.runCount } }
    package var passes: Bool {
        findings.isEmpty && results.allSatisfy { $0.runCount > 0 && $0.differing == 0 }
            && runs.allSatisfy { $0.differences.isEmpty } && faults.allSatisfy { $0.findings.isEmpty }
    }

    package var lines: [String] {
        var lines =
            results.map(line) + runs.flatMap { $0.lines(of: fixture) }
            + faults.flatMap { $0.lines(of: fixture) }
        for finding in findings {
            lines.append("")
            lines.append(header(finding))
            lines += finding.differences
            lines.append("Again: " + finding.line)
        }
        return lines
    }

    package var answer: ToolAnswer { ToolAnswer(lines: lines, code: passes ? 0 : 1) }

    private func line(_ result: Result) -> String {
        let talk =
            result.example.map { "\"\($0)\"" }
            ?? (result.lineCount == 0 ? "the opening, as there is no example" : "given lines")
        let mode =
            (result.isStreaming ? "in chunks" : "whole")
            + (result.client == .connect ? " over Amazon Connect chat" : "")
        let events = Counted.text(result.eventCount, "event")
        let runs = Counted.text(result.runCount, "run")
        var verdict: String
        if result.runCount == 0 {
            verdict = "nothing was interrupted"
        } else if result.differing == 0 {
            verdict =
                "\(runs), all end as the quiet one"
                + (result.renewed == 0 ? "" : ", \(result.renewed) \(behindTheEnd(result.client))")
        } else {
            verdict = "\(result.differing) of \(runs) differ"
        }
        if result.leftOut > 0 { verdict += "; \(result.leftOut) more were left out, evenly" }
        return "\(fixture): \(talk), replies \(mode), \(events): \(verdict)"
    }

    private func behindTheEnd(_ client: Sweep.Client) -> String {
        client == .messaging ? "in a new session after the end" : "informed of an end that they missed"
    }

    private func header(_ finding: Finding) -> String {
        let cuts = zip(finding.failure.cuts, finding.failure.events).map { cut, event in
            "\(cut.words) event \(cut.message) (\(event))"
        }
        let talk = finding.example.map { "Example \"\($0)\"" } ?? "The talk"
        let count = finding.says.count
        let lines =
            count == 0
            ? "the opening alone" : Counted.text(count, "line") + " of the user"
        return "\(talk), replies \(finding.isStreaming ? "in chunks" : "whole"), \(lines), "
            + cuts.joined(separator: " and ") + ":"
    }
}
