import AgentRuns
import Expectations
import MockServer
import PolyMessaging
import PolyMockTesting
import Testing
import XCTest

/// The examples in the doc comments of the kit, word for word, executed; `DocPagesTests` compares.
@Suite("The examples of the kit's doc comments", .mock("booking"), .timeLimit(.minutes(5)))
struct DocComments {
    @Test("A mock of its own")
    func mock() async throws {
        let plan = MockPlan("booking")
        let mock = try await Mock.start(plan)
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .seconds(5))
        await mock.stop()
    }

    @Test("A plan says what a mock plays")
    func plan() async throws {
        var plan = MockPlan("booking")
        plan.seed = 7
        plan.pace = "instant"
        plan.changes.append { $0.tokens.life = .hours(1) }
        let mock = try await Mock.start(plan)
        expectEqual(mock.server.configuration.tokens.life, .hours(1))
        await mock.stop()
    }

    @Test("A chat speaks and is answered")
    func chat() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.type()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
        print(try await chat.replies)
        try await chat.end()
    }

    @Test("A mock has all events and complaints")
    func observed() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
        let replies = mock.observedEvents.filter { $0.kind == .reply }
        print(replies.map(\.text))
        for complaint in mock.complaints { print(complaint.text) }
        print(mock.replayLine())
        let lines = await mock.journal()
        #expect(!lines.isEmpty)
    }

    @Test("A contact speaks and is answered")
    func contact() async throws {
        let mock = Mock.current
        let contact = try await mock.contact()
        try await contact.say("a table, please")
        try await mock.expect(.reply("For how many"))
        print(try await contact.replies)
        try await contact.end()
    }

    @Test("An agent runs", .mock("weather"))
    func agent() async throws {
        let mock = Mock.current
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thread-1")
        _ = try await thread.send("weather in Leeds")
        let done = try await mock.letTimePass { try await thread.runToCompletion() }
        print(done.visibleText)
    }

    // swift-format-ignore
    @Test("Time passes at once")
    func clock() async throws {
        let mock = Mock.current
        _ = try await mock.chat()
        mock.clock.advance(by: .minutes(5))      // takes milliseconds
        try await mock.clock.catchUp()
        try await mock.expect(.heartbeat, exactly: 10)
        try await mock.clock.untilIdle()         // no scripted step is left
        try await mock.clock.runNextTimer()      // the next heartbeat
    }

    // swift-format-ignore
    @Test("A connection is lost")
    func network() async throws {
        let mock = Mock.current
        _ = try await mock.chat()
        mock.network.cut()
        try await mock.expect(.reconnect)
        try await mock.expect(.join, exactly: 1)     // a reconnect must not join again
        mock.network.set(isReachable: false)
        mock.network.refuse(1)                       // the next connection fails
        mock.network.set(isReachable: true)
        try await mock.expect(.reconnect, atLeast: 2, within: .minutes(1))
    }

    @Test("A live agent speaks")
    func speaker() async throws {
        let mock = Mock.current
        let chat = try await mock.chat { $0.extensions = [.changes] }
        try await chat.say("a table, please")
        let marta = try await mock.liveAgent(in: chat, named: "Marta")
        try await marta.type()
        try await marta.say("I have a table at the window.")
        try await mock.expect(.liveAgentMessage("at the window"))
        try await marta.edit(to: "I have two.")  // where the chat asked for changes
        try await marta.react("👍")
        try await marta.unsend()
        try await marta.handBack()
    }

    @Test("Code answers in place of a rule")
    func overriding() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await mock.override(rule: "book") { said in
            [.think(.seconds(2)), .say("You said: \(said.text)")]
        } during: {
            try await chat.say("a table, please")
            try await mock.expect(.reply("You said: a table"))
        }
    }

    @Test("A fault is added by its name")
    func injecting() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        let lift = try await mock.inject("lift")
        try await chat.say("a table, please")
        try await mock.expect(.fault("lift"))
        try await lift.remove()
    }

    // swift-format-ignore
    @Test("Patterns say what is expected")
    func pattern() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))    // these words, wherever they stand
        try await mock.expect(.reply, atLeast: 2)        // the greeting, and this one
        try await mock.expect(.userMessage("a table"))
        try await mock.expect(.event("USER_MESSAGE"))
        try await mock.expect(.system("high load"), exactly: 0)
        try await mock.expect(.agentError("high load"), exactly: 0)
        try await mock.expect(.handoff(.accepted), exactly: 0)
        try await mock.expect(.queue(1), exactly: 0)
        try await mock.expect(.violation("join-once"), exactly: 0)
    }

    struct Current {
        @Test(.mock("webchat"))
        func greets() async throws {
            _ = try await Mock.current.chat()
            try await Mock.current.expect(.reply)
        }
    }

    struct Settings {
        @Test(.mock("webchat"), .configuration { $0.tokens.life = .minutes(5) })
        func life() async throws {
            expectEqual(Mock.current.server.configuration.tokens.life, .minutes(5))
        }
    }

    enum Trait {
        @Suite(.mock("booking"), .pace("instant"), .violations(.fail), .unmatched(.warn))
        struct BookingTests {
            @Test(.seed(7), .memory("people", "4"), .timeOfDay("21:00"), .stage("start"), .moves(.time))
            func firstQuestion() async throws {
                let chat = try await Mock.current.chat()
                try await chat.say("a table, please")
                try await Mock.current.expect(.reply("For how many"))
            }
        }
    }
}

final class BookingCase: MockTestCase {
    override var fixture: String { "booking" }

    func testFirstQuestion() async throws {
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
    }
}
