import Texts

package enum FrameFault {
    /// Removes `timestamp` from the last event. Clients drop such an event (protocol.md#needed-fields).
    static func spoilt(_ message: [UInt8]) -> [UInt8] {
        changed(message) { events in
            guard case .object(var event)? = events.last else { return }
            event.members.removeAll { $0.name == "timestamp" }
            events[events.count - 1] = .object(event)
        }
    }

    /// Appends half a surrogate pair to each visible text of each payload (RFC 8259 §8.2).
    package static func halved(_ message: [UInt8]) -> [UInt8] {
        // The JSON writer cannot write half a surrogate pair, so it writes a private-use character, replaced below.
        let marked = changed(message) { events in
            for place in events.indices {
                guard case .object(var event) = events[place] else { continue }
                for member in event.members.indices where event.members[member].name == "payload" {
                    event.members[member].value = self.marked(event.members[member].value)
                }
                events[place] = .object(event)
            }
        }
        let text = String(decoding: marked, as: UTF8.self)
        return Array(
            text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: #"\ud83d"#).utf8)
    }

    static func without(_ ids: Set<String>, _ message: [UInt8]) -> [UInt8]? {
        var isEmpty = false
        let rest = changed(message) { events in
            events.removeAll { event in event["id"]?.string.map { ids.contains($0) } ?? false }
            isEmpty = events.isEmpty
        }
        return isEmpty ? nil : rest
    }

    static func ids(_ message: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        _ = changed(message) { events in ids.formUnion(events.compactMap { $0["id"]?.string }) }
        return ids
    }

    private static let mark: Character = "\u{F8FF}"

    /// Members whose text users see. In an id, half a surrogate would change the meaning.
    private static let texts: Set = [
        "text", "message_text", "message", "display_message", "agent_name", "reason",
    ]

    private static func marked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(marked))
        case .object(var object):
            for place in object.members.indices {
                let member = object.members[place]
                if let text = member.value.string, texts.contains(member.name), !text.isEmpty {
                    object.members[place].value = .string(text + String(mark))
                } else {
                    object.members[place].value = marked(member.value)
                }
            }
            return .object(object)
        default: return value
        }
    }

    private static func changed(_ message: [UInt8], _ change: (inout [JSONValue]) -> Void) -> [UInt8] {
        guard let value = try? JSONReader.read(message), case .object(var frame) = value else {
            return message
        }
        guard var payload = frame["payload"]?.object, var events = payload["events"]?.array else {
            var events = [value]
            change(&events)
            return events.first.map(JSONWriter.bytes) ?? []
        }
        change(&events)
        payload.members.removeAll { $0.name == "events" }
        payload.members.append(.init("events", .array(events)))
        frame.members.removeAll { $0.name == "payload" }
        frame.members.append(.init("payload", .object(payload)))
        return JSONWriter.bytes(.object(frame))
    }
}
