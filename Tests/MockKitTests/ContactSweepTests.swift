import Expectations
import MockServer
import TestSupport
import Testing

@testable import MockKit

@Suite("A sweep over Amazon Connect chat", .timeLimit(.minutes(5)))
struct ContactSweepTests {
    /// Two lines of the user, one reply each.
    private static let talk = fixture(
        #"{ name: "tea", hears: "tea", replies: [ { say: "Which kind?" } ] }"#,
        rest:
            #"examples: [ { name: "tea", talk: [ "user: tea please", "agent: Which kind?", "user: green" ] } ]"#,
        pace: #"{ think: "10ms", chunk: "1 word", every: "10ms" }"#)

    /// Two replies to each line: of one that is missed alone, the newest item is all there is.
    private static let twice = fixture(
        #"{ name: "tea", hears: "tea", replies: [ { say: "Which kind?" }, { say: "Green or black?" } ] },"#
            + #"{ name: "green", hears: "green", replies: [ { say: "Here it is." }, { say: "Enjoy." } ] }"#,
        pace: #"{ think: "10ms", chunk: "1 word", every: "10ms" }"#)

    private func sweep(_ fixture: String) -> Sweep {
        var sweep = Sweep(fixture)
        sweep.client = .connect
        return sweep
    }

    @Test("Messages arrive in the order in which they were said; a line said twice may fail once")
    func order() {
        let says = ["a", "b", "c", "a"]
        for arrived in [says, ["b", "c", "a"], ["a", "c"], []] {
            #expect(ContactSweep.disorder(of: arrived, in: says).isEmpty)
        }
        for arrived in [["c", "b"], ["a", "b", "a", "c"], ["b", "b"], ["x"]] {
            #expect(!ContactSweep.disorder(of: arrived, in: says).isEmpty)
        }
    }

    @Test("Of equal rows an unreadable item explains one that is missing, not two")
    func readable() {
        let quiet = ["pic", "one", "pic", "two"]
        expectEqual(ContactSweep.readable(quiet, ["pic"], quiet), quiet)
        expectEqual(ContactSweep.readable(quiet, ["pic"], ["one", "pic", "two"]), ["one", "pic", "two"])
        expectEqual(ContactSweep.readable(quiet, ["pic"], ["pic", "one", "two"]), ["pic", "one", "two"])
        expectEqual(ContactSweep.readable(quiet, ["pic"], ["one", "two"]).count, 3)
        expectEqual(ContactSweep.readable(quiet, [], ["one", "two"]), quiet)
    }

    @Test("Every item of every example is interrupted, and the SDK loses nothing and shows nothing twice")
    func clean() async throws {
        let report = try await sweep(Self.talk).run()
        #expect(report.findings.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.passes)
        expectEqual(report.results.map(\.isStreaming), [false, true])
        for result in report.results {
            #expect(result.eventCount > 5)
            #expect(result.runCount >= result.eventCount)
        }
        let counts = report.results.map(\.eventCount)
        #expect(counts[1] > counts[0], "a streamed reply has more items")
    }

    /// A share of them every day, as ``SweepTests/booking()``.
    @Test("All single interruptions of the booking fixture end as the quiet talk")
    func booking() async throws {
        var sweep = sweep("booking")
        sweep.example = "four on Friday"
        sweep.mostCuts = Strength.of(8, full: KitLimits.sweptInterruptions)
        let report = try await sweep.run()
        #expect(report.findings.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.passes)
    }

    @Test("An end that is missed stands behind what was told, though the server's stamps are ahead")
    func missedEnd() async throws {
        var sweep = sweep("booking")
        sweep.example = "a dozen meet Marta"
        sweep.streaming = .off
        sweep.cuts = [Interruption(at: 22)]
        let report = try await sweep.run()
        #expect(report.passes, "\(report.lines.joined(separator: "\n"))")
        expectEqual(report.results.map(\.renewed), [1])
    }

    @Test("Pairs interrupt the catching up as well")
    func pairs() async throws {
        var sweep = sweep(Self.talk)
        sweep.lineCount = 1
        sweep.streaming = .off
        sweep.withPairs = true
        sweep.mostPairs = Strength.of(12, full: KitLimits.sweptPairs)
        let report = try await sweep.run()
        #expect(report.findings.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.passes)
    }

    /// ``PlantedBug/losesBehindFaults`` needs a fault that leaves the connection open: here it is
    /// ``ContactFlaw/losesNeighbour``, below.
    @Test(
        "A planted reconnect mistake is found, and shown again by one line",
        arguments: [PlantedBug.cursorTooFar, .repeatsLastReply] as [PlantedBug])
    func planted(_ flaw: PlantedBug) async throws {
        // Two replies in a row: of one that is missed alone, the newest item is all there is.
        var sweep = sweep(
            fixture(
                #"{ name: "tea", hears: "tea", replies: [ { say: "Which kind?" }, { say: "Green or black?" } ] }"#,
                rest: #"examples: [ { name: "tea", talk: [ "user: tea please", "agent: Which kind?" ] } ]"#))
        sweep.mostCuts = Strength.of(7, full: KitLimits.sweptInterruptions)
        sweep.flaw = flaw
        let report = try await sweep.run()
        #expect(!report.passes)
        let finding = try #require(report.findings.first)
        #expect(finding.line.contains(" --connect"))
        #expect(!finding.differences.isEmpty)
    }

    /// What each fault may do, once at each request and item; with `POLYMOCK_STRENGTH=full` all of them, and pairs.
    @Test("A fault of the service loses nothing and doubles nothing, whatever it is and wherever it fires")
    func faults() async throws {
        var faults = ContactSweep(plan: sweep(Self.twice).plan, says: ["tea please", "green"])
        faults.mostFaults = Strength.of(40, full: 10_000)
        faults.mostPairs = Strength.of(10, full: 400)
        for isStreaming in [false, true] {
            faults.isStreaming = isStreaming
            let result = try await faults.run()
            #expect(result.findings.isEmpty, "\(result.lines(of: "inline").joined(separator: "\n"))")
            #expect(result.runCount >= Strength.of(50, full: 200))
        }
    }

    @Test(
        "A planted mistake that shows with a fault alone is found, shrunk and shown",
        arguments: ContactFlaw.allCases)
    func plantedFault(_ flaw: ContactFlaw) async throws {
        var faults = ContactSweep(plan: sweep(Self.twice).plan, says: ["tea please", "green"])
        (faults.mostFaults, faults.mostFindings) = (10_000, 1)
        faults.flaw = flaw
        let result = try await faults.run()
        let finding = try #require(result.findings.first, "\(flaw)")
        #expect(finding.faults.count == 1 && !finding.differences.isEmpty)
        #expect(result.lines(of: "inline").contains { $0.contains(finding.faults[0].description) })
    }
}
