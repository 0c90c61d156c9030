import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Problems on an open connection", .timeLimit(.minutes(5)))
struct ProblemTests {
    /// protocol.md#bad-events-keep-the-connection, protocol.md#error-unknown-event
    @Test(
        "An event that makes no sense is refused, and the connection goes on",
        arguments: [
            "not json", "", "[]", "{}", #"{"type":7}"#, #"{"type":"EVENT_TYPE_CUSTOM"}"#,
            #"{"type":"event_type_heartbeat","payload":{}}"#,
            #"{"type":"EVENT_TYPE_USER_MESSAGE"}"#,
            #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":7}}"#,
            #"{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"MAYBE"}}"#,
        ] as [String])
    func nonsense(_ text: String) async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.sendText(text)
            try await talk.settle()
            let problem = try #require(talk.rest().first)
            #expect(problem.type == "SYSTEM_MESSAGE" && problem.sequence == nil)
            expectEqual(problem.message, "Unknown event type or invalid message format")
            expectEqual(problem.payload["level"], .string("SYSTEM_MESSAGE_LEVEL_ERROR"))
            talk.say("Still there?")
            try await expectEqual(world.reply(talk).sequences, [5, 6])
        }
    }

    /// protocol.md#error-event-not-allowed
    @Test("A known event that clients may not send is refused by name, with its metadata")
    func notAllowed() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.send("POLY_AGENT_MESSAGE", custom: #"{"local_id":"x"}"#)
            let problem = try await talk.event("SYSTEM_MESSAGE")
            expectEqual(problem.message, "Event type not allowed: EVENT_TYPE_POLY_AGENT_MESSAGE")
            expectEqual(problem.localID, "x")
        }
    }

    /// protocol.md#event-link-to-webrtc-conversation
    @Test(
        "The voice product's event is refused, or taken without a word", arguments: [false, true] as [Bool])
    func voiceLink(isAccepted: Bool) async throws {
        try await World.run {
            $0.replies.acceptsVoiceLink = isAccepted
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.send("LINK_TO_WEBRTC_CONVERSATION", payload: #"{"call_sid":"c"}"#)
            try await talk.settle()
            let texts = talk.rest().map(\.message)
            let refusal = "Event type not allowed: EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION"
            expectEqual(texts, isAccepted ? [] : [refusal])
        }
    }

    /// protocol.md#text-frames
    @Test("A binary frame is one more invalid format")
    func binary() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.line.sendFrame(.binary, [1, 2, 3])
            try await expectEqual(
                talk.next().message, "Unknown event type or invalid message format")
            talk.heartbeat()
            try await expectEqual(talk.next().type, "HEARTBEAT")
        }
    }

    /// protocol.md#message-size
    @Test("A message of the limit passes, one byte more closes with 1009; the session lives on")
    func oversize() async throws {
        try await World.run {
            $0.limits.messageBytes = 2_000
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            let start = #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":""#
            func message(_ count: Int) -> String {
                start + String(repeating: "x", count: count - start.utf8.count - 3) + #""}}"#
            }
            #expect(talk.events[0].payload["capabilities"]?["max_message_size_bytes"] == .integer(2_000))
            talk.sendText(message(2_000))
            try await expectEqual(talk.next().type, "USER_MESSAGE")
            talk.sendText(message(2_001))
            try await expectEqual(talk.closeCode, 1009)
            let again = try await world.client.connect(session, cursor: "5")
            again.say("shorter")
            try await expectEqual(again.event("USER_MESSAGE").text, "shorter")
        }
    }

    /// protocol.md#close-violations
    @Test(
        "Bytes that break RFC 6455 close with its code",
        arguments: [(0xC1, 1002), (0x83, 1002)] as [(UInt8, UInt16)])
    func violation(_ first: UInt8, _ code: UInt16) async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.line.send([first, 0x80, 0, 0, 0, 0])
            try await expectEqual(talk.closeCode, code)
        }
    }

    /// protocol.md#close-violations
    @Test("Text that is not UTF-8 closes with 1007")
    func badText() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.line.sendFrame(.text, [0xFF])
            try await expectEqual(talk.closeCode, 1007)
        }
    }

    /// protocol.md#error-no-conversation
    @Test("A message before any join is echoed, then refused")
    func beforeJoin() async throws {
        try await World.run { world in
            let talk = try await world.client.connect(try await world.client.session())
            talk.say("Hi", localID: "a")
            try await talk.settle()
            let events = talk.rest()
            expectEqual(events.types, ["SESSION_START", "USER_MESSAGE", "SYSTEM_MESSAGE"])
            expectEqual(events.last?.message, "Error: Conversation not found")
            let lines = world.log.all.filter { $0.hasPrefix("ignored") }
            #expect(lines.count == 1 && lines[0].contains("must ask for the agent to join"))
            expectEqual(events.last?.localID, "a")
        }
    }

    /// protocol.md#error-follows-echo
    @Test(
        "Agent errors fire at their moment, carry the cause's metadata, and stop after their times",
        arguments: [
            ("high load", "Our system is experiencing high load. Please try again in a moment."),
            ("cannot respond", "Sorry, I'm having trouble responding right now. Please try again."),
        ] as [(String, String)])
    func agentError(_ name: String, _ text: String) async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.replies.agentErrors = [.init(at: .userMessage(1), problem: name)]
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("Hi", localID: "1")
            try await talk.settle()
            let events = talk.rest()
            expectEqual(events.types, ["USER_MESSAGE", "SYSTEM_MESSAGE"])
            #expect(events.last?.message == text && events.last?.localID == "1")
            talk.say("Again")
            try await expectEqual(world.reply(talk).last?.text, "I heard you.")
        }
    }

    /// protocol.md#error-cannot-start
    @Test("A start that fails once succeeds at the second join")
    func cannotStart() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.replies.agentErrors = [.init(at: .reply(1), problem: "cannot start")]
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session())
            talk.join()
            let refusal = try await talk.event("SYSTEM_MESSAGE")
            expectEqual(refusal.message?.hasPrefix("Sorry, I'm unable to start"), true)
            talk.join()
            let events = try await world.reply(talk)
            #expect(events.types.contains("POLY_AGENT_JOINED"))
        }
    }

    /// protocol.md#abandoned-stream
    @Test("A stream that is abandoned has no last chunk; the error follows")
    func abandonedStream() async throws {
        try await World.run {
            $0.fixtureText = ReconnectTests.counting
            $0.replies.agentErrors = [.init(at: .chunk(reply: 2, chunk: 3), problem: "agent failure")]
        } _: { world in
            let (_, talk) = try await world.greeted(streaming: true)
            talk.say("count")
            let events = try await world.play(talk, through: "SYSTEM_MESSAGE")
            expectEqual(events.last?.message, "Sorry, I encountered an error. Please try again.")
            let chunks = events.filter { $0.type == "POLY_AGENT_MESSAGE_CHUNK" }
            expectEqual(chunks.map { $0.payload["is_complete"]?.bool }, [false, false])
        }
    }

    /// protocol.md#message-rate
    @Test("Messages over the rate are dropped without a word and keep the session alive")
    func webSocketRate() async throws {
        try await World.run {
            $0.rates.webSocket = .init(burst: 2, perSecond: 0.1)
            $0.sessions.idle = .seconds(8)
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session())
            try await talk.event("SESSION_START")
            for _ in 0..<3 { talk.heartbeat() }
            try await talk.settle()
            expectEqual(talk.rest().types, ["HEARTBEAT", "HEARTBEAT"])
            await world.pass(.seconds(6))
            talk.heartbeat()
            try await world.log.wait(for: "the second dropped event") {
                $0.filter { $0.hasPrefix("dropped event") }.count >= 2 ? true : nil
            }
            await world.pass(.seconds(6))
            talk.heartbeat()
            try await talk.settle()
            expectEqual(talk.rest().types, ["HEARTBEAT"])
        }
    }
}
