import Clocks
import Foundation
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("From the first request to a reply", .timeLimit(.minutes(1)))
struct FirstConnectTests {
    @Test("UI-245 SESSION_START, then the greeting: one bubble, open, not ended, no failure")
    func firstConnect() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try stage.chat()
            try await stage.play("the greeting") {
                await chat.catchUp(); return !chat.messages.isEmpty
            }
            #expect(chat.messages.lines == ["poly: Welcome."])
            #expect(chat.connection == .open && chat.isReady && chat.hasStarted)
            #expect(!chat.hasEnded && chat.failureReason == nil)
            #expect(stage.meddler.requested == ["access-token", "sessions"])
            #expect(stage.meddler.dialled.count == 1)
            #expect(stage.meddler.sent("REQUEST_POLY_AGENT_JOIN").count == 1)
        }
    }

    @Test("UI-232 A message is pending, then sent, then answered")
    func turn() async throws {
        try await Stage.run(fixture: fixture(#"{ hears: "hi", replies: [ { say: "Hello!" } ] }"#)) { stage in
            let chat = try stage.chat()
            try await stage.play("the greeting") {
                await chat.catchUp(); return !chat.messages.isEmpty
            }
            try await chat.send("  hi ")
            #expect(chat.userMessages.map(\.text) == ["hi"])
            try await stage.play("the reply") {
                await chat.catchUp(); return chat.agentMessages.count == 2
            }
            #expect(chat.messages.lines == ["poly: Welcome.", "me: hi", "poly: Hello!"])
            #expect(stage.meddler.sent("USER_MESSAGE").count == 1)
        }
    }
}
