import Clocks
import Expectations
import Foundation
import PolyMessaging
import Testing

@Suite("Frames that are not as they should be")
struct DecodingToleranceTests {
    private static let start =
        #"{"id":"a","sequence":1,"timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_SESSION_START","payload":{}}"#
    private static let joined =
        #"{"id":"b","sequence":2,"timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_POLY_AGENT_JOINED","payload":{}}"#
    private static let thinking =
        #"{"id":"c","sequence":3,"timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_POLY_AGENT_THINKING"}"#
    private static func transient(_ id: String) -> String {
        #"{"id":"\#(id)","timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_POLY_AGENT_THINKING"}"#
    }

    private func ids(_ elements: [String]) -> [String?] {
        Reading.inbound(Reading.batch(elements)).events.map(\.envelope?.id)
    }

    @Test("DEC-41 A batch of three types is three events in order, and known as a batch")
    func batch() {
        let inbound = Reading.inbound(Reading.batch([Self.start, Self.joined, Self.thinking]))
        expectEqual(inbound.events.map(\.envelope?.id), ["a", "b", "c"])
        #expect(inbound.isBatch)
        #expect(inbound.notes.isEmpty)
        #expect(!Reading.inbound(Self.start).isBatch)
    }

    @Test("DEC-42 A batch out of order is put in order")
    func batchOrder() {
        expectEqual(ids([Self.thinking, Self.start, Self.joined]), ["a", "b", "c"])
    }

    @Test("DEC-43 Events without a sequence come last, in their own order")
    func batchTransients() {
        expectEqual(
            ids([Self.transient("x"), Self.joined, Self.transient("y"), Self.start]), ["a", "b", "x", "y"])
    }

    @Test(
        "DEC-44, DEC-45, DEC-46, DEC-55 What is no known event is none, and noted",
        arguments: [
            Reading.frame("NEWER_THAN_THIS", "{}"), "hello", "", "[1]", "{",
            #"{"id":"a","timestamp":"2026-01-15T09:30:00Z","payload":{}}"#,
            #"{"id":"a","timestamp":"2026-01-15T09:30:00Z","type":7}"#,
            #"{"id":"a","timestamp":"2026-01-15T09:30:00Z","type":"event_type_session_start"}"#,
        ] as [String])
    func nothing(_ frame: String) {
        let inbound = Reading.inbound(frame)
        #expect(inbound.events.isEmpty)
        expectEqual(inbound.notes.count, 1)
    }

    @Test("A frame that is no UTF-8 is no event")
    func invalidUTF8() {
        var mapping = WireMapping(generator: SeededGenerator(seed: 1))
        #expect(mapping.read([0x7B, 0x22, 0xFF, 0x22, 0x7D], at: Reading.now).events.isEmpty)
    }

    @Test("Of a frame cut short at any byte nothing is left")
    func truncated() {
        let frame = Array(Self.start.utf8)
        for length in 0..<frame.count {
            var mapping = WireMapping(generator: SeededGenerator(seed: 1))
            #expect(mapping.read(Array(frame[..<length]), at: Reading.now).events.isEmpty)
        }
    }

    @Test(
        "DEC-53 A batch without events is empty",
        arguments: [
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":null}"#, #"{"type":"EVENT_TYPE_EVENT_BATCH"}"#,
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":null}}"#,
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[]}}"#,
        ] as [String])
    func emptyBatch(_ frame: String) {
        #expect(Reading.inbound(frame).events.isEmpty)
        #expect(Reading.inbound(frame).isBatch)
    }

    @Test("DEC-54 An empty id stays empty, and the event has no sequence")
    func emptyID() {
        let frame = #"{"id":"","timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_POLY_AGENT_THINKING"}"#
        let envelope = Reading.event(frame)?.envelope
        expectEqual(envelope?.id, "")
        expectEqual(envelope?.sequence, nil)
    }

    @Test("DEC-56 What is no object in a batch does not take the others with it")
    func oddElement() {
        expectEqual(ids([Self.start, #""odd""#, "7", "null", Self.joined]), ["a", "b"])
        expectEqual(Reading.inbound(Reading.batch([Self.start, "7"])).notes.count, 1)
    }

    @Test(
        "DEC-57 Any event but a heartbeat needs an id and a timestamp",
        arguments: [
            #"{"timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_SESSION_END"}"#,
            #"{"id":"a","type":"EVENT_TYPE_SESSION_END"}"#,
            #"{"id":7,"timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_SESSION_END"}"#,
        ] as [String])
    func incomplete(_ frame: String) {
        #expect(Reading.inbound(frame).events.isEmpty)
    }

    @Test("DEC-58 In a batch the payload may be under the name of its type; `payload` wins")
    func oneof() {
        func reason(_ fields: String) -> String? {
            let frame = Reading.batch([
                #"{"id":"a","timestamp":"2026-01-15T09:30:00Z","type":"EVENT_TYPE_SESSION_END",\#(fields)}"#
            ])
            guard case .sessionEnd(_, let payload)? = Reading.event(frame) else { return "no event" }
            return payload.reason
        }
        expectEqual(reason(#""session_end":{"reason":"own"}"#), "own")
        expectEqual(reason(#""session_end":{"reason":"own"},"payload":{"reason":"plain"}"#), "plain")
        expectEqual(reason(#""session_end":{"reason":"own"},"payload":null"#), "own")
    }

    @Test("DEC-67, DEC-68 Metadata is kept, its map only when all its values are texts")
    func metadata() {
        func metadata(_ text: String) -> EventMetadata? {
            Reading.event("POLY_AGENT_THINKING", "{}", extra: text)?.envelope?.metadata
        }
        expectEqual(
            metadata(#","metadata":{"custom":{"local_id":"x"}}"#),
            EventMetadata(custom: ["local_id": "x"]))
        expectEqual(metadata(#","metadata":{"custom":{"local_id":"x","n":1}}"#), EventMetadata(custom: nil))
        expectEqual(metadata(#","metadata":{}"#), EventMetadata(custom: nil))
        expectEqual(metadata(""), nil)
    }

    @Test(
        "DEC-69 Fractions of a second are true fractions",
        arguments: [("", 0), (".5", 0.5), (".250", 0.25), (".125000", 0.125), (".001", 0.001)]
            as [(String, Double)])
    func fractions(_ fraction: String, seconds: Double) throws {
        let frame =
            #"{"id":"a","timestamp":"2026-01-15T09:30:00\#(fraction)Z","type":"EVENT_TYPE_SESSION_END"}"#
        let date = try #require(Reading.event(frame)?.envelope?.timestamp)
        #expect(abs(date.timeIntervalSince1970 - 1_768_469_400 - seconds) < 0.000_001)
    }

    @Test("DEC-70 A timestamp that cannot be read is the time of arrival")
    func badTimestamp() {
        let frame = #"{"id":"a","timestamp":"yesterday","type":"EVENT_TYPE_SESSION_END"}"#
        expectEqual(
            Reading.event(frame)?.envelope?.timestamp, Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test(
        "DEC-71 The types kept for later are left out quietly",
        arguments: [
            "USER_RECEIVED_MESSAGE", "USER_READ_MESSAGE", "POLY_AGENT_RECEIVED_MESSAGE",
            "POLY_AGENT_READ_MESSAGE", "LIVE_AGENT_RECEIVED_MESSAGE", "LIVE_AGENT_READ_MESSAGE",
            "SHOW_CSAT_REQUEST", "CSAT_RESPONSE",
        ] as [String])
    func reserved(_ type: String) {
        let inbound = Reading.inbound(Reading.frame(type, "{}"))
        #expect(inbound.events.isEmpty)
        expectEqual(inbound.notes, ["no event for EVENT_TYPE_\(type)"])
    }
}
