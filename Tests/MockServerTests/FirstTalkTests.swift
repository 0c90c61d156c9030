import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("From the first request to a reply", .timeLimit(.minutes(5)))
struct FirstTalkTests {
    /// protocol.md#first-talk, protocol.md#rest-paths, protocol.md#websocket-path, protocol.md#plain-http,
    /// protocol.md#any-connector
    @Test("Token, session, history, join and greeting come in this order")
    func firstConnect() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            let start = try await talk.next()
            expectEqual(talk.messages.map(\.type), ["EVENT_BATCH"])
            expectEqual(talk.messages[0].json["sequence"], .null)
            expectEqual(start.type, "SESSION_START")
            expectEqual(start.sequence, 1)
            let capabilities = start.payload["capabilities"]
            #expect(capabilities?["streaming"] == .bool(false))
            #expect(capabilities?["max_message_size_bytes"] == .integer(131_072))
            #expect(capabilities?["max_reconnect_attempts"] == .integer(5))
            #expect(capabilities?["heartbeat_interval_seconds"] == .integer(30))

            talk.join()
            let greeting = try await world.reply(talk)
            expectEqual(
                greeting.types,
                [
                    "REQUEST_POLY_AGENT_JOIN", "POLY_AGENT_JOINED", "POLY_AGENT_THINKING",
                    "POLY_AGENT_MESSAGE",
                ])
            expectEqual(greeting.map(\.sequence), [2, 3, nil, 4])
            expectEqual(greeting[1].payload["agent_name"], .string("Poly"))
            expectEqual(greeting[3].text?.contains("Welcome"), true)
            expectEqual(greeting[2].json["timestamp"], .string("2026-01-15T09:30:00.000Z"))
            expectEqual(greeting[3].json["timestamp"], .string("2026-01-15T09:30:00.300Z"))
        }
    }

    /// protocol.md#metadata-echo, protocol.md#event-user-message
    @Test("A message is echoed with its metadata and a message id before it is answered")
    func turn() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.send("USER_TYPING", payload: #"{"state":"TYPING_STATE_STARTED"}"#)
            talk.say("send me a link to google", localID: "L-1")
            let turn = try await world.reply(talk)
            expectEqual(turn.types, ["USER_MESSAGE", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE"])
            expectEqual(turn.map(\.sequence), [5, nil, 6])
            expectEqual(turn[0].localID, "L-1")
            expectEqual(turn[0].payload["message_id"]?.string?.isEmpty, false)
            expectEqual(turn[2].text, "Here you are: [Google](http://www.google.com)")
            expectEqual(turn[2].json["metadata"], nil)
        }
    }

    /// protocol.md#chunk-index
    @Test(
        "With streaming the reply comes in numbered chunks, each at its own time, one of them the last")
    func streamedTurn() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted(streaming: true)
            talk.say("count to 5")
            let turn = try await world.reply(talk, streaming: true)
            #expect(Array(turn.types.prefix(2)) == ["USER_MESSAGE", "POLY_AGENT_THINKING"])
            let chunks = turn.dropFirst(2)
            expectEqual(chunks.map { $0.text ?? "" }.joined(), "one two three four five")
            expectEqual(chunks.map { $0.payload["chunk_index"]?.integer }, [1, 2, 3])
            expectEqual(chunks.map { $0.payload["is_complete"]?.bool }, [false, false, true])
            expectEqual(Set(chunks.map { $0.payload["message_id"]?.string }).count, 1)
            let first = try #require(turn[0].sequence)
            expectEqual(turn.sequences, Array(first..<first + 4))
            let times = chunks.compactMap { $0.json["timestamp"]?.string }
            #expect(Set(times).count == 3 && times == times.sorted())
        }
    }

    @Test("A talk over real time greets as well")
    func realTime() async throws {
        var configuration = Configuration.unhurried
        configuration.connections.handshakeDelay = .milliseconds(1)
        configuration.connections.firstFrameDelay = .milliseconds(1)
        configuration.fixtureText = fixture("")
        let server = try await MockServer.start(configuration)
        let client = try APIClient(port: server.port)
        let talk = try await client.connect(try await client.session())
        talk.join()
        try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Welcome.")
        await client.close()
        await server.stop()
    }

    /// protocol.md#handshake-delays
    @Test("The 101 comes after the handshake delay, the history after the first-frame delay")
    func delays() async throws {
        try await World.run {
            $0.connections.handshakeDelay = .milliseconds(25)
            $0.connections.firstFrameDelay = .milliseconds(40)
        } _: { world in
            let session = try await world.client.session()
            let line = try await world.client.upgrade(APIClient.target(session))
            try await world.logged("connected with cursor 0")
            await world.pass(.milliseconds(24))
            await expectEqual(world.server.inspect { $0.openWebSockets }, 0)
            await world.pass(.milliseconds(1))
            try await expectEqual(line.answer(0).status, 101)
            let talk = Talk(line)
            await world.pass(.milliseconds(39))
            try await talk.settle()
            #expect(talk.events.isEmpty)
            await world.pass(.milliseconds(1))
            try await expectEqual(talk.next().type, "SESSION_START")
        }
    }

    @Test("What is said behind the handshake request, before the 101, is heard once")
    func saidBeforeTheHandshake() async throws {
        try await World.run {
            $0.connections.handshakeDelay = .milliseconds(25)
            $0.connections.firstFrameDelay = .milliseconds(25)
            $0.fixtureText = fixture("")
        } _: { world in
            let session = try await world.client.session()
            let line = try await world.client.upgrade(
                APIClient.target(session),
                followedBy: [#"{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}"#])
            try await world.logged("connected with cursor 0")
            await world.pass(.milliseconds(25))
            try await expectEqual(line.answer(0).status, 101)
            let talk = Talk(line)
            await world.pass(.milliseconds(25))
            let events = try await talk.events(through: "POLY_AGENT_MESSAGE")
            expectEqual(events.sequences, [1, 2, 3, 4])
            expectEqual(
                events.types.filter { $0 != "POLY_AGENT_THINKING" },
                [
                    "SESSION_START", "REQUEST_POLY_AGENT_JOIN", "POLY_AGENT_JOINED", "POLY_AGENT_MESSAGE",
                ])
        }
    }

    /// protocol.md#history-whole
    @Test("What is said between the 101 and the history is heard once and stays in order")
    func saidBeforeTheHistory() async throws {
        try await World.run {
            $0.connections.firstFrameDelay = .milliseconds(25)
            $0.fixtureText = fixture("")
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session())
            talk.join()
            talk.say("Hi", localID: "early")
            try await talk.settle()
            #expect(talk.messages.isEmpty)
            await world.pass(.milliseconds(25))
            try await talk.settle()
            expectEqual(talk.events.sequences, [1, 2, 3, 4, 5, 6])
            expectEqual(talk.events.filter { $0.localID == "early" }.count, 1)
            expectEqual(talk.messages.first?.type, "EVENT_BATCH")
        }
    }

    /// protocol.md#join-again
    @Test("The agent may be told to start again, or not to", arguments: [true, false] as [Bool])
    func secondJoin(greetsAgain: Bool) async throws {
        try await World.run {
            $0.replies.greetsAgain = greetsAgain
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.join()
            try await talk.settle()
            let greeting = greetsAgain ? ["POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE"] : []
            expectEqual(talk.rest().types, ["REQUEST_POLY_AGENT_JOIN"] + greeting)
        }
    }
}
