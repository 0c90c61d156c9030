import Expectations
import FixtureTools
import MockServer
import TestSupport
import Testing

@testable import MockKit

@Suite("A sweep", .timeLimit(.minutes(5)))
struct SweepTests {
    /// Two lines of the user, one reply each.
    private static let talk = fixture(
        #"{ name: "tea", hears: "tea", replies: [ { say: "Which kind?" } ] }"#,
        rest:
            #"examples: [ { name: "tea", talk: [ "user: tea please", "agent: Which kind?", "user: green" ] } ]"#
    )

    @Test("Every event of every example is interrupted, and the real SDK loses nothing")
    func clean() async throws {
        let report = try await Sweep(Self.talk).run()
        #expect(report.passes)
        expectEqual(report.results.map(\.isStreaming), [false, true])
        for result in report.results {
            expectEqual(result.example, "tea")
            #expect(result.eventCount > 5)
            #expect(result.runCount >= result.eventCount)
        }
        expectEqual(report.answer.code, 0)
    }

    /// A share of them every day; `Tests/interop/sweep/run.sh` has all of every fixture.
    @Test("All single interruptions of the booking fixture end as the quiet talk")
    func booking() async throws {
        var sweep = Sweep("booking")
        sweep.example = "four on Friday"
        sweep.mostCuts = Strength.of(8, full: KitLimits.sweptInterruptions)
        let report = try await sweep.run()
        #expect(report.findings.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.passes)
    }

    @Test("Pairs interrupt what the client catches up with as well")
    func pairs() async throws {
        var sweep = Sweep(Self.talk)
        sweep.streaming = .off
        sweep.lineCount = 0
        let singles = try await sweep.run().runCount
        sweep.withPairs = true
        let most = Strength.of(12, full: KitLimits.sweptPairs)
        sweep.mostPairs = most
        let report = try await sweep.run()
        #expect(report.passes)
        #expect(report.runCount >= singles + min(most, singles))
    }

    @Test("A fixture without examples is swept in its opening, and the report says so")
    func opening() async throws {
        let report = try await Sweep(fixture("")).run()
        #expect(report.passes)
        #expect(report.runCount > 4)
        #expect(report.lines[0].contains("the opening, as there is no example"))
    }

    @Test(
        "A planted reconnect mistake is found, shrunk, and shown again by one line",
        arguments: PlantedBug.allCases)
    func planted(_ flaw: PlantedBug) async throws {
        var sweep = Sweep(Self.talk)
        sweep.mostCuts = Strength.of(7, full: KitLimits.sweptInterruptions)
        sweep.flaw = flaw
        let report = try await sweep.run()
        #expect(!report.passes)
        expectEqual(report.answer.code, 1)
        let finding = try #require(report.findings.first)
        expectEqual(finding.cuts.count, 1)
        #expect(finding.says.isEmpty, "the opening is enough: \(finding.line)")
        let cut = try #require(finding.cuts.first)
        expectEqual(finding.line, "polymock sweep inline --example tea --lines 0 \(cut.flag)")
        expectEqual(report.lines.last?.hasPrefix("Again: polymock sweep inline --example tea"), true)

        var again = Sweep(Self.talk)
        again.flaw = flaw
        again.example = "tea"
        again.lineCount = 0
        again.cuts = [cut]
        let second = try #require(try await again.run().findings.first)
        expectEqual(second.differences, finding.differences)
        expectEqual(second.line, finding.line)
    }

    @Test("Interruptions that do not matter are left out")
    func fewestCuts() async throws {
        var run = SweepRun(plan: Sweep(Self.talk).plan, says: ["tea please", "green"], isStreaming: false)
        run.flaw = .repeatsLastReply
        let bench = SweepRig(base: run)
        let quiet = await bench.quiet()
        let cuts = [Interruption(at: 4), Interruption(at: 7)]
        let outcome = await bench.play(cuts, against: quiet)
        let failure = try #require(bench.failure(cuts, outcome, quiet))
        let shrunk = await bench.shrink(failure)
        expectEqual(shrunk.cuts.count, 1)
        #expect(shrunk.says.isEmpty)
    }

    @Test("The first interruption has to come about; the second may find nothing to interrupt")
    func missing() {
        let bench = SweepRig(
            base: SweepRun(plan: Sweep(Self.talk).plan, says: [], isStreaming: false))
        let quiet = SweepRun.Outcome()
        var outcome = SweepRun.Outcome()
        let cuts = [Interruption(at: 1), Interruption(at: 3)]
        let failure = bench.failure(cuts, outcome, quiet)
        expectEqual(failure?.differences, ["  the interruption never came about"])
        outcome.fired = 1
        expectEqual(bench.failure(cuts, outcome, quiet), nil)
    }

    @Test("Everything is doubled but an event without a sequence, which clients show as often as it comes")
    func doubled() {
        let arrived = [
            #"{"type":"EVENT_TYPE_USER_MESSAGE","sequence":3}"#,
            #"{"type":"EVENT_TYPE_SYSTEM_MESSAGE","sequence":null}"#,
            #"{"type":"EVENT_TYPE_SYSTEM_MESSAGE"}"#,
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[{"sequence":4},{"sequence":5}]}}"#,
        ]
        let faults = SweepRig.faults(arrived.map { Array($0.utf8) })
        expectEqual(faults.filter { $0.kind == .double }.map(\.message), [1, 4])
        expectEqual(faults.count { $0.kind == .halve }, 4)
    }

    @Test("A run ends in a hole as long as no numbered event follows the missing one")
    func endsInHole() {
        let course = CutPlan([Interruption(at: 2, .skip)])
        var seen: [Bool] = []
        for frame in [#"{"sequence":1}"#, #"{"sequence":2}"#, #"{"type":"X"}"#, #"{"sequence":3}"#] {
            _ = course.receive(Array(frame.utf8))
            seen.append(course.endsInHole)
        }
        expectEqual(seen, [false, true, true, false])
    }

    @Test("Half a character in front of a joiner is no difference, and a lost one is")
    func halvedInCluster() {
        let bench = SweepRig(base: SweepRun(plan: Sweep(Self.talk).plan, says: [], isStreaming: true))
        var (quiet, outcome) = (SweepRun.Outcome(), SweepRun.Outcome())
        quiet.rows = ["agent \"\u{1F469}\u{200D}\u{1F467}\""]
        outcome.rows = ["agent \"\u{1F469}\u{FFFD}\u{200D}\u{1F467}\""]
        outcome.fired = 1
        expectEqual(bench.failure([Interruption(at: 1, .halve)], outcome, quiet), nil)
        #expect(bench.failure([Interruption(at: 1, .double)], outcome, quiet) != nil)
        outcome.rows = ["agent \"\u{1F469}\u{FFFD}\""]
        #expect(bench.failure([Interruption(at: 1, .halve)], outcome, quiet) != nil)
    }

    @Test(
        "What looks like a missed end hides nothing unless the talk did end",
        arguments: [false, true] as [Bool])
    func falseEnd(hasEnded: Bool) {
        let bench = SweepRig(
            base: SweepRun(plan: Sweep(Self.talk).plan, says: [], isStreaming: false))
        var quiet = SweepRun.Outcome()
        quiet.journals = [["SESSION_START"] + (hasEnded ? ["SESSION_END"] : [])]
        quiet.rows = ["one", "two", "ended"]
        var outcome = quiet
        (outcome.rows, outcome.hasMissedEnd, outcome.fired) = (["one", "ended"], true, 1)
        let failure = bench.failure([Interruption(at: 1)], outcome, quiet)
        expectEqual(failure == nil, hasEnded)
    }

    @Test("A cut behind the last event is refused with the number of events")
    func beyond() async throws {
        var sweep = Sweep(Self.talk)
        sweep.cuts = [Interruption(at: 5_000)]
        let error = await #expect(throws: MockError.self) { try await sweep.run() }
        expectEqual(error?.description.hasPrefix("only "), true)
    }

    @Test("A cut that only the talk in chunks has is made there alone")
    func chunksOnly() async throws {
        let story = fixture(
            #"{ name: "tea", hears: "tea", replies: [ { say: "One two three four five six seven eight" } ] }"#,
            pace: #"{ think: "0ms", chunk: "1 word", every: "1ms" }"#)
        var sweep = Sweep(story)
        sweep.says = ["tea"]
        sweep.cuts = [Interruption(at: 13)]
        let report = try await sweep.run()
        #expect(report.passes)
        expectEqual(report.results.map(\.isStreaming), [true])
    }

    @Test("An example that does not pass is not swept")
    func failing() async throws {
        let text = fixture("", rest: #"examples: [ { name: "no", talk: [ "user: tea", "agent: coffee" ] } ]"#)
        await #expect(throws: MockError.self) { try await Sweep(text).run() }
    }

    @Test("An example that is not there is answered with those that are")
    func unknownExample() async throws {
        var sweep = Sweep(Self.talk)
        sweep.example = "coffee"
        let error = await #expect(throws: MockError.self) { try await sweep.run() }
        expectEqual(error?.description.contains("it has \"tea\""), true)
    }

    @Test("Words for a shell are quoted so that they arrive as they are")
    func quoting() {
        expectEqual(Sweep.quoted("booking"), "booking")
        expectEqual(Sweep.quoted("four on Friday"), "\"four on Friday\"")
        expectEqual(Sweep.quoted("it's 5$!"), "'it'\\''s 5$!'")
        expectEqual(Sweep.quoted(""), "\"\"")
    }

    @Test(
        "A talk with too many events is interrupted at evenly spread ones, the first and the last included"
    )
    func spread() {
        let few = SweepRig.spread(Array(1...1_000), over: 200)
        expectEqual(few.count, 200)
        expectEqual(few.first, 1)
        expectEqual(few.last, 1_000)
        expectEqual(Set(zip(few.dropFirst(), few).map { $0 - $1 }), [5, 6])
        expectEqual(SweepRig.spread([1, 2], over: 200), [1, 2])
    }

    @Test("A difference shows what is missing and what is new, in order")
    func difference() {
        let lines = SweepText.difference(["a", "b", "c"], ["a", "c", "c"], of: "chat")
        #expect(lines.contains("  chat - b"))
        #expect(lines.contains("  chat + c"))
        #expect(SweepText.difference(["a"], ["a"], of: "chat").isEmpty)
        expectEqual(SweepText.difference((0..<50).map(String.init), [], of: "chat").count, 9)
    }
}
