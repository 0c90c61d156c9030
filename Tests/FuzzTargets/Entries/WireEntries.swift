import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import MessagingWire
import PolyDialect
import PolyMessaging
import Texts

/// JSON, and the events of the Messaging API in both directions.
enum WireEntries {
    static let words =
        [
            "{\"type\":\"EVENT_TYPE_USER_MESSAGE\",\"payload\":{\"text\":\"a\"}}", "\"payload\":{",
            "\"text\":\"",
            "\"metadata\":{\"custom\":{\"local_id\":\"1\"}}", "\"local_id\":",
            "\"state\":\"TYPING_STATE_STARTED\"",
            "\"greeting_message\":\"", "\"id\":\"1\",", "\"sequence\":1,", "\"sequence\":",
            "\"timestamp\":\"2026-01-15T09:30:00.000Z\",", "\"type\":\"", "{", "}", "[", "]", "[[[[[[[[", ":",
            ",",
            "\"", "\\u0000", "\\ud83d\\ude00", "\\ud800", "\\n", "\\/", "null", "true", "false", "1e5",
            "-0.0",
            "\"events\":[", "\"message\":{", "\"suggestions\":[{", "\"attachments\":[{\"content_type\":\"",
            "\"chunk_index\":",
            "\"is_complete\":true",
        ] + EventType.allCases.map { "\"\($0.rawValue)\"" }

    // MARK: JSON

    static func json(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let lenient = try? JSONReader.read(bytes, manner: .lenient)
        if let lenient {
            let again = try? JSONReader.read(JSONWriter.bytes(lenient))
            try require(again == lenient, "what a lenient reader repaired is no JSON")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            try require(0...bytes.count ~= error.offset, "an error at byte \(error.offset) of \(bytes.count)")
            return Trait(error.reason.rawValue)
        }
        try require(
            String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes),
            "JSON that is not UTF-8 was taken")
        try require(lenient == value, "a lenient reader reads good JSON otherwise")
        let written = JSONWriter.bytes(value)
        guard let again = try? JSONReader.read(written) else {
            throw BrokenRule("what was written cannot be read")
        }
        try require(again == value, "the value differs after a round trip")
        try require(JSONWriter.bytes(again) == written, "the text differs after a round trip")
        var trait = Trait()
        shape(value, &trait, depth: 0)
        return trait
    }

    private static func shape(_ value: JSONValue, _ trait: inout Trait, depth: Int) {
        switch value {
        case .null: trait.add(0)
        case .bool: trait.add(1)
        case .integer: trait.add(2)
        case .double: trait.add(3)
        case .string(let text): trait.add(text.isEmpty ? 4 : 5)
        case .array(let elements):
            trait.add(6)
            if depth < 4 { for element in elements.prefix(3) { shape(element, &trait, depth: depth + 1) } }
        case .object(let object):
            trait.add(7)
            if depth < 4 {
                for member in object.members.prefix(3) { shape(member.value, &trait, depth: depth + 1) }
            }
        }
    }

    // MARK: Events of clients

    private static let dialect = PolyDialect(key: SigningKey([UInt8](repeating: 7, count: 32)))

    static func clientEvent(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let event = ClientEventReader.read(bytes)
        let decoded = dialect.encoder.decode(text: bytes)
        try require(decoded.type.count <= 64, "a type of \(decoded.type.count) characters")
        try agree(event, bytes)
        if let custom = event.customMetadata {
            guard case .object? = try? JSONReader.read(Array(custom.utf8)) else {
                throw BrokenRule("metadata that is no JSON object is passed on")
            }
        }
        switch event.content {
        case .join, .message, .typing, .end, .heartbeat, .change, .receipt:
            var written: [UInt8] = []
            ClientEvent.write(event.content, into: &written)
            try require(
                ClientEventReader.read(written).content == event.content,
                "an event differs after a round trip")
            let isOfSomeSessions =
                switch event.content {
                case .change, .receipt: true
                default: false
                }
            try require((decoded.fault == nil) != isOfSomeSessions, "a good event is refused")
            return Trait(
                decoded.type, event.isMetadataPlain ? "plain" : "odd",
                event.customMetadata == nil ? "" : "custom")
        case .malformed(.json(let error)): return Trait(decoded.type, error.reason.rawValue)
        case .unknown: return Trait("unknown")
        case .notAllowed, .malformed: return Trait(decoded.type, "\(decoded.fault.map { "\($0)" } ?? "")")
        }
    }

    /// The reader without a tree sees what the one with a tree sees.
    private static func agree(_ event: ClientEvent, _ bytes: [UInt8]) throws(BrokenRule) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            return try require(
                event.content == .malformed(.json(error)),
                "one reader says \(error), the other \(event.content)")
        }
        switch event.content {
        case .malformed(.json(let error)): throw BrokenRule("only one reader says \(error)")
        case .malformed(.notAnObject): try require(value.object == nil, "an object counts as none")
        case .message(let text):
            try require(value["payload"]?["text"]?.string == text, "the readers see different texts")
            try require(value["type"]?.string == "EVENT_TYPE_USER_MESSAGE", "the readers see different types")
        case .change(let change):
            let id = value["payload"]?["message_id"]?.string
            try require(id == change.messageID, "the readers see different messages")
        case .typing, .join, .end, .heartbeat, .receipt, .notAllowed, .unknown, .malformed:
            try require(value.object != nil, "no object counts as one")
        }
    }

    // MARK: Events of servers

    static func serverEvent(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var mapping = WireMapping(generator: SeededGenerator(seed: 1))
        let inbound = mapping.read(bytes, at: Instant(secondsSince1970: 1_768_469_400))
        switch WireEventReader.read(bytes) {
        case .dropped(let drop, _):
            try require(inbound.events.isEmpty, "an event came out of nothing")
            if case .json(let error) = drop { return Trait("json", error.reason.rawValue) }
            return Trait("dropped")
        case .event(let event):
            try check(event)
            let type = if case .other = event.payload { "other" } else { event.payload.type }
            return Trait("event", type, event.metadata == nil ? "" : "metadata")
        case .batch(let events, let droppedCount, _):
            var last: UInt64 = 0
            for event in events {
                let sequence = event.sequence ?? .max
                try require(sequence >= last, "a batch out of order")
                last = sequence
            }
            for event in events.prefix(4) { try check(event) }
            var trait = Trait("batch")
            trait.add(roughly: events.count)
            trait.add(roughly: droppedCount)
            return trait
        }
    }

    /// What a server would write for this event is read as the same.
    private static func check(_ event: WireEvent) throws(BrokenRule) {
        if case .other = event.payload { return }
        var written: [UInt8] = []
        WireEventWriter.write(
            event.payload, sequence: event.sequence, nanoseconds: event.nanoseconds ?? 0, into: &written
        ) {
            $0[0] = UInt8(ascii: "x")
            return 1
        }
        guard case .event(let again) = WireEventReader.read(written) else {
            throw BrokenRule("an event of type \(event.payload.type) cannot be read again")
        }
        try require(
            again.payload == event.payload, "the payload of \(event.payload.type) differs after a round trip")
    }
}
