import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Settings of replies and sessions", .timeLimit(.minutes(5)))
struct ReplyKnobTests {
    @Test("The echo waits for the configured delay; the answer waits behind it")
    func echoDelay() async throws {
        try await World.run {
            $0.replies.echoDelay = .milliseconds(500)
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("Hi")
            try await talk.settle()
            await world.pass(.milliseconds(499))
            try await talk.settle()
            #expect(talk.rest().isEmpty)
            await world.pass(.milliseconds(1))
            try await talk.settle()
            expectEqual(talk.rest().types, ["USER_MESSAGE", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE"])
        }
    }

    /// protocol.md#echoes
    @Test("A dropped echo is missing on the wire and there after a reconnect")
    func droppedEcho() async throws {
        try await World.run {
            $0.replies.droppedEchoes = [2]
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            talk.say("one")
            talk.say("two")
            try await talk.settle()
            expectEqual(talk.rest().filter { $0.type == "USER_MESSAGE" }.map(\.text), ["one"])
            let again = try await world.client.connect(session)
            try await again.settle()
            expectEqual(again.events.filter { $0.type == "USER_MESSAGE" }.map(\.text), ["one", "two"])
        }
    }

    /// protocol.md#repeated-local-id
    @Test(
        "A repeated local_id is a second message, or the first echo once more",
        arguments: [true, false] as [Bool])
    func repeatedLocalID(isDropped: Bool) async throws {
        try await World.run {
            $0.replies.dropsRepeatedLocalIDs = isDropped
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("Hi", localID: "same")
            talk.say("Hi", localID: "same")
            try await talk.settle()
            let echoes = talk.rest().filter { $0.type == "USER_MESSAGE" }
            expectEqual(echoes.map(\.sequence), isDropped ? [5, 5] : [5, 7])
        }
    }

    /// protocol.md#greeting-message
    @Test(
        "The greeting of a join is ignored, or said in place of the fixture's",
        arguments: [true, false] as [Bool])
    func greetingMessage(isHonored: Bool) async throws {
        try await World.run {
            $0.replies.honorsGreetingMessage = isHonored
            $0.fixtureText = fixture("")
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session())
            talk.send("REQUEST_POLY_AGENT_JOIN", payload: #"{"greeting_message":"Ahoy."}"#)
            let greeting = try await talk.event("POLY_AGENT_MESSAGE")
            expectEqual(greeting.text, isHonored ? "Ahoy." : "Welcome.")
        }
    }

    @Test(
        "A token or a fixture asks for the client's greeting, too",
        arguments: [nil, "on", "off"] as [String?])
    func greetingOfAToken(_ word: String?) async throws {
        try await World.run {
            $0.fixtureText = fixture("", rest: "session: { greetingMessage: true }")
        } _: { world in
            let line = word.map { "mock:webchat@greeting=\($0)" } ?? "a token"
            let token = try await world.client.token(connector: line)
            let talk = try await world.client.connect(try await world.client.session(token: token))
            talk.send("REQUEST_POLY_AGENT_JOIN", payload: #"{"greeting_message":"Ahoy."}"#)
            try await expectEqual(
                talk.event("POLY_AGENT_MESSAGE").text, word == "off" ? "Welcome." : "Ahoy.")
        }
    }

    /// protocol.md#chunk-index, protocol.md#trimmed-chunks
    @Test("Chunks may count from 0, lose their trailing spaces, and end with an empty one")
    func chunkForms() async throws {
        try await World.run {
            $0.replies.firstChunkIndex = 0
            $0.replies.trimsChunks = true
            $0.replies.endsWithEmptyChunk = true
            $0.fixtureText = ReconnectTests.counting
        } _: { world in
            let (_, talk) = try await world.greeted(streaming: true)
            talk.say("count")
            let chunks = try await world.reply(talk, streaming: true)
                .filter { $0.type == "POLY_AGENT_MESSAGE_CHUNK" }
            expectEqual(chunks.map(\.text), ["a", "b", "c", "d", "e", "f", "g", "h", ""])
            expectEqual(chunks.map { $0.payload["chunk_index"]?.integer }, Array(0...8))
        }
    }

    /// protocol.md#event-session-start, protocol.md#announced-size
    @Test("SESSION_START tells the configured capabilities")
    func capabilities() async throws {
        try await World.run {
            $0.sessions.maxReconnectAttempts = 0
            $0.sessions.heartbeatInterval = .zero
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session(streaming: true))
            let capabilities = try await talk.next().payload["capabilities"]
            #expect(capabilities?["streaming"] == .bool(true))
            #expect(capabilities?["max_reconnect_attempts"] == .integer(0))
            #expect(capabilities?["heartbeat_interval_seconds"] == .integer(0))
        }
    }

    /// protocol.md#what-is-transient
    @Test("Kinds may be journaled otherwise than by default")
    func journaling() async throws {
        try await World.run {
            $0.sessions.journaling = ["agentThinking": true, "joinRequested": false]
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            expectEqual(
                talk.events.map { "\($0.type) \($0.sequence ?? 0)" },
                [
                    "SESSION_START 1", "REQUEST_POLY_AGENT_JOIN 0", "POLY_AGENT_JOINED 2",
                    "POLY_AGENT_THINKING 3", "POLY_AGENT_MESSAGE 4",
                ])
        }
    }

    /// protocol.md#session-limit
    @Test("A full server refuses more sessions and says so in the log (limits)")
    func sessionLimit() async throws {
        try await World.run {
            $0.limits.sessions = 1
        } _: { world in
            let session = try await world.client.session()
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(session.token)"])
            expectEqual(answer.status, 500)
            expectEqual(answer.message, "Failed to create session")
            try await world.logged("none of the 1 sessions held has ended")
        }
    }
}
