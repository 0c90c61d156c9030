import Expectations
import Testing
import Texts

@testable import MessagingWire

/// protocol.md#server-envelope
@Suite("Events of the server, as clients read them")
struct WireEventReaderTests {
    private typealias Frame = WireEventReader.Frame

    private func read(_ text: String) -> Frame { WireEventReader.read(Array(text.utf8)) }

    /// The payload of an event of `type`, read alone.
    private func payload(_ type: String, _ payload: String) throws -> WirePayload {
        let text =
            #"{"id":"e","timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_\#(type)","payload":\#(payload)}"#
        guard case .event(let event) = read(text) else { throw JSONError(.unexpectedEnd, at: 0) }
        return event.payload
    }

    @Test("An envelope is read whole")
    func envelope() {
        let text = """
            {"id":"e-1","sequence":7,"timestamp":"2026-01-15T09:30:00.5Z","type":"EVENT_TYPE_USER_MESSAGE",
             "payload":{"message_id":"m","text":"Hi"},"metadata":{"custom":{"local_id":"7B"}}}
            """
        let event = WireEvent(
            id: "e-1", sequence: 7, nanoseconds: 1_768_469_400_500_000_000,
            payload: .userMessage(messageID: "m", text: "Hi"),
            metadata: WireMetadata(custom: ["local_id": "7B"]))
        expectEqual(read(text), .event(event))
    }

    @Test(
        "A sequence must be a number",
        arguments: [
            ("7", 7), ("7.0", 7), ("null", nil), (#""7""#, nil), ("-1", nil), ("true", nil), ("1e300", nil),
        ]
            as [(String, UInt64?)])
    func sequence(_ json: String, _ sequence: UInt64?) {
        let text = #"{"id":"","timestamp":"t","sequence":\#(json),"type":"EVENT_TYPE_POLY_AGENT_THINKING"}"#
        expectEqual(
            read(text),
            .event(WireEvent(id: "", sequence: sequence, nanoseconds: nil, payload: .agentThinking)))
    }

    /// protocol.md#needed-fields
    @Test("A heartbeat needs neither id nor timestamp; every other event needs both")
    func incomplete() {
        expectEqual(
            read(#"{"type":"EVENT_TYPE_HEARTBEAT"}"#),
            .event(WireEvent(id: "", sequence: nil, nanoseconds: nil, payload: .heartbeat)))
        let type = "EVENT_TYPE_SESSION_END"
        for members in ["", #""id":"a","#, #""timestamp":"t","#, #""id":1,"timestamp":"t","#] {
            expectEqual(read(#"{\#(members)"type":"\#(type)"}"#), .dropped(.incomplete(type: type)))
        }
    }

    @Test("What is no event is dropped with the reason")
    func dropped() {
        expectEqual(read("nonsense"), .dropped(.json(JSONError(.unexpectedByte, at: 1))))
        expectEqual(read("[]"), .dropped(.notAnObject))
        expectEqual(read(#"{"payload":{}}"#), .dropped(.noType))
    }

    @Test(
        "A type nobody knows is kept with its payload",
        arguments: ["EVENT_TYPE_NEW", "event_type_heartbeat"] as [String])
    func unknown(_ type: String) {
        let text = #"{"id":"e","timestamp":"t","type":"\#(type)","payload":{"a":[1]}}"#
        expectEqual(
            read(text),
            .event(
                WireEvent(
                    id: "e", sequence: nil, nanoseconds: nil,
                    payload: .other(type: type, json: #"{"a":[1]}"#))))
    }

    /// protocol.md#one-bad-element
    @Test("A batch is sorted by sequence, events without one last; unusable elements cost only themselves")
    func batch() {
        func element(_ id: String, _ sequence: String) -> String {
            #"{"id":"\#(id)","sequence":\#(sequence),"timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_THINKING"}"#
        }
        let elements = [
            element("n1", "null"), element("c", "3"), "5", element("a", "1"), element("n2", "null"), "{}",
            element("b", "2"),
        ]
        let text =
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(elements.joined(separator: ","))]}}"#
        guard case .batch(let events, let droppedCount, _) = read(text) else {
            Issue.record("no batch")
            return
        }
        expectEqual(events.map(\.id), ["a", "b", "c", "n1", "n2"])
        expectEqual(droppedCount, 2)
    }

    @Test(
        "A batch without events is empty", arguments: ["null", "{}", #"{"events":null}"#, "[]"] as [String])
    func emptyBatch(_ payload: String) {
        expectEqual(
            read(#"{"type":"EVENT_TYPE_EVENT_BATCH","payload":\#(payload)}"#), .batch([], droppedCount: 0))
    }

    /// protocol.md#named-payloads
    @Test("Inside a batch the payload may stand under the type's name; an object payload wins")
    func oneof() {
        func message(_ members: String) -> String {
            #"{"id":"e","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_LEFT",\#(members)}"#
        }
        func reason(_ element: String) -> WirePayload? {
            let text = #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(element)]}}"#
            guard case .batch(let events, _, _) = read(text) else { return nil }
            return events.first?.payload
        }
        expectEqual(reason(message(#""poly_agent_left":{"reason":"a"}"#)), .agentLeft(reason: "a"))
        expectEqual(
            reason(message(#""poly_agent_left":{"reason":"a"},"payload":{"reason":"b"}"#)),
            .agentLeft(reason: "b"))
        expectEqual(reason(message(#""payload":null"#)), .agentLeft(reason: nil))
        guard case .event(let alone) = read(message(#""poly_agent_left":{"reason":"a"}"#)) else {
            Issue.record("dropped")
            return
        }
        expectEqual(alone.payload, .agentLeft(reason: nil))
    }

    /// protocol.md#announced-size
    @Test("Missing capabilities are assumed as clients do")
    func capabilities() throws {
        try expectEqual(payload("SESSION_START", "{}"), .sessionStart(WireCapabilities(), contextID: nil))
        expectEqual(WireCapabilities().maxMessageSizeBytes, 1_048_576)
        let text =
            #"{"capabilities":{"streaming":true,"max_message_size_bytes":5.0,"max_reconnect_attempts":"5"}}"#
        let read = WireCapabilities(streaming: true, maxMessageSizeBytes: 5)
        try expectEqual(payload("SESSION_START", text), .sessionStart(read, contextID: nil))
    }

    @Test("Older field names are read where the newer are missing")
    func fallbacks() throws {
        try expectEqual(
            payload("POLY_AGENT_JOINED", #"{"agent_avatar_url":"","avatar_url":"u"}"#),
            .agentJoined(name: nil, avatarURL: "u"))
        try expectEqual(
            payload("HANDOFF_QUEUE_STATUS", #"{"position":2,"display_message":"d"}"#),
            .handoffQueueStatus(WireQueueStatus(position: 2, displayMessage: "d")))
        try expectEqual(
            payload(
                "LIVE_AGENT_JOINED", #"{"agent":{"id":"n","name":"N","avatar_url":"u"},"agent_id":"f"}"#),
            .liveAgentJoined(WirePerson(id: "f", name: "N", avatarURL: "u")))
        try expectEqual(
            payload("LIVE_AGENT_MESSAGE", #"{"text":"t","agent":{"id":"n"},"agent_name":"N"}"#),
            .liveAgentMessage(WireMessage(messageID: "", text: "t", sender: WirePerson(name: "N"))))
    }

    /// protocol.md#event-live-agent-typing
    @Test("Unknown states, levels and kinds have a default")
    func defaults() throws {
        try expectEqual(payload("LIVE_AGENT_TYPING", "{}"), .liveAgentTyping(.started, WirePerson()))
        try expectEqual(
            payload("SYSTEM_MESSAGE", #"{"level":"?","message":"m"}"#),
            .systemMessage(.info, message: "m"))
        let text = #"{"attachments":[{"content_type":"?","content_url":""},7,{"content_url":"u"}]}"#
        let message = WireMessage(
            messageID: "", text: "",
            parts: WireParts(attachments: [
                WireAttachment(contentType: .unknown, contentURL: nil),
                WireAttachment(contentType: .unknown, contentURL: "u"),
            ]))
        try expectEqual(payload("POLY_AGENT_MESSAGE", text), .agentMessage(message))
    }

    @Test(
        "Metadata with a value that is no string counts as metadata without custom values",
        arguments: [
            (#"{"custom":{"a":"1"}}"#, WireMetadata(custom: ["a": "1"])),
            (#"{"custom":{"a":1}}"#, WireMetadata()),
            (#"{}"#, WireMetadata()), ("null", nil), ("5", nil),
        ] as [(String, WireMetadata?)])
    func metadata(_ json: String, _ metadata: WireMetadata?) {
        guard case .event(let event) = read(#"{"type":"EVENT_TYPE_HEARTBEAT","metadata":\#(json)}"#) else {
            Issue.record("dropped")
            return
        }
        expectEqual(event.metadata, metadata)
    }
}
