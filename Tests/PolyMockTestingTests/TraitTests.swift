import Expectations
import MockServer
import PolyMockTesting
import Testing

private let greeter = """
    {
      fixture: 1, name: "Greeter", agent: { name: "Ada" },
      pace: "p", paces: { p: { think: "0ms", every: "0ms" }, slow: { think: "9s", every: "0ms" } },
      greeting: [ { say: "Welcome." } ],
      stages: { start: [ { name: "time", hears: "time", replies: [ { say: "It is late." } ] } ] },
      otherwise: [ { limit: 1, replies: [ { say: "Pardon?" } ] } ],
      faults: { busy: { at: "user message 1", do: { agentError: "high load" } } },
    }
    """

@Suite("The trait of the test kit", .mock(greeter), .timeLimit(.minutes(5)))
struct TraitTests {
    @Test("Each case of a parameterised test has a server of its own", arguments: 1...20)
    func cases(number: Int) async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("what time is it? \(number)")
        try await mock.expect(.reply("late"))
        try await mock.expect(.userMessage, exactly: 1)
        expectEqual(mock.observedEvents.count { $0.kind == .sessionStarted }, 1)
    }

    @Test("Traits of a test come after those of its suite", .seed(9), .pace("slow"), .fault("busy"))
    func settings() async throws {
        let mock = Mock.current
        expectEqual(mock.line, "mock:inline+busy@seed=9@pace=slow")
        expectEqual(mock.server.seed, 9)
        let chat = try await mock.chat()
        try await mock.expect(.reply("Welcome"), within: .seconds(9))
        expectEqual(mock.clock.elapsed, .seconds(9))
        try await chat.say("time")
        try await mock.expect(.fault("busy"))
    }

    @Test(
        "Settings, clock and movement come from traits",
        .configuration { $0.tokens.life = .minutes(2) },
        .clock(.scaled(20)), .moves(.step))
    func plan() async throws {
        let plan = Mock.current.plan
        expectEqual(plan.time, .scaled(20))
        expectEqual(plan.movement, .step)
        expectEqual(Mock.current.server.configuration.tokens.life, .minutes(2))
    }

    @Test("A test can play another fixture than its suite", .mock("booking"))
    func otherFixture() async throws {
        expectEqual(Mock.current.line, "mock:booking@seed=1")
        _ = try await Mock.current.chat()
        try await Mock.current.expect(.reply("Trattoria Lucia"))
    }

    @Suite("A suite inside a suite")
    struct Inner {
        @Test("It has the mock of the outer suite, one for each test", .seed(3))
        func inner() async throws {
            expectEqual(Mock.current.line, "mock:inline@seed=3")
        }
    }

    @Test("Every test has its own port", arguments: 1...8)
    func port(number: Int) async throws {
        // Neighbours that are gone may have had the port before; those that run may not.
        let mock = Mock.current
        let other = try await Mock.start(mock.plan)
        #expect(other.server.port != mock.server.port)
        await other.stop()
    }
}
