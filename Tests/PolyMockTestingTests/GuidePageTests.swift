import Foundation
import PolyMessaging
import PolyMockTesting
import Testing

/// The blocks of `Shared/Docs/testing-with-swift-testing.md`, executed.
@Suite("Bookings", .mock("booking"))
struct BookingGuideTests {
    @Test("Lucia asks how many will come")
    func asks() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
        #expect(try await chat.replies.count == 2)  // the greeting, and the answer
    }
}

@Suite("What the page about Swift Testing shows", .timeLimit(.minutes(5)))
struct GuidePageTests {
    @Test("Silence for ten minutes ends the session", .mock("webchat"))
    func idle() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.leave()
        mock.clock.advance(by: .minutes(10))
        try await mock.expect(.sessionEnded(.abandoned))
    }

    @Test("A connection lost in the middle of an answer costs nothing", .mock("booking"))
    func drop() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await mock.inject(at: "user message 1", do: "drop: 'connection'")
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"))
        try await mock.expect(.reconnect, exactly: 1)
        try await mock.expect(.userMessage, exactly: 1)
    }

    @Test("A restart of the service is survived", .mock("booking"), .fault("bad-deploy"), .seed(7))
    func restart() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .minutes(1))
    }

    @Test("The app shows what a live agent says", .mock("booking"))
    func person() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        let marta = try await mock.liveAgent(in: chat, named: "Marta")
        try await marta.say("Shall I put you by the window?", suggest: ["Yes", "No"])
        try await mock.expectInOrder([.liveAgentJoined, .liveAgentMessage("by the window")])
        #expect(try await chat.replies.last == "Shall I put you by the window?")
    }

    @Test("The app's own client books a table", .mock("booking"), .pace("instant"), .clock(.real))
    func ownClient() async throws {
        let mock = Mock.current
        let rest = try #require(URL(string: mock.restURL))
        let socket = try #require(URL(string: mock.webSocketURL))
        let chat = await PolyMessaging.start(
            .init(
                connectorToken: mock.line, environment: .custom(restBaseURL: rest, wsBaseURL: socket),
                hostIdentifier: "com.example.app"))
        try await chat.send("a table, please")
        try await mock.expect(.reply("For how many"), within: .minutes(1))
        await chat.client.shutdown()
    }

    @Test("One rule answers differently for a while", .mock("booking"))
    func overridden() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await mock.override(rule: "hours") { _ in
            [.say("We are closed for repairs.")]
        } during: {
            try await chat.say("opening hours?")
            try await mock.expect(.reply("closed for repairs"))
        }
        try await chat.say("opening hours?")
        try await mock.expect(.reply("from noon to eleven"))
    }
}
