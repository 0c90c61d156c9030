import Clocks
import Texts

/// Fault injection for one conversation over Amazon Connect chat.
package struct ContactSweep: Sendable {
    package struct Finding: Sendable, Equatable {
        package var faults: [ContactFault]
        package var says: [String]
        package var differences: [String]
    }

    package struct Result: Sendable, Equatable {
        package var example: String?
        package var runCount = 0
        package var leftOut = 0
        package var findings: [Finding] = []

        func lines(of fixture: String) -> [String] {
            let talk = example.map { "\"\($0)\"" } ?? "the talk"
            let runs = Counted.text(runCount, "run")
            var line = "\(fixture): \(talk) over Amazon Connect chat with a fault of the service, \(runs): "
            line +=
                findings.isEmpty ? "nothing is lost or doubled" : Counted.text(findings.count, "difference")
            if leftOut > 0 { line += "; \(leftOut) more were left out, evenly" }
            return [line]
                + findings.flatMap { finding in
                    let says = finding.says.map { Sweep.quoted($0) }.joined(separator: ", ")
                    let faults = finding.faults.map(\.description).joined(separator: "; ")
                    return ["  \(faults), said: \(says.isEmpty ? "nothing" : says)"] + finding.differences
                }
        }
    }

    var plan: MockPlan
    var example: String?
    var says: [String]
    var isStreaming = false
    var flaw: ContactFlaw?
    var mostFaults = KitLimits.sweptInterruptions
    var mostPairs = 0
    var mostFindings = KitLimits.differingLines

    /// - Throws: ``MockError`` when the conversation fails even without a fault.
    package func run() async throws -> Result {
        let quiet = await quietTalk()
        if let failure = quiet.failure ?? quiet.refusal {
            throw MockError("the talk does not pass without faults: \(failure)")
        }
        let all = ContactFault.all(requests: quiet.requests, items: quiet.items)
        let chosen = SweepRig.spread(all, over: mostFaults).map { [$0] } + pairs(of: all)
        var result = Result(example: example, runCount: 0, leftOut: max(0, all.count - mostFaults))
        while result.runCount < chosen.count {
            let batch = chosen.dropFirst(result.runCount).prefix(16 * KitLimits.parallelRuns)
            result.runCount += batch.count
            let differing = await SweepRig.together(Array(batch)) { faults -> [ContactFault]? in
                differences(faults, await play(faults), quiet).isEmpty ? nil : faults
            }
            for faults in differing.compactMap({ $0 }) {
                // A real difference appears again; one caused by a busy machine does not.
                guard let finding = await shrunk(faults) else { continue }
                if !result.findings.contains(finding) { result.findings.append(finding) }
                if result.findings.count == mostFindings { return result }
            }
        }
        return result
    }

    /// Plays twice without faults; the second run drops no reply.
    private func quietTalk() async -> Outcome {
        var quiet = await play([])
        quiet.second = await play([], hearsAll: true).heard
        return quiet
    }

    private func pairs(of all: [ContactFault]) -> [[ContactFault]] {
        var chance = SeededGenerator(seed: plan.seed)
        return (0..<mostPairs).map { _ in
            (0..<2).map { _ in all[Int(chance.next() % UInt64(all.count))] }
        }
    }

    // MARK: - Shrinking

    /// Removes faults and last messages while a difference remains; nil if the difference does not appear again.
    private func shrunk(_ faults: [ContactFault]) async -> Finding? {
        guard var best = await finding(faults, says) else { return nil }
        for fault in faults where best.faults.count > 1 {
            if let fewer = await finding(best.faults.filter { $0 != fault }, says) { best = fewer }
        }
        for count in 0..<says.count {
            if let shorter = await finding(best.faults, Array(says.prefix(count))) { return shorter }
        }
        return best
    }

    private func finding(_ faults: [ContactFault], _ says: [String]) async -> Finding? {
        var sweep = self
        sweep.says = says
        let quiet = await sweep.quietTalk()
        let lines = sweep.differences(faults, await sweep.play(faults), quiet)
        return lines.isEmpty ? nil : Finding(faults: faults, says: says, differences: lines)
    }

    // MARK: - Comparing

    struct Outcome: Sendable {
        var own: [(text: String, hasArrived: Bool)] = []
        var heard: [String] = []
        var second: [String]?
        var ids: [String] = []
        var hasEnded = false
        /// Agent messages that are shown only in part.
        var unfinished: [String] = []
        /// Texts of unreadable items, or their file names.
        var spoiled: [String] = []
        var arrived: [String] = []
        var requests = 0
        var items = 0
        var fired = 0
        var refusal: String?
        var failure: String?
    }

    private func differences(_ faults: [ContactFault], _ other: Outcome, _ quiet: Outcome) -> [String] {
        if let failure = other.failure { return ["  the talk stops: \(failure)"] }
        if other.refusal != nil {
            // A refused customer gets an error, and has no rows to compare.
            return faults.contains { $0.isRefusal } ? [] : ["  not connected: \(other.refusal ?? "")"]
        }
        var lines: [String] = []
        lines += SweepText.difference(
            says.sorted(by: inOrder), other.own.map(\.text).sorted(by: inOrder), of: "own")
        let shown = other.own.filter(\.hasArrived).map(\.text)
        // After the end of the contact, the client cannot know whether a failed last message arrived.
        let isLost = other.hasEnded && faults.contains(where: \.isOfRequest)
        let arrived = other.arrived.filter { !isLost || $0 != says.last || shown.contains($0) }
        lines += SweepText.difference(
            arrived.sorted(by: inOrder), shown.sorted(by: inOrder), of: "arrived")
        lines += Self.disorder(of: other.arrived, in: says)
        lines += other.unfinished.map { "  agent \"\($0)\" is not shown whole" }
        if Set(other.ids).count != other.ids.count { lines.append("  a row is there twice") }
        guard other.arrived == quiet.arrived else { return lines }
        lines += SweepText.difference(
            Self.readable(quiet.heard, other.spoiled, other.heard), other.heard, of: "agent")
        if let second = other.second {
            lines += SweepText.difference((quiet.second ?? []) + says, second, of: "second")
        }
        return lines
    }

    static func disorder(of arrived: [String], in says: [String]) -> [String] {
        var rest = says[...]
        let isSubsequence = arrived.allSatisfy { text in
            guard let place = rest.firstIndex(of: text) else { return false }
            rest = rest[(place + 1)...]
            return true
        }
        return isSubsequence ? [] : SweepText.difference(says, arrived, of: "order")
    }

    /// Removes the rows of unreadable items from `quiet`, but not more rows than `other` lacks.
    static func readable(_ quiet: [String], _ spoiled: [String], _ other: [String]) -> [String] {
        spoiled.reduce(quiet) { rows, text in
            let places = rows.indices.filter { rows[$0] == text }
            guard places.count > other.count(where: { $0 == text }) else { return rows }
            let shorter = places.map { place in
                var rest = rows
                rest.remove(at: place)
                return rest
            }
            return shorter.first { $0 == other } ?? shorter.last ?? rows
        }
    }

    /// Whether `left` was sent before `right`.
    private func inOrder(_ left: String, _ right: String) -> Bool {
        (says.firstIndex(of: left) ?? 0) < (says.firstIndex(of: right) ?? 0)
    }
}

extension ContactFault {
    fileprivate var isOfRequest: Bool {
        if case .request = kind { true } else { false }
    }

    fileprivate var isRefusal: Bool {
        switch kind {
        case .request(.refused), .request(.replaced), .request(.late): true
        default: false
        }
    }
}
