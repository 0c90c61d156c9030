import Expectations
import MessagingWire
import PolyMessaging
import Testing
import Texts

@Suite("Events become frames")
struct EncodingTests {
    @Test("ENC-74, ENC-82 A message has its type and text, and no metadata unless given")
    func message() throws {
        let frame = try Reading.sent(.userMessage(text: "Hello"))
        expectEqual(frame["type"]?.string, "EVENT_TYPE_USER_MESSAGE")
        expectEqual(frame["payload"], .object(["text": .string("Hello")]))
        expectEqual(frame["metadata"], nil)
        try expectEqual(Reading.sent(.userMessage(text: "x", metadata: [:]))["metadata"], nil)
    }

    @Test(
        "ENC-75, ENC-76 Both ways to leave end the session, with a payload",
        arguments: [OutgoingEvent.userEndConversation, .userLeft] as [OutgoingEvent])
    func end(_ event: OutgoingEvent) throws {
        let frame = try Reading.sent(event)
        expectEqual(frame["type"]?.string, "EVENT_TYPE_USER_END_SESSION")
        expectEqual(frame["payload"], .object([:]))
    }

    @Test("ENC-77 A join request has a payload, and the greeting when there is one")
    func join() throws {
        let plain = try Reading.sent(.requestPolyAgentJoin)
        expectEqual(plain["type"]?.string, "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN")
        expectEqual(plain["payload"], .object([:]))
        let greeting = JSONValue.object(["greeting_message": .string("Hi")])
        try expectEqual(Reading.sent(.requestPolyAgentJoin, greeting: "Hi")["payload"], greeting)
        try expectEqual(Reading.sent(.requestPolyAgentJoinWithGreeting("Hi"))["payload"], greeting)
        expectEqual(OutgoingEvent.requestPolyAgentJoin(greetingMessage: nil), .requestPolyAgentJoin)
        expectEqual(
            OutgoingEvent.requestPolyAgentJoin(greetingMessage: "Hi"),
            .requestPolyAgentJoinWithGreeting("Hi"))
    }

    @Test("ENC-78 A heartbeat has an empty payload")
    func heartbeat() {
        let text = String(decoding: WireMapping.frame(.heartbeat), as: UTF8.self)
        expectEqual(text, #"{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}"#)
    }

    @Test(
        "ENC-79 Typing carries the exact words",
        arguments: [
            (TypingState.started, "TYPING_STATE_STARTED"), (.stopped, "TYPING_STATE_STOPPED"),
        ] as [(TypingState, String)])
    func typing(_ state: TypingState, word: String) throws {
        let frame = try Reading.sent(.userTyping(state))
        expectEqual(frame["type"]?.string, "EVENT_TYPE_USER_TYPING")
        #expect(frame["payload"]?["state"]?.string == word)
    }

    @Test(
        "ENC-80 Any text arrives as it was",
        arguments: ["👩‍👩‍👧‍👦 é", "\"\\/\u{0}\u{8}\n\r\t", "\u{2028}", ""] as [String])
    func text(_ text: String) throws {
        let frame = try Reading.sent(.userMessage(text: text))
        #expect(frame["payload"]?["text"]?.string == text)
    }

    @Test("ENC-81 What is attached is below `metadata.custom`, by name")
    func metadata() {
        let event = OutgoingEvent.userMessage(text: "x", metadata: ["b": "2", "local_id": "l", "a": "1"])
        let text = String(decoding: WireMapping.frame(event), as: UTF8.self)
        #expect(text.hasSuffix(#""metadata":{"custom":{"a":"1","b":"2","local_id":"l"}}}"#))
    }

    @Test("Every frame is one that a server reads as the same event")
    func serverReads() {
        func read(_ event: OutgoingEvent) -> ClientEvent.Content {
            ClientEventReader.read(WireMapping.frame(event)).content
        }
        expectEqual(read(.userMessage(text: "x", metadata: ["local_id": "l"])), .message(text: "x"))
        expectEqual(read(.userLeft), .end)
        expectEqual(read(.requestPolyAgentJoin), .join(greeting: nil))
        expectEqual(read(.heartbeat), .heartbeat)
        expectEqual(read(.userTyping(.stopped)), .typing(isStarted: false))
    }
}
