import Clocks
import Expectations
import MockKit
import PolyMessaging
import Testing

@Suite("Who speaks in place of the script", .timeLimit(.minutes(5)))
struct SpeakerTests {
    private static let shop = fixture(
        #"{ name: "price", hears: "price of {thing:word}", replies: [ { say: "Ten pounds." } ] }"#,
        rest: "memory: { thing: null },")

    @Test("A test takes over from the agent and hands back; nothing is lost or said twice")
    func agent() async throws {
        try await withMock(Self.shop) { mock in
            let chat = try await mock.chat()
            let agent = try await mock.agent(in: chat)
            try await chat.say("price of tea")
            try await mock.expect(never: .reply("pounds"), within: .minutes(1))
            try await agent.type()
            try await agent.say("Let me look.", suggest: ["Thanks"])
            try await mock.expect(.reply("let me look"), exactly: 1)
            try await agent.handBack()
            try await chat.say("price of tea")
            try await mock.expect(.reply("ten pounds"))
            try await expectEqual(chat.replies, ["Welcome.", "Let me look.", "Ten pounds."])
        }
    }

    @Test("Who speaks edits, reacts and withdraws, where the client asked for changes")
    func changes() async throws {
        try await withMock(Self.shop) { mock in
            let chat = try await mock.chat { $0.extensions = [.changes] }
            let seen = Locked<[MessageChangedPayload.Change]>([])
            let events = chat.client.events
            let task = Task {
                for await case .messageChanged(_, let payload) in events {
                    seen.withLock { $0.append(payload.change) }
                }
            }
            let marta = try await mock.liveAgent(in: chat, named: "Marta")
            try await chat.say("price of tea")
            try await marta.say("Nine pounds.")
            try await marta.edit(to: "Ten pounds.")
            try await marta.react("👍")
            try await marta.react("👍", isOn: false)
            try await marta.unsend()
            while seen.withLock({ $0.count }) < 4 { await Task.yield() }
            task.cancel()
            expectEqual(
                seen.withLock { $0 },
                [
                    .text("Ten pounds."), .reaction("👍", isOn: true), .reaction("👍", isOn: false), .deleted,
                ])
            await #expect(throws: MockError.self) { try await marta.edit(to: "Eleven") }
            let plain = try await mock.chat()
            let agent = try await mock.agent(in: plain)
            await #expect(throws: MockError.self) { try await agent.unsend() }
        }
    }

    @Test("A person joins, types, speaks and leaves the talk to the agent")
    func person() async throws {
        try await withMock(Self.shop) { mock in
            let chat = try await mock.chat()
            let marta = try await mock.liveAgent(in: chat, named: "Marta")
            try await marta.type()
            try await marta.say("Marta here.")
            try await chat.say("price of tea")
            try await marta.leave()
            try await mock.expectInOrder([
                .handoff(.accepted), .liveAgentJoined, .typing, .liveAgentMessage("Marta here"), .userMessage,
                .liveAgentLeft,
            ])
            try await mock.expect(never: .reply("pounds"))
            await #expect(throws: MockError.self) { try await marta.leave() }
        }
    }

    @Test("A closure answers in place of one rule, and the rule is back afterwards")
    func replyOverride() async throws {
        try await withMock(Self.shop) { mock in
            let chat = try await mock.chat()
            try await mock.override(rule: "price") { said in
                [.think(.seconds(2)), .say("\(said.memory["thing"] ?? "?") is free, {today}.")]
            } during: {
                try await chat.say("price of tea")
                try await mock.expect(.reply("tea is free, {today}"), within: .seconds(2))
            }
            try await chat.say("price of tea")
            try await mock.expect(.reply("ten pounds"))
            try await mock.expect(.reply("free"), exactly: 1)
        }
    }

    @Test("Closures of mocks side by side do not meet")
    func sideBySide() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await withMock(Self.shop) { mock in
                        let chat = try await mock.chat()
                        try await mock.override(rule: "*") { _ in
                            [.say("answer \(number)")]
                        } during: {
                            try await chat.say("what?")
                            try await mock.expect(.reply("answer \(number)"))
                        }
                        try await mock.expect(.reply, exactly: 2)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
