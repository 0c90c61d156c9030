package import Texts

/// Parser of server frames. Like the SDKs, it drops invalid events and keeps the others (protocol.md#needed-fields).
package enum WireEventReader {
    package enum Frame: Equatable, Sendable {
        case event(WireEvent)
        /// Events in the order of their sequence numbers, then events without one. `droppedSequences` are the readable
        /// sequence numbers of dropped events.
        case batch([WireEvent], droppedCount: Int, droppedSequences: [UInt64] = [])
        /// An unusable frame. `sequence` is nil if missing or unreadable.
        case dropped(Drop, sequence: UInt64? = nil)
    }

    package enum Drop: Equatable, Sendable {
        case json(JSONError)
        case notAnObject
        case noType
        /// The event has no string `id` or `timestamp`. Only a heartbeat may lack them.
        case incomplete(type: String)
    }

    package static func read(_ bytes: [UInt8]) -> Frame {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes, manner: .lenient)
        } catch {
            return .dropped(.json(error))
        }
        guard case .object(let object) = value else { return .dropped(.notAnObject) }
        return read(object)
    }

    package static func read(_ object: JSONObject) -> Frame {
        guard object["type"]?.string == EventType.eventBatch.rawValue else {
            switch event(object, isInBatch: false) {
            case .success(let event): return .event(event)
            case .failure(let drop): return .dropped(drop, sequence: sequence(object))
            }
        }
        return batch(object["payload"]?["events"]?.array ?? [])
    }

    /// Ids of a user message whose echo was dropped, because the echo lacks a required field.
    package struct Receipt: Equatable, Sendable {
        package var localID: String
        /// Empty if missing or unreadable.
        package var messageID: String
    }

    /// Returns the receipts of the user messages that ``read(_:)`` drops from this frame.
    package static func receipts(amongDropped bytes: [UInt8]) -> [Receipt] {
        guard case .object(let object)? = try? JSONReader.read(bytes, manner: .lenient) else { return [] }
        guard object["type"]?.string == EventType.eventBatch.rawValue else {
            return [receipt(object, isInBatch: false)].compactMap(\.self)
        }
        return (object["payload"]?["events"]?.array ?? []).compactMap { element in
            element.object.flatMap { receipt($0, isInBatch: true) }
        }
    }

    private static func receipt(_ object: JSONObject, isInBatch: Bool) -> Receipt? {
        let type = EventType.userMessage.rawValue
        guard case .failure(.incomplete(type)) = event(object, isInBatch: isInBatch),
            let localID = metadata(object["metadata"])?.custom?["local_id"]
        else { return nil }
        let payload = object["payload"] ?? (isInBatch ? object[WireEventWriter.oneofKey(type)] : nil)
        return Receipt(localID: localID, messageID: payload?["message_id"]?.string ?? "")
    }

    private static func batch(_ elements: [JSONValue]) -> Frame {
        var events: [WireEvent] = []
        var dropped: [UInt64] = []
        for element in elements {
            guard case .object(let object) = element else { continue }
            switch event(object, isInBatch: true) {
            case .success(let event): events.append(event)
            case .failure: if let sequence = sequence(object) { dropped.append(sequence) }
            }
        }
        let order = events.enumerated().sorted { left, right in
            let (first, second) = (left.element.sequence ?? .max, right.element.sequence ?? .max)
            return first == second ? left.offset < right.offset : first < second
        }
        return .batch(
            order.map(\.element), droppedCount: elements.count - events.count,
            droppedSequences: dropped.sorted())
    }

    private enum Outcome {
        case success(WireEvent)
        case failure(Drop)
    }

    private static func event(_ object: JSONObject, isInBatch: Bool) -> Outcome {
        guard let type = object["type"]?.string else { return .failure(.noType) }
        let id = object["id"]?.string
        let timestamp = object["timestamp"]?.string
        if type != EventType.heartbeat.rawValue, id == nil || timestamp == nil {
            return .failure(.incomplete(type: type))
        }
        var payload = object["payload"]?.object
        if payload == nil, isInBatch { payload = object[WireEventWriter.oneofKey(type)]?.object }
        return .success(
            WireEvent(
                id: id ?? "", sequence: sequence(object),
                nanoseconds: timestamp.flatMap { TimeStamp.parse($0) },
                payload: WirePayload(type: type, payload ?? JSONObject()),
                metadata: metadata(object["metadata"])))
    }

    private static func sequence(_ object: JSONObject) -> UInt64? {
        object["sequence"]?.integer.flatMap { UInt64(exactly: $0) }
    }

    private static func metadata(_ value: JSONValue?) -> WireMetadata? {
        guard case .object(let metadata)? = value else { return nil }
        guard case .object(let custom)? = metadata["custom"] else { return WireMetadata() }
        var map: [String: String] = [:]
        for member in custom.members {
            guard case .string(let text) = member.value else { return WireMetadata() }
            map[member.name] = text
        }
        return WireMetadata(custom: map)
    }
}

extension ClientEvent {
    /// Appends the JSON of a client event, or nothing for a `content` that clients never send.
    package static func write(
        _ content: Content, custom: [(name: String, value: String)] = [], into bytes: inout [UInt8]
    ) {
        let type: EventType
        switch content {
        case .join: type = .joinRequest
        case .message: type = .userMessage
        case .typing: type = .userTyping
        case .end: type = .userEndSession
        case .heartbeat: type = .heartbeat
        case .change: type = .messageChanged
        case .receipt(let kind, _): type = kind
        case .notAllowed, .unknown, .malformed: return
        }
        JSONWriter.literal("{\"type\":\"", into: &bytes)
        JSONWriter.verbatim(type.rawValue, into: &bytes)
        JSONWriter.literal("\",\"payload\":{", into: &bytes)
        switch content {
        case .join(let greeting?):
            JSONWriter.literal("\"greeting_message\":", into: &bytes)
            JSONWriter.string(greeting, into: &bytes)
        case .message(let text):
            JSONWriter.literal("\"text\":", into: &bytes)
            JSONWriter.string(text, into: &bytes)
        case .typing(let isStarted):
            JSONWriter.literal("\"state\":", into: &bytes)
            JSONWriter.string(WireTyping(isStarted: isStarted).rawValue, into: &bytes)
        case .change(let change): write(.messageChanged(change), into: &bytes)
        case .receipt(let type, let id): write(.receipt(type: type, messageID: id), into: &bytes)
        default: break
        }
        JSONWriter.literal("}", into: &bytes)
        if !custom.isEmpty {
            JSONWriter.literal(",\"metadata\":{\"custom\":", into: &bytes)
            let object = JSONObject(custom.map { JSONObject.Member($0.name, .string($0.value)) })
            JSONWriter.value(.object(object), into: &bytes)
            JSONWriter.literal("}", into: &bytes)
        }
        JSONWriter.literal("}", into: &bytes)
    }

    private static func write(_ payload: WirePayload, into bytes: inout [UInt8]) {
        var fields = WireFields(bytes: bytes)
        payload.write(to: &fields)
        bytes = fields.bytes
    }
}
