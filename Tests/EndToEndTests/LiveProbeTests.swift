import Clocks
import Expectations
import Foundation
import MockKit
import PolyMessaging
import TestSupport
import Testing

/// What the published SDK's suite asks a real server, asked of ours with the fixture it has by default.
@MainActor
@Suite("Probes of a real server", .timeLimit(.minutes(5)))
struct LiveProbeTests {
    @Test("UI-254 The agent greets, and answers a question")
    func greetsAndAnswers() async throws {
        try await Stage.run { stage in
            let chat = try stage.chat()
            try await stage.play("the greeting", chat) { !$0.agentMessages.isEmpty }
            expectEqual(chat.lastAgentMessage?.text.isEmpty, false)
            try await stage.ask(chat, "count to 3")
            expectEqual(chat.lastAgentMessage?.text, "one two three")
            #expect(!chat.hasEnded && chat.failureReason == nil)
        }
    }

    @Test(
        "UI-255 The greeting's first row has suggestions and an attachment, a link is a URL, a goodbye ends the chat",
        arguments: [false, true] as [Bool])
    func greetingLinkAndEnd(isStreaming: Bool) async throws {
        try await Stage.run { stage in
            let chat = try stage.chat(progressively: isStreaming) { $0.streamingEnabled = isStreaming }
            // No later than its first words: a reader who looks between two chunks sees them as well.
            try await stage.play("the greeting", chat) { !$0.agentMessages.isEmpty }
            let greeting = try #require(chat.lastAgentMessage)
            #expect(!greeting.suggestions.isEmpty && !greeting.attachments.isEmpty)
            try await stage.ask(chat, "send me a link to google")
            try await stage.play("the link", chat) { chat in
                let words = chat.lastAgentMessage?.text.split { " ()[]".contains($0) } ?? []
                return words.contains { URL(string: String($0))?.scheme == "http" }
            }
            try await chat.send("end the convo")
            try await stage.play("the end", chat) { $0.hasEnded }
            expectEqual(chat.failureReason, nil)
        }
    }

    @Test("SESS-186 Both calls are answered with success, and the server knows platform and device")
    func calls() async throws {
        try await Stage.run { stage in
            let chat = try stage.chat()
            try await stage.play("the greeting", chat) { !$0.agentMessages.isEmpty }
            expectEqual(stage.tap.requested, ["access-token", "sessions"])
            let facts = try await stage.facts(of: stage.sessionID(chat))
            #expect(facts?.platform == "ios" && facts?.deviceType == "desktop")
        }
    }

    @Test("A mock: line as connector token chooses fixture and seed for its session alone")
    func scenarioToken() async throws {
        try await Stage.run { stage in
            let chat = try stage.chat { $0.connectorToken = "mock:booking@seed=7@pace=instant" }
            try await stage.play("the greeting", chat) { !$0.agentMessages.isEmpty }
            let other = try stage.chat(store: MemorySessionStore())
            try await stage.play("the other greeting", other) { !$0.agentMessages.isEmpty }
            #expect(chat.lastAgentMessage?.text != other.lastAgentMessage?.text)
        }
    }

    @Test("LOG-275 No secret is logged in a session with a handoff, an outage, a refusal and an end")
    func wholeSession() async throws {
        try await Stage.run { stage in
            let chat = try stage.chat(progressively: true)
            try await stage.play("the greeting", chat) { !$0.agentMessages.isEmpty }
            var sessions = [try stage.sessionID(chat)]
            for secret in ["count to 5", "my name is Nebukadnezar", "show me everything"] {
                try await stage.ask(chat, secret)
            }
            stage.tap.cutAll()
            try await stage.play("the recovery", chat) { $0.isReady && stage.tap.dialled.count == 2 }
            try await chat.send("I want to talk to a person")
            try await stage.play("the person", chat) { $0.lastAgentMessage?.agentKind == .live }
            await chat.sendTyping()
            await #expect(throws: PolyError.self) {
                try await chat.send(String(repeating: "Nebukadnezar", count: 100_000))
            }
            try await stage.during { try await chat.client.startNewSession() }
            try await stage.play("the new greeting", chat) { $0.hasStarted && $0.agentMessages.count == 1 }
            sessions.append(try stage.sessionID(chat))
            try await stage.during { try await chat.end() }

            let tokens = stage.tap.dialled.compactMap { url in
                URLComponents(string: url)?.queryItems?.first { $0.name == "access_token" }?
                    .value
            }
            expectEqual(tokens.count, stage.tap.dialled.count)
            let said = ["Nebukadnezar", "one two three", "Everything at once", "talk to a person"]
            let lines = stage.log.all
            for level in ["info: ", "warn: "] { #expect(lines.contains { $0.hasPrefix(level) }) }
            for secret in sessions + tokens + said + ["connector-token"] {
                #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }
}
