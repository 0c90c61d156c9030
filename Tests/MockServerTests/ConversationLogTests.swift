import Clocks
import Expectations
import MockServer
import SocketTransport
import TestSupport
import Testing

@Suite("Log", .timeLimit(.minutes(5)))
struct ConversationLogTests {
    @Test(
        "No line of a whole conversation holds a token, in either style", arguments: [true, false] as [Bool])
    func noTokens(isJSON: Bool) async throws {
        let lines = Gathering<String>()
        try await World.run {
            $0.log = isJSON ? .json { lines.append($0) } : .text { lines.append($0) }
            $0.tokens.life = .seconds(100)
        } _: { world in
            let (session, talk) = try await world.greeted()
            talk.say("Hello there\nforged line", localID: "1")
            try await world.reply(talk)
            talk.sendText("nonsense")
            let second = try await world.client.upgrade(
                APIClient.target(session, cursor: "odd"))
            try await expectEqual(second.answer(0).status, 101)
            let stranger = try await world.client.token()
            for target in [
                APIClient.target(session, token: stranger), "/ws", "/unknown?access_token=\(session.token)",
            ] {
                let line = try await world.client.upgrade(target)
                #expect(try await line.answer(0).status >= 400)
            }
            await world.pass(.seconds(100))
            let late = try await world.client.upgrade(APIClient.target(session))
            try await expectEqual(late.answer(0).status, 401)
            talk.endSession()
            try await talk.event("SESSION_END")
            await world.pass(.seconds(2))
            try await expectEqual(talk.closeCode, 1000)
            #expect(lines.count > 12)
            for line in lines.all {
                for secret in [session.token, stranger, "connector-token"] {
                    #expect(!line.contains(secret), "\(line)")
                }
                #expect(!line.contains("\n"))
                if isJSON { #expect(line.hasPrefix(#"{"event":""#) && line.hasSuffix("}")) }
            }
            #expect(lines.all.contains { $0.contains("Hello there") && $0.contains("hello") })
        }
    }

    @Test("A quiet server says nothing")
    func quiet() async throws {
        try await World.run {
            $0.log = .quiet
        } _: { world in
            _ = try await world.greeted()
            expectEqual(world.log.count, 0)
        }
    }

    @Test(
        "Tokens too short-lived for the published SDKs are told at the start, unless sessions are not bound to them",
        arguments: [
            (300, Configuration.Tokens.Binding.exactToken, true), (200, .subject, true),
            (301, .exactToken, false), (200, .off, false),
        ] as [(Int, Configuration.Tokens.Binding, Bool)])
    func shortTokens(life: Int, binding: Configuration.Tokens.Binding, isTold: Bool) async throws {
        try await World.run {
            $0.tokens.life = .seconds(life)
            $0.tokens.binding = binding
        } _: { world in
            await world.server.inspect { _ in }
            expectEqual(world.log.all.contains { $0.contains("use more than 300 seconds") }, isTold)
        }
    }
}
