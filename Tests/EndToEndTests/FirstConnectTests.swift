import Clocks
import Expectations
import Foundation
import MockKit
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("From the first request to a reply", .timeLimit(.minutes(5)))
struct FirstConnectTests {
    @Test("UI-245 SESSION_START, then the greeting: one bubble, open, not ended, no failure")
    func firstConnect() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            expectEqual(chat.client.config.connectorToken, "connector-token")
            expectEqual(chat.messages.lines, ["poly: Welcome."])
            #expect(chat.connection == .open && chat.isReady && chat.hasStarted)
            #expect(!chat.hasEnded && chat.failureReason == nil)
            expectEqual(chat.lastAgentMessage?.agentName, "Ada")
            expectEqual(chat.agentAvatarUrl?.absoluteString, "https://example.com/ada.png")
        }
    }

    @Test("CO-196 A start makes one token, one session, one connection, and CO-203 one join")
    func oneOfEach() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            expectEqual(stage.tap.requested, ["access-token", "sessions"])
            expectEqual(stage.tap.dialled.count, 1)
            expectEqual(stage.tap.sent("REQUEST_POLY_AGENT_JOIN").count, 1)
            let url = try #require(stage.tap.dialled.first)
            let id = try stage.sessionID(chat)
            #expect(url.contains("access_token=") && url.contains("session_id=\(id)"))
            #expect(!url.contains("cursor"))
        }
    }

    @Test("UI-231, UI-232 A message is pending at once, sent with its echo, and then answered")
    func turn() async throws {
        try await Stage.run(fixture: fixture(#"{ hears: "hi", replies: [ { say: "Hello!" } ] }"#)) { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("  hi ")
            expectEqual(chat.userMessages.map(\.text), ["hi"])
            try await stage.play("the reply", chat) { $0.agentMessages.count == 2 }
            expectEqual(chat.messages.lines, ["poly: Welcome.", "me: hi", "poly: Hello!"])
            expectEqual(stage.tap.sent("USER_MESSAGE").count, 1)
        }
    }

    @Test("What is said before there is a session waits for it and arrives once")
    func saidEarly() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try stage.chat()
            try await stage.during { try await chat.send("early") }
            try await stage.play("the answer", chat) {
                $0.agentMessages.contains { $0.text.contains("early") }
            }
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["early"])
            expectEqual(chat.userMessages.map(\.delivery), [.sent])
        }
    }

    @Test("Metadata comes back with the echo and does not disturb the SDK's own")
    func metadata() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("hi", metadata: ["screen": "checkout"])
            try await stage.play("the answer", chat) { $0.agentMessages.count == 2 }
            let frame = try #require(stage.tap.sent("USER_MESSAGE").first)
            #expect(frame.contains(#""screen":"checkout""#) && frame.contains(#""local_id":"#))
            expectEqual(chat.userMessages.map(\.delivery), [.sent])
        }
    }

    @Test("SESS-186 The session is made with device type and platform")
    func sessionFacts() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let id = try stage.sessionID(chat)
            let facts = try await stage.facts(of: id)
            #expect(facts?.platform == "ios" && facts?.deviceType == "desktop")
        }
    }

    @Test("A late listener gets the chat so far with a snapshot, and a late chat shows it")
    func lateListener() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "hi")
            let snapshot = chat.client.snapshot()
            expectEqual(snapshot.messages, chat.messages)
            #expect(snapshot.connection == .open && snapshot.session.isReady)
            let late = ChatSession(client: chat.client)
            #expect(late.messages == chat.messages && late.connection == .open && late.hasStarted)
            try await chat.send("once more")
            try await stage.play("the answer", late) { $0.agentMessages.count == 3 }
            await chat.catchUp()
            expectEqual(late.messages, chat.messages)
        }
    }

    @Test("Every change of a chat is told, and the stream of changes ends with the client")
    func changes() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try stage.chat()
            let changes = chat.changes
            let counting = Task { @MainActor in
                var count = 0
                for await _ in changes { count += 1 }
                return count
            }
            try await stage.play("the greeting", chat) { !$0.messages.isEmpty }
            await chat.client.shutdown()
            #expect(await counting.value >= 1)
            for await _ in chat.changes { Issue.record("the client has ended") }
        }
    }

    @Test("CFG-6 A configuration that makes no sense fails the chat; nothing is dialled")
    func nonsense() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try stage.chat { $0.environment = .cluster("No Cluster!") }
            try await stage.settle()
            await chat.catchUp()
            guard case .invalidConfiguration? = chat.failureReason else {
                Issue.record("\(String(describing: chat.failureReason))")
                return
            }
            await #expect(throws: PolyError.self) { try await chat.send("hi") }
            #expect(stage.tap.requested.isEmpty && stage.tap.dialled.isEmpty)
        }
    }
}
