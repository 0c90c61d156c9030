import Clocks
import Expectations
import Foundation
import HTTPClient
import MockKit
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("A conversation", .timeLimit(.minutes(5)))
struct ConversationTests {
    static let counting = fixture(
        #"""
        { hears: "count", replies: [ { say: "one two three four", suggest: ["More"],
            attach: [ { title: "Numbers", link: "https://example.com/n" } ],
            call: [ { title: "Ring us", number: "+4420" } ] } ] }
        """#, pace: #"{ think: "100ms", chunk: "1 word", every: "100ms" }"#)

    static let handoff = fixture(
        #"{ hears: "person", replies: [ { say: "One moment." }, { handoff: "team" } ] }"#,
        rest: #"""
            handoffs: { team: {
              queue: { name: "Support", positions: [2], every: "2s", waitPerPlace: "30s" },
              liveAgent: { id: "p-7", name: "Robin", avatar: "https://example.com/robin.png" },
              opens: [ { think: "500ms" }, { say: "Hello, this is Robin." } ],
              rules: [ { hears: "thanks", replies: [ { say: "Bye!" }, { leave: "resolved" } ] } ],
              otherwise: [ { replies: [ { say: "I see." } ] } ] } }
            """#)

    @Test("UI-256 Progressive: the bubble grows with one id and gets suggestions and attachments")
    func progressive() async throws {
        try await Stage.run(fixture: Self.counting) { stage in
            let chat = try stage.chat(progressively: true)
            try await stage.play("the greeting", chat) { $0.agentMessages.first?.text == "Welcome." }
            try await chat.send("count")
            var texts: [String] = []
            var ids: Set<UUID> = []
            try await stage.play("the whole reply", chat) { chat in
                guard chat.agentMessages.count == 2, let reply = chat.lastAgentMessage else { return false }
                if texts.last != reply.text { texts.append(reply.text) }
                ids.insert(reply.id)
                return !reply.callActions.isEmpty
            }
            expectEqual(texts, ["one ", "one two ", "one two three ", "one two three four"])
            expectEqual(ids.count, 1)
            let reply = try #require(chat.lastAgentMessage)
            expectEqual(reply.suggestions.map(\.messageText), ["More"])
            expectEqual(reply.attachments.map(\.title), ["Numbers"])
            expectEqual(reply.callActions.map(\.contactNumber), ["+4420"])
        }
    }

    @Test(
        "Without a word about rendering, a chat does what the configuration says",
        arguments: [true, false] as [Bool])
    func renderingOfTheConfiguration(_ streams: Bool) async throws {
        try await Stage.run(fixture: Self.counting) { stage in
            let chat = ChatSession(client: try stage.client { $0.streamingEnabled = streams })
            try await stage.play("the greeting", chat) { $0.agentMessages.first?.text == "Welcome." }
            try await chat.send("count")
            var texts: Set<String> = []
            try await stage.play("the whole reply", chat) { chat in
                if let reply = chat.agentMessages.dropFirst().last { texts.insert(reply.text) }
                return !(chat.lastAgentMessage?.callActions.isEmpty ?? true)
            }
            expectEqual(texts.count, streams ? 4 : 1, "\(texts)")
        }
    }

    @Test("UI-257 Completed: dots while the reply streams, no bubble before it is whole")
    func completed() async throws {
        try await Stage.run(fixture: Self.counting) { stage in
            let client = try stage.client { $0.streamingEnabled = true }
            let chat = ChatSession(client: client, progressiveStreaming: false)
            try await stage.play("the greeting", chat) { $0.agentMessages.first?.text == "Welcome." }
            try await chat.send("count")
            var sawDots = false
            try await stage.play("the whole reply", chat) { chat in
                sawDots = sawDots || chat.isAgentTyping
                return chat.agentMessages.count == 2
            }
            #expect(sawDots && !chat.isAgentTyping)
            expectEqual(chat.lastAgentMessage?.text, "one two three four")
            expectEqual(chat.lastAgentMessage?.suggestions.map(\.messageText), ["More"])
        }
    }

    @Test("UI-248 The ladder of a handoff: pills in order, a live bubble, then the end")
    func ladder() async throws {
        try await Stage.run(fixture: Self.handoff) { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("person please")
            try await stage.play("the person", chat) { $0.lastAgentMessage?.agentKind == .live }
            expectEqual(chat.lastAgentMessage?.agentName, "Robin")
            expectEqual(chat.agentAvatarUrl?.absoluteString, "https://example.com/robin.png")
            try await chat.send("thanks")
            try await stage.play("the end", chat) { $0.hasEnded }
            expectEqual(
                chat.messages.lines.filter { !$0.hasPrefix("*") },
                [
                    "poly: Welcome.", "me: person please", "poly: One moment.", "live: Hello, this is Robin.",
                    "me: thanks", "live: Bye!",
                ])
            let pills = chat.systemMessages.map(\.event)
            expectEqual(
                pills,
                [
                    .handoffStarted, .handoffAccepted, .queueStatus(position: 2, displayMessage: nil),
                    .liveAgentJoined(name: "Robin"), .conversationEnded(reason: "resolved"),
                ])
            #expect(!chat.isAgentTyping)
            await #expect(throws: PolyError.self) { try await chat.send("still there?") }
        }
    }

    @Test("UI-246 The user ends: one end event, no pill, the store is empty")
    func userEnds() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.during { try await chat.end() }
            try await stage.play("the close", chat) { !$0.isReady }
            #expect(chat.hasEnded && chat.systemMessages.isEmpty)
            expectEqual(stage.tap.sent("USER_END_SESSION").count, 1)
            let now = stage.clock.now
            #expect(!PolyMessaging.hasResumableSession(chat.client.config, in: stage.store, at: now))
            await #expect(throws: PolyError.session(.sessionEnded(reason: "user_ended"))) {
                try await chat.send("late")
            }
        }
    }

    @Test("UI-222 The agent ends: its last words, one pill, and CO-214 an empty store")
    func agentEnds() async throws {
        let rules = #"{ hears: "bye", replies: [ { say: "Goodbye!" }, { end: "natural" } ] }"#
        try await Stage.run(fixture: fixture(rules)) { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("bye")
            try await stage.play("the end", chat) { $0.hasEnded && !$0.isReady }
            expectEqual(chat.messages.lines.dropLast(), ["poly: Welcome.", "me: bye", "poly: Goodbye!"])
            expectEqual(chat.systemMessages.count, 1)
            let now = stage.clock.now
            #expect(!PolyMessaging.hasResumableSession(chat.client.config, in: stage.store, at: now))
        }
    }

    @Test("UI-252 A new chat clears the old one: another session, another greeting, another join")
    func newChat() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "hi")
            let old = try stage.sessionID(chat)
            try await stage.during { try await chat.client.startNewSession() }
            try await stage.play("the new greeting", chat) { $0.messages.lines == ["poly: Welcome."] }
            #expect(try stage.sessionID(chat) != old)
            #expect(chat.hasStarted && !chat.hasEnded && chat.connection == .open)
            expectEqual(stage.tap.sent("REQUEST_POLY_AGENT_JOIN").count, 2)
            try await expectEqual(stage.facts(of: old)?.hasEnded, true)
        }
    }

    @Test("A new chat after the end of the old one")
    func newChatAfterEnd() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.during { try await chat.end() }
            #expect(chat.hasEnded)
            try await stage.during { try await chat.client.startNewSession() }
            try await stage.play("the new greeting", chat) { $0.messages.lines == ["poly: Welcome."] }
            #expect(!chat.hasEnded && chat.isReady)
        }
    }

    @Test("Two clients of one session show the same chat, and each other's messages once")
    func twoClients() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let first = try await stage.greetedChat()
            try await stage.ask(first, "from the first")
            let second = try stage.chat()
            try await stage.play("the history", second) { $0.agentMessages.count == 2 }
            try expectEqual(stage.sessionID(second), stage.sessionID(first))
            expectEqual(second.messages.lines, first.messages.lines)
            expectEqual(stage.tap.requested.count, 2, "the second one resumed")
            try await stage.ask(second, "from the second")
            try await stage.ask(first, "and again")
            await second.catchUp()
            try await stage.play("everything", second) { $0.messages.count == first.messages.count }
            expectEqual(second.messages.lines, first.messages.lines)
            #expect(first.userMessages.count == 3 && first.agentMessages.count == 4)
            expectEqual(stage.tap.sent("REQUEST_POLY_AGENT_JOIN").count, 1)
        }
    }

    @Test("SESS-190 A new client resumes the stored session with its whole history and its times (UI-268)")
    func resumed() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let first = try await stage.greetedChat()
            try await stage.ask(first, "hi")
            await first.client.shutdown()
            try await stage.pass(.seconds(599))
            let second = try stage.chat()
            try await stage.play("the history", second) { $0.agentMessages.count == 2 }
            expectEqual(second.messages.lines, first.messages.lines)
            expectEqual(second.agentMessages.map(\.timestamp), first.agentMessages.map(\.timestamp))
            expectEqual(stage.tap.requested, ["access-token", "sessions"])
            expectEqual(stage.tap.sent("REQUEST_POLY_AGENT_JOIN").count, 1)
        }
    }

    @Test("UI-271 A second shutdown does nothing; streams end, calls throw")
    func shutdown() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let (events, states) = (chat.client.events, chat.client.sessionState)
            await chat.client.shutdown()
            await chat.client.shutdown()
            for await _ in events {}
            for await _ in states {}
            await #expect(throws: PolyError.self) { try await chat.client.send("hi") }
            await #expect(throws: PolyError.self) { try await chat.client.resume() }
            try await stage.settle()
            await expectEqual(stage.network.traffic().connectionCount, 0)
        }
    }

    @Test("A client that nobody refers to stops by itself, and its session can be resumed")
    func forgotten() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            var chat: ChatSession? = try await stage.greetedChat()
            await expectEqual(stage.network.traffic().connectionCount, 1)
            let config = try #require(chat?.client.config)
            chat = nil
            for _ in 0..<1_000 where await stage.network.traffic().connectionCount != 0 {
                try await stage.settle()
            }
            await expectEqual(stage.network.traffic().connectionCount, 0)
            #expect(PolyMessaging.hasResumableSession(config, in: stage.store, at: stage.clock.now))
        }
    }

    @Test(
        "A typing timeout that is no length of time does no harm",
        arguments: [-1, 0, .nan, .infinity, 1e300] as [TimeInterval])
    func oddTimeout(_ seconds: TimeInterval) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = ChatSession(client: try stage.client(), typingTimeout: seconds)
            try await stage.play("the greeting", chat) { !$0.messages.isEmpty }
            #expect(!chat.isAgentTyping)
        }
    }

    @Test(
        "UI-263 Typing dots vanish after their time, a time of the app's choice too",
        arguments: [10, 3] as [Int])
    func dots(_ seconds: Int) async throws {
        let rules = #"{ hears: "think", replies: [ { think: "40s" }, { say: "Done." } ] }"#
        try await Stage.run(fixture: fixture(rules)) { stage in
            let client = try stage.client()
            let chat = ChatSession(client: client, typingTimeout: TimeInterval(seconds))
            try await stage.play("the greeting", chat) { !$0.messages.isEmpty }
            try await chat.send("think")
            try await stage.play("the dots", chat) { $0.isAgentTyping }
            try await stage.pass(.seconds(Int64(seconds)) - .milliseconds(1))
            await chat.catchUp()
            #expect(chat.isAgentTyping)
            try await stage.pass(.milliseconds(1))
            await chat.catchUp()
            #expect(!chat.isAgentTyping)
        }
    }
}
