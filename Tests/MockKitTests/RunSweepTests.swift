import Clocks
import Expectations
import Fixtures
import HTTPClient
import TestSupport
import Testing
import Texts

@testable import MockKit

@Suite("Runs under a sweep", .timeLimit(.minutes(5)))
struct RunSweepTests {
    @Test(
        "Each stream of a fixture with runs is cut before each event: the client says why, and goes on",
        arguments: ["weather", "refunds"] as [String])
    func shipped(_ fixture: String) async throws {
        var sweep = Sweep(fixture)
        sweep.streaming = .off
        sweep.mostCuts = Strength.of(8, full: KitLimits.sweptInterruptions)
        sweep.lineCount = 1
        let report = try await sweep.run()
        #expect(!report.runs.isEmpty)
        #expect(report.runs.allSatisfy { $0.differences.isEmpty && $0.cutCount > 2 }, "\(report.lines)")
        #expect(report.runs.allSatisfy { $0.secondCount > 0 })
        #expect(report.passes)
        #expect(
            report.lines.contains {
                $0.contains("over AG-UI") && $0.hasSuffix("the client says why, and goes on")
            })
    }

    @Test("Runs that go wrong by themselves are not cut, and the report says why")
    func ownFault() async throws {
        var sweep = Sweep("mishaps")
        sweep.streaming = .off
        sweep.example = "Order"
        let report = try await sweep.run()
        #expect(report.passes)
        expectEqual(report.runs.map(\.cutCount), [0])
        expectEqual(
            report.lines.last?.contains("not cut, as it goes wrong by itself: The text message is not open"),
            true)
    }

    @Test("Only a fixture that goes wrong on purpose may, and what cannot be played is a difference")
    func unwanted() async throws {
        let bytes = try #require(Embedded.fixture("mishaps"))
        let mishaps = FixtureLoader.compile(bytes: bytes, fileName: "mishaps.json5", name: "mishaps")
        let example = try #require(mishaps.examples.first { $0.name == "Order" })
        expectEqual(mishaps.script?.mayGoWrong, true)
        func result(_ fixture: String, mayGoWrong: Bool) async throws -> RunSweep.Result {
            try await RunSweep(
                plan: MockPlan(fixture), example: example, lineCount: nil, mayGoWrong: mayGoWrong
            ).run()
        }
        let order = try await result("mishaps", mayGoWrong: false)
        #expect(order.ownFault == nil && order.cutCount == 0)
        expectEqual(order.differences.count, 1)
        expectEqual(order.differences.first?.hasPrefix("without a cut: The text message is not open"), true)
        let none = try await result("{ fixture: 9 }", mayGoWrong: true)
        #expect(none.ownFault == nil && none.differences.count == 1)
        expectEqual(none.lines(of: "x").first?.hasSuffix("1 difference"), true)
        for name in ["weather", "refunds"] {
            let bytes = try #require(Embedded.fixture(name))
            let script = FixtureLoader.compile(bytes: bytes, fileName: name, name: name).script
            expectEqual(script?.mayGoWrong, false)
        }
    }

    @Test("Runs are asked for where the SDK of the Messaging API talks, not with contacts too")
    func contacts() async throws {
        var sweep = Sweep("weather")
        sweep.example = "One call"
        sweep.streaming = .off
        sweep.lineCount = 0
        sweep.mostCuts = 2
        sweep.client = .connect
        #expect(try await sweep.run().runs.isEmpty)
    }

    @Test("Cuts that all come too late are found")
    func unfired() {
        let cuts = [(1, 1), (1, 2), (2, 1), (2, 2)].map { RunSweep.Cut(run: $0.0, event: $0.1) }
        let whole = RunSweep.Outcome(runs: [RunSweep.Heard(events: ["begin"])])
        var broken = whole
        broken.runs[0].error = "cut"
        expectEqual(RunSweep.unfired(cuts, [broken, whole, whole, whole]), [2])
        #expect(RunSweep.unfired(cuts, [whole, broken, broken, broken]).isEmpty)
    }

    @Test("A second run that changes the first, or does not end, is found")
    func besideAnother() {
        let quiet = RunSweep.Outcome(runs: [RunSweep.Heard(events: ["begin", "end"])])
        var outcome = quiet
        expectEqual(RunSweep.difference(secondRun: 1, outcome, quiet)?.contains("nobody asked for it"), true)
        outcome.second = RunSweep.Heard(events: ["begin"], error: "busy")
        expectEqual(RunSweep.difference(secondRun: 1, outcome, quiet)?.hasSuffix("does not end: busy"), true)
        outcome.second = RunSweep.Heard(events: ["begin", "end"])
        expectEqual(RunSweep.difference(secondRun: 1, outcome, quiet), nil)
        outcome.runs[0].events = ["begin", "begin", "end"]
        expectEqual(RunSweep.difference(secondRun: 1, outcome, quiet)?.contains("something else"), true)
        expectEqual(RunSweep.difference(secondRun: 2, outcome, quiet), "it was never asked for")
    }

    @Test("A fixture without words for runs is not asked for any")
    func plain() async throws {
        var sweep = Sweep("hello")
        sweep.lineCount = 0
        sweep.mostCuts = 2
        #expect(try await sweep.run().runs.isEmpty)
    }

    @Test("What a client must not do is found")
    func found() {
        let whole = RunSweep.Heard(events: ["begin", "end"])
        let quiet = RunSweep.Outcome(runs: [whole])
        let cut = RunSweep.Cut(run: 1, event: 2)
        func difference(_ change: (inout RunSweep.Outcome<String>) -> Void) -> String? {
            var outcome = RunSweep.Outcome(runs: [.init(events: ["begin"], error: "cut")])
            (outcome.joined, outcome.again) = (.init(), .init())
            change(&outcome)
            return RunSweep.difference(cut, outcome, quiet)
        }
        expectEqual(difference { _ in }, nil)
        expectEqual(difference { $0.runs = [whole] }, nil)
        expectEqual(difference { $0.runs[0].error = nil }, "the client takes the rest for all there is")
        expectEqual(
            difference { $0.runs[0].events = ["end"] },
            "the client heard what was not sent")
        expectEqual(difference { $0.joined = nil }, "the thread cannot be joined: nobody tried")
        expectEqual(difference { $0.again?.error = "no" }, "the thread does not go on: no")
        expectEqual(difference { $0.failure = "it hangs" }, "it hangs")
        expectEqual(difference { $0.runs = [] }, "it was never asked for")
    }
}

@Suite("The bytes of a run", .timeLimit(.minutes(5)))
struct RunByteTests {
    private static let fixture = """
        { fixture: 1, pace: "p", paces: { p: { think: "3ms", chunk: "1 words", every: "2ms" } },
          tools: { look: { takes: "5ms", results: [{ gives: { a: 1 } }] } },
          otherwise: [{ replies: [{ reason: "Hm." }, { tool: "look", with: {} }, { state: { b: 2 } },
            { say: "You said {message}." }] }] }
        """

    private static func question(_ thread: String) -> RunQuestion {
        RunQuestion(says: "tea", thread: thread, run: "r")
    }

    /// Twenty every day.
    @Test("A hundred runs of one line are a hundred times the same bytes")
    func hundred() async throws {
        let mock = try await Mock.start(MockPlan(Self.fixture))
        var all: Set<String> = []
        for number in 100..<Strength.of(120, full: 200) {
            let answer = try await mock.answer(to: Self.question("\(number)"), by: mock.plan.line)
            let text = String(decoding: answer.bytes, as: UTF8.self)
            all.insert(text.split(separator: "\"\(number)\"").joined(separator: "T"))
        }
        expectEqual(all.count, 1)
        expectEqual(all.first.map { $0.count > 500 }, true)
        await mock.stop()
    }

    @Test("A run of more bytes than may wait is read to its end")
    func long() async throws {
        let mock = try await Mock.start(
            MockPlan(
                """
                { fixture: 1, pace: "instant", runs: { echo: true },
                  otherwise: [{ replies: [{ say: "Tea." }] }] }
                """))
        var question = Self.question("t")
        let words = String(repeating: "x", count: 3 * KitLimits.recordingBacklog)
        question.answers = [
            .object(["id": .string("s"), "role": .string("system"), "content": .string(words)])
        ]
        let answer = try await mock.answer(to: question, by: mock.plan.line)
        #expect(answer.bytes.count > words.utf8.count)
        #expect(String(decoding: answer.bytes.suffix(200), as: UTF8.self).contains("RUN_FINISHED"))
        await mock.stop()
    }

    @Test("An answer that is too long or silent for too long is not waited for")
    func limits() async {
        let clock = VirtualClock()
        let short = RunListener(clock: clock, silence: nil, limitBytes: 3)
        short.receive(.part([1, 2]))
        short.receive(.part([3, 4]))
        await expectEqual(short.answer().refusal, "the run has more than 3 bytes")
        for bytes: [UInt8] in [[], [1]] {
            let quiet = RunListener(clock: clock, silence: .minutes(2))
            clock.advance(by: .minutes(3))
            quiet.receive(.began(.init(status: 200, body: [])))
            clock.advance(by: .seconds(119))
            if !bytes.isEmpty { quiet.receive(.part(bytes)) }
            clock.advance(by: .minutes(2))
            let answer = await quiet.answer()
            expectEqual(answer.bytes, bytes)
            let refusal = "the agent begins to answer, and is silent for 120 s"
            expectEqual(answer.refusal, bytes.isEmpty ? refusal : nil)
        }
    }

    @Test("In mock time and in real time the same bytes are told")
    func realTime() async throws {
        var plan = MockPlan(Self.fixture)
        let still = try await Mock.start(plan)
        plan.time = .real
        let real = try await Mock.start(plan)
        let first = try await still.answer(to: Self.question("t"), by: plan.line).bytes
        try await expectEqual(real.answer(to: Self.question("t"), by: plan.line).bytes, first)
        #expect(first.count > 500)
        await still.stop()
        await real.stop()
    }
}
