import Expectations
import MockKit
import PolyMessaging
import Testing

/// Handoffs as the SDK lives through them: the four documented paths and eight awkward ones.
@Suite("Handoffs against the SDK", .timeLimit(.minutes(5)))
struct HandoffTests {
    private static func desk(
        _ handoff: String =
            #"queue: { name: "Desk", positions: [3, 2, 1], every: "4s", waitPerPlace: "30s" },"#,
        otherwise: String = #"{ replies: [ { say: "I see." } ] }"#
    ) -> String {
        fixture(
            #"{ name: "human", hears: "human", replies: [ { say: "One moment." }, { handoff: "desk" } ] }"#,
            rest: """
                handoffs: { desk: { \(handoff)
                  liveAgent: { id: "p-7", name: "Robin" },
                  opens: [ { think: "1s" }, { say: "Robin here." } ],
                  rules: [ { name: "bye", hears: "bye", replies: [ { say: "See you." }, { leave: "resolved" } ] } ],
                  otherwise: [ \(otherwise) ] } },
                """)
    }

    private func begin(_ mock: Mock) async throws -> MockChat {
        let chat = try await mock.chat()
        try await chat.say("human, please")
        return chat
    }

    // MARK: - As documented

    /// protocol.md#handoff-by-server, protocol.md#person-leaves
    @Test("Server-managed: queue, person, goodbye")
    func serverManaged() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await begin(mock)
            try await mock.expectInOrder(
                [
                    .handoff(.triggered), .handoff(.accepted), .queue(3), .queue(2), .queue(1),
                    .liveAgentJoined,
                    .liveAgentMessage("Robin here"),
                ], within: .minutes(1))
            try await chat.say("bye")
            try await mock.expectInOrder([
                .liveAgentMessage("See you"), .liveAgentLeft, .sessionEnded(.natural),
            ])
        }
    }

    /// protocol.md#handoff-by-client
    @Test("Client-managed: the client is told where to go, and nobody follows")
    func clientManaged() async throws {
        try await withMock(
            fixture(
                #"{ hears: "human", replies: [ { handoff: "desk" } ] }"#,
                rest: #"handoffs: { desk: { mode: "client", reason: "policy", route: "salesforce" } },"#)
        ) { mock in
            _ = try await begin(mock)
            try await mock.expect(.handoff(.clientRequired))
            try await mock.expect(never: .liveAgentJoined, within: .minutes(2))
        }
    }

    /// protocol.md#handoff-fails
    @Test("Failed: the agent takes the talk up again")
    func failed() async throws {
        try await withMock(Self.desk(#"outcome: "fails","#)) { mock in
            let chat = try await begin(mock)
            try await mock.expect(.handoff(.failed))
            try await chat.say("hello?")
            try await mock.expect(.reply("You said hello?"))
        }
    }

    @Test("Timed out: the queue ends without a live agent")
    func timedOut() async throws {
        try await withMock(
            Self.desk(#"outcome: "times out", queue: { positions: [2, 1], every: "2s" },"#)
        ) { mock in
            _ = try await begin(mock)
            try await mock.expectInOrder([.queue(2), .queue(1), .handoff(.timedOut)])
            try await mock.expect(never: .liveAgentJoined, within: .seconds(30))
        }
    }

    // MARK: - Awkward

    @Test("Awkward: the connection drops in the queue, and each position is told once")
    func dropInQueue() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await begin(mock)
            try await mock.expect(.queue(2))
            mock.network.cut()
            try await mock.expect(.liveAgentMessage("Robin here"), within: .minutes(1))
            try await mock.expect(.reconnect, exactly: 1)
            let shown = try await chat.messages.filter(\.isQueueStatus).count
            expectEqual(shown, 3)
        }
    }

    @Test("Awkward: a drop between acceptance and joining loses nobody")
    func dropBeforeJoin() async throws {
        try await withMock(Self.desk("")) { mock in
            let chat = try await mock.chat()
            try await mock.inject(at: "live agent joins", do: "drop: 'connection'")
            try await chat.say("human, please")
            try await mock.expect(.liveAgentMessage("Robin here"), within: .minutes(1))
            try await mock.expect(.liveAgentJoined, exactly: 1)
            try await expectEqual(chat.replies, ["Welcome.", "One moment.", "Robin here."])
        }
    }

    @Test("Awkward: what is said in the queue is echoed and not answered")
    func messageInQueue() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await begin(mock)
            try await mock.expect(.queue(3))
            try await chat.say("is anybody there?")
            try await mock.expect(.liveAgentMessage("Robin here"), within: .minutes(1))
            try await mock.expect(never: .reply("You said"), within: .seconds(5))
            try await mock.expect(.userMessage("anybody"), exactly: 1)
        }
    }

    @Test("Awkward: the position goes up, and is told as it is")
    func positionGoesUp() async throws {
        try await withMock(Self.desk(#"queue: { positions: [2, 5, 1], every: "2s" },"#)) { mock in
            _ = try await begin(mock)
            try await mock.expectInOrder([.queue(2), .queue(5), .queue(1), .liveAgentJoined])
        }
    }

    @Test("Awkward: a live agent who never says a word leaves the session to silence")
    func silentLiveAgent() async throws {
        let silent = fixture(
            #"{ hears: "human", replies: [ { handoff: "desk" } ] }"#,
            rest: #"handoffs: { desk: { liveAgent: { id: "p", name: "Robin" }, opens: [], rules: [] } },"#)
        try await withMock(silent) {
            $0.unmatched = .pass
        } _: { mock in
            let chat = try await begin(mock)
            try await mock.expect(.liveAgentJoined)
            try await chat.say("hello?")
            try await mock.expect(never: .liveAgentMessage, within: .minutes(5))
            try await chat.leave()
            try await mock.expect(.sessionEnded(.abandoned), within: .minutes(11))
        }
    }

    @Test("Awkward: the live agent leaves in the middle of typing, and the agent goes on")
    func leavesMidSentence() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await mock.chat()
            let marta = try await mock.liveAgent(in: chat, named: "Marta")
            try await marta.type()
            try await marta.leave()
            try await chat.say("hello?")
            try await mock.expect(.reply("You said hello?"))
            try await mock.expect(.liveAgentLeft, exactly: 1)
        }
    }

    @Test("Awkward: two handoffs in one talk, the first of them failed by a fault")
    func twoHandoffs() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await mock.chat()
            try await mock.inject(at: "queue update 2", do: "handoff: 'fails'")
            try await chat.say("human, please")
            try await mock.expect(.handoff(.failed), within: .minutes(1))
            try await chat.say("human, please")
            try await mock.expect(.liveAgentMessage("Robin here"), within: .minutes(1))
            try await mock.expect(.handoff(.triggered), exactly: 2)
        }
    }

    @Test("Awkward: the user ends the session in the queue, and no live agent comes")
    func endInQueue() async throws {
        try await withMock(Self.desk()) { mock in
            let chat = try await begin(mock)
            try await mock.expect(.queue(3))
            try await chat.end()
            try await mock.expect(.sessionEnded(.user))
            try await mock.expect(never: .liveAgentJoined, within: .minutes(1))
        }
    }

    @Test(
        "The booking fixture's handoff passes by time, step by step, and at once",
        arguments: [
            MockPlan.Movement.time, .step, .atOnce,
        ] as [MockPlan.Movement])
    func movements(movement: MockPlan.Movement) async throws {
        try await withMock("booking") {
            $0.movement = movement
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            try await see(.reply("For how many people?"), mock)
            try await chat.say("twelve")
            for sight in [
                Pattern.reply("fetch my colleague"), .queue(3), .queue(2), .queue(1),
                .liveAgentMessage("a table for 12"),
            ] { try await see(sight, mock) }
            try await chat.say("thanks")
            try await see(.liveAgentMessage("See you soon"), mock)
            try await see(.sessionEnded(.natural), mock)
        }
    }

    /// Step by step nothing moves but what the test runs.
    private func see(_ pattern: Pattern, _ mock: Mock) async throws {
        guard mock.plan.movement == .step else { return try await mock.expect(pattern, within: .minutes(1)) }
        for _ in 0..<200 {
            if mock.observedEvents.contains(where: pattern.matches) { break }
            _ = try await mock.clock.runNextTimer()
        }
        try await mock.expect(pattern)
    }
}

extension ChatMessage {
    fileprivate var isQueueStatus: Bool {
        if case .system(let message) = self, case .queueStatus = message.event { return true }
        return false
    }
}
