import Clocks
import Foundation
import PolyMessaging
import Texts

/// Frames as a server sends them, and what becomes of them.
enum Reading {
    static let now = Instant(secondsSince1970: 1_800_000_000)
    static let time = "2026-01-15T09:30:00.000Z"

    static func inbound(_ frame: String) -> WireMapping.Inbound {
        var mapping = WireMapping(generator: SeededGenerator(seed: 1))
        return mapping.read(Array(frame.utf8), at: now)
    }

    /// The one event of a frame; nil when there is none, or more than one.
    static func event(_ frame: String) -> MessagingEvent? {
        let events = inbound(frame).events
        return events.count == 1 ? events[0] : nil
    }

    /// An event frame with id `e1`, sequence 7 and the time of this file.
    static func frame(_ type: String, _ payload: String, extra: String = "") -> String {
        #"{"id":"e1","sequence":7,"timestamp":"\#(time)","type":"EVENT_TYPE_\#(type)","payload":\#(payload)\#(extra)}"#
    }

    static func event(_ type: String, _ payload: String, extra: String = "") -> MessagingEvent? {
        event(frame(type, payload, extra: extra))
    }

    static func batch(_ elements: [String]) -> String {
        #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(elements.joined(separator: ","))]}}"#
    }

    /// The envelope of ``frame(_:_:extra:)``.
    static let envelope = Envelope(
        id: "e1", sequence: 7, timestamp: Date(timeIntervalSince1970: 1_768_469_400))

    /// What an outgoing event looks like on the wire.
    static func sent(_ event: OutgoingEvent, greeting: String? = nil) throws -> JSONValue {
        try JSONReader.read(WireMapping.frame(event, greeting: greeting))
    }
}
