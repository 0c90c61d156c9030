import Expectations
import PolyMessaging
import PolyMockTesting
import Testing

/// The robot of the page about XCUITest, against a server of this process and an app that the SDK stands for. The
/// server's time is real, as in a UI test.
@Suite("The robot for UI tests", .mock("booking"), .clock(.real), .timeLimit(.minutes(5)))
struct RobotTests {
    private func robot(_ mock: Mock, tag: String) -> MockRobot {
        MockRobot(address: String(mock.url.dropFirst("http://".count)), tag: tag)
    }

    @Test("It adds fault for its own sessions, lets time pass, and waits for rows")
    func fault() async throws {
        let mock = Mock.current
        let robot = robot(mock, tag: "tunnel")
        try await robot.inject("tunnel")
        // Less than the 12 s after which the SDK gives up a message: here it is on the server's clock, too.
        try await robot.inject(at: "user message 1", do: "stall: '8s'")
        let chat = try await mock.chat { $0.connectorToken = robot.token("booking@seed=7@pace=instant") }
        try await expectEqual(robot.session(), chat.sessionID)
        async let said: Void = chat.say("a table, please")
        try await robot.wait(for: "dir:in type:USER_MESSAGE")
        try await robot.advance(by: "8s")
        try await said
        try await mock.expect(.fault("tunnel"), within: .minutes(1))
        try await mock.expect(.reconnect, within: .minutes(1))
        try await mock.expect(.reply("For how many"), within: .minutes(1))
    }

    @Test("A live agent joins, speaks and leaves; the agent is taken over")
    func person() async throws {
        let mock = Mock.current
        let robot = robot(mock, tag: "person")
        let chat = try await mock.chat { $0.connectorToken = robot.token("booking@pace=instant") }
        try await robot.join(as: "Marta")
        try await robot.say("Shall I put you by the window?", suggest: ["Yes", "No"])
        try await mock.expectInOrder([.liveAgentJoined, .liveAgentMessage("by the window")], in: chat)
        try await robot.leave()
        try await mock.expect(.liveAgentLeft)
        try await robot.takeOver()
        try await chat.say("anything")
        try await robot.say("One moment.")
        try await mock.expect(.reply("One moment"))
    }

    @Test("What no rule heard is found for the sessions of the test")
    func unmatched() async throws {
        let mock = Mock.current
        let robot = robot(mock, tag: "unheard")
        let chat = try await mock.chat { $0.connectorToken = robot.token("booking@pace=instant") }
        #expect(try await nothingWasUnmatched(robot))
        try await chat.say("purple")
        try await mock.expect(.unmatchedMessage, within: .minutes(1))
        #expect(try await !nothingWasUnmatched(robot))
    }

    @Test("A refusal throws polymock's own sentence")
    func refusal() async throws {
        let robot = robot(Mock.current, tag: "none")
        let error = await #expect(throws: MockRobot.Refusal.self) { try await robot.inject("tunel") }
        expectEqual(
            error?.description.hasSuffix("did you mean \"tunnel\"?"), true, "\(String(describing: error))")
    }
}
