import ConversationEngine
import Expectations
import TestSupport
import Testing

@testable import Fixtures

@Suite("Simulations", .timeLimit(.minutes(5)))
struct SimulationTests {
    private func script(_ name: String) throws -> Script {
        try #require(ShippedFixturesTests.compile(name).script)
    }

    @Test("No shipped fixture is broken by simulated users", arguments: try ShippedFixturesTests.names())
    func shipped(name: String) throws {
        let report = Simulator(try script(name), seed: 11).run(Strength.of(4, full: 60))
        #expect(report.failures.isEmpty, "\(report.failures)")
        #expect(report.emptyGaps.isEmpty, "\(report.emptyGaps)")
        #expect(report.simulations >= Strength.of(4, full: 8) && report.entries > report.simulations)
    }

    @Test("A simulation is decided by its seed alone")
    func repeatable() throws {
        let script = try script("booking")
        let count = Strength.of(20, full: 40)
        let first = Simulator(script, seed: 5).run(count)
        expectEqual(Simulator(script, seed: 5).run(count), first)
        #expect(Simulator(script, seed: 6).run(count) != first)
        #expect(first.messages > 5 * count)
    }

    @Test("Users tap, drop out, interrupt and go off topic, and reach most rules")
    func reach() throws {
        let report = Simulator(try script("booking"), seed: 1).run(Strength.of(150, full: 300))
        #expect(report.unmatched > 0 && report.ended > 0)
        #expect(report.unreached.count <= 1, "\(report.unreached)")
    }

    @Test("A planted fault is found and shrunk to at most 5 messages")
    func shrinks() throws {
        var simulator = Simulator(try script("booking"), seed: 3)
        // Planted: the front desk must never hear of a party of twelve.
        simulator.forbids = { entry in
            guard case .liveAgentMessage(let message, _) = entry.event else { return nil }
            return message.text.contains("12") ? "the front desk was told \"\(message.text)\"" : nil
        }
        // The same simulations, and more of them where the first ones do not find it.
        let failures = [50, 200, 2_000].lazy.map { simulator.run($0).failures }.first { !$0.isEmpty }
        let failure = try #require(failures?.first)
        #expect(failure.steps.count <= 5 && failure.originalCount >= failure.steps.count, "\(failure)")
        #expect(failure.steps.contains { $0.text?.contains("twelve") == true }, "\(failure)")
    }

    @Test("A shrunk simulation still leads there, and nothing of it can be left out")
    func minimal() throws {
        var simulator = Simulator(try script("booking"), seed: 9)
        simulator.forbids = { entry in
            if case .queueStatus = entry.event { return "a queue" }
            return nil
        }
        let failures = [50, 200].lazy.map { simulator.run($0).failures }.first { !$0.isEmpty }
        let failure = try #require(failures?.first)
        #expect(failure.steps.count <= 3, "\(failure)")
    }

    @Test(
        "An agent that speaks within the hour comes to rest, a later one does not",
        arguments: ["59m", "1h", "61m"] as [String])
    func patience(_ wait: String) throws {
        let text = """
            { fixture: 1, name: "T", pace: "p", paces: { p: { think: "0ms", every: "0ms" } },
              greeting: [ { wait: "\(wait)" }, { say: "Hello" } ],
              anywhere: [ { hears: "*", replies: [ { say: "Yes" } ] } ] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "t.json5", name: "t")
        let report = Simulator(try #require(fixture.script), length: 1).run(5)
        expectEqual(report.failures.isEmpty, wait != "61m", "\(report.failures)")
    }

    @Test("A text that was said with nothing in a gap is told, with its line")
    func emptyGap() throws {
        let text = """
            { fixture: 1, name: "T", memory: { a: null },
              greeting: [ { say: "Hello" } ],
              anywhere: [ { hears: "a {a:word}", replies: [ { say: "{a}" } ] },
                          { hears: "*", replies: [ { say: "So it is {a}, is it?" } ] } ] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "t.json5", name: "t")
        let report = Simulator(try #require(fixture.script)).run(20)
        #expect(report.failures.isEmpty)
        expectEqual(report.emptyGaps, [SimulationReport.EmptyGap(name: "a", line: 4)])
    }

    /// Two simulations more than those above every day.
    @Test("No shipped talk has a hole in it, whatever its users say")
    func shippedTalksHaveNoHoles() throws {
        for name in try ShippedFixturesTests.names() {
            let script = try #require(try ShippedFixturesTests.compile(name).script)
            expectEqual(Simulator(script, length: 12).run(Strength.of(2, full: 150)).emptyGaps, [], "\(name)")
        }
    }
}
