import Clocks
import Expectations
import Foundation
import MockKit
import MockServer
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("Refusals", .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test("UI-258, SESS-175 A refused connector token: no second request, a visible failure")
    func refusedToken() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.connectors = [.init(token: "another", id: "c", hosts: ["com.example.app"])]
        } _: { stage in
            let chat = try stage.chat()
            try await stage.play("the failure", chat) { $0.failureReason != nil }
            expectEqual(chat.failureReason, .auth(.unauthorized))
            #expect(chat.client.snapshot().session.hasInvalidApiKey)
            expectEqual(chat.client.snapshot().session.serverMessage?.isEmpty, false)
            try await stage.pass(.minutes(1))
            expectEqual(stage.tap.requested, ["access-token"])
            await #expect(throws: PolyError.auth(.unauthorized)) { try await chat.send("hi") }
        }
    }

    @Test(
        "A step that is refused for good fails the start at once",
        arguments: ["access-token", "sessions"] as [String],
        [401, 404] as [Int])
    func refusedForGood(_ step: String, _ status: Int) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide([.refused(status)], for: step)
            let chat = try stage.chat()
            try await stage.play("the failure", chat, within: .zero) { $0.connection.isFailed }
            #expect(chat.failureReason != nil && stage.tap.dialled.isEmpty)
            try await stage.during { try await chat.client.resume() }
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            expectEqual(chat.failureReason, nil)
        }
    }

    @Test(
        "SESS-192 A busy server is asked again after Retry-After: 5 s without one, 30 s at most",
        arguments: ["access-token", "sessions"] as [String],
        [("7", 7), (nil, 5), ("100", 30)] as [(String?, Int64)])
    func busy(_ step: String, _ wait: (header: String?, seconds: Int64)) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide([.refused(429, retryAfter: wait.header)], for: step)
            let begun = stage.clock.now
            let chat = try stage.chat()
            try await stage.play("the session", chat) { $0.isReady }
            expectEqual((stage.clock.now - begun).seconds, wait.seconds)
            expectEqual(stage.tap.requested.count, 3)
        }
    }

    @Test(
        "SESS-192 A server that fails is asked four times, a second apart; then the start has failed",
        arguments: ["access-token", "sessions"] as [String], [500, 503] as [Int])
    func failing(_ step: String, _ status: Int) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide(Array(repeating: .refused(status), count: 4), for: step)
            let begun = stage.clock.now
            let chat = try stage.chat()
            try await stage.play("the failure", chat) { $0.connection.isFailed }
            expectEqual((stage.clock.now - begun).seconds, 3)
            expectEqual(stage.tap.requested.filter { $0 == step }.count, 4)
            #expect(chat.failureReason != nil)
            try await stage.during { try await chat.client.resume() }
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
        }
    }

    @Test(
        "A server that recovers within the four attempts is no failure",
        arguments: ["access-token", "sessions"] as [String])
    func recovering(_ step: String) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide([.refused(502), .unsent, .refused(500)], for: step)
            let chat = try stage.chat()
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            expectEqual(stage.tap.requested.filter { $0 == step }.count, 4)
        }
    }

    @Test(
        "A refused upgrade means that the session is gone: another one is made",
        arguments: [401, 403, 404] as [Int])
    func refusedUpgrade(_ status: Int) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide([.refused(status)])
            let chat = try stage.chat()
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            expectEqual(stage.tap.requested, ["access-token", "sessions", "access-token", "sessions"])
            expectEqual(stage.tap.dialled.count, 2)
        }
    }

    @Test(
        "A busy or failing upgrade keeps the session, and Retry-After is waited for",
        arguments: [429, 500, 503] as [Int])
    func busyUpgrade(_ status: Int) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide([.refused(status, retryAfter: "20")])
            let begun = stage.clock.now
            let chat = try stage.chat()
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            #expect(stage.clock.now - begun >= .seconds(20) && stage.clock.now - begun < .seconds(31))
            expectEqual(stage.tap.requested, ["access-token", "sessions"])
        }
    }

    @Test("CO-211 Four refused sessions in a row: three are replaced, then there is a failure, then nothing")
    func refusedAgain() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.tap.decide(Array(repeating: .refused(404), count: 4))
            let chat = try stage.chat()
            try await stage.play("the failure", chat) { $0.connection.isFailed }
            expectEqual(chat.failureReason, .session(.sessionExpired))
            try await stage.pass(.minutes(2))
            expectEqual(stage.tap.dialled.count, 4)
            expectEqual(stage.tap.requested.filter { $0 == "sessions" }.count, 4)
        }
    }

    @Test("The server's own rate limit is waited for")
    func rateLimit() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.rates.rest = .init(burst: 1, perSecond: 0.1)
        } _: { stage in
            var chats: [ChatSession] = []
            for _ in 0..<2 { chats.append(try stage.chat(store: MemorySessionStore())) }
            for chat in chats {
                try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            }
            #expect(stage.tap.requested.count > 4)
        }
    }

    @Test("LOG-275 No token, message text or session id is logged, at any level")
    func redacted() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "a secret thing")
            stage.tap.cutAll()
            try await stage.play("the recovery", chat) { stage.tap.dialled.count == 2 && $0.isReady }
            let id = try stage.sessionID(chat)
            let parts = URLComponents(string: try #require(stage.tap.dialled.first))
            let token = try #require(parts?.queryItems?.first { $0.name == "access_token" }?.value)
            let lines = stage.log.all
            #expect(!lines.isEmpty)
            for secret in [id, token, "connector-token", "a secret thing"] {
                #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }
}
