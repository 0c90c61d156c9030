import Texts

/// Serializer of server events (protocol.md#server-envelope).
package enum WireEventWriter {
    package enum PayloadForm: Sendable {
        case payload
        /// A member named after the type, such as `poly_agent_message`. SDKs read it only in batches
        /// (protocol.md#named-payloads).
        case oneof
    }

    /// Writes an event's id, at most ``idBytes`` without JSON escapes, and returns its length.
    package typealias WriteID = (UnsafeMutableRawBufferPointer) -> Int

    private static let idBytes = 64
    /// Maximum bytes of an event up to its timestamp.
    private static let headBytes = 192
    /// Maximum bytes between the timestamp and the text of a user's message, without the message's id.
    private static let messageHeadBytes = 72
    /// Maximum bytes around metadata.
    private static let metadataHeadBytes = 32
    /// Maximum bytes of metadata that are appended together with the texts around it.
    private static let shortMetadataBytes = 512

    /// Appends one event. A nil `sequence` means a transient event. `customMetadata` is the text of a JSON object, written
    /// unchanged.
    package static func write(
        _ payload: WirePayload, sequence: UInt64?, nanoseconds: Int64, customMetadata: String? = nil,
        form: PayloadForm = .payload, into bytes: inout [UInt8], writeID: WriteID
    ) {
        open(sequence: sequence, nanoseconds: nanoseconds, type: payload.type, into: &bytes, writeID: writeID)
        switch form {
        case .payload: JSONWriter.literal(",\"payload\":{", into: &bytes)
        case .oneof:
            bytes.append(UInt8(ascii: ","))
            JSONWriter.string(oneofKey(payload.type), into: &bytes)
            JSONWriter.literal(":{", into: &bytes)
        }
        if case .other(_, let json) = payload {
            bytes.removeLast()
            JSONWriter.verbatim(json, into: &bytes)
        } else {
            var fields = WireFields(bytes: [])
            swap(&fields.bytes, &bytes)
            payload.write(to: &fields)
            swap(&fields.bytes, &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        close(customMetadata?.utf8, into: &bytes)
    }

    /// Appends the echo of a user's message, without creating a ``WirePayload``: the same bytes as from
    /// ``write(_:sequence:nanoseconds:customMetadata:form:into:writeID:)``. `writeMessageID` writes the message's id, at
    /// most `messageIDBytes` without JSON escapes.
    package static func writeUserMessage(
        _ text: UnsafeBufferPointer<UInt8>, sequence: UInt64?, nanoseconds: Int64,
        customMetadata: UnsafeBufferPointer<UInt8>?, into bytes: inout [UInt8], writeID: WriteID,
        messageIDBytes: Int, writeMessageID: WriteID
    ) {
        ByteRoom.append(atMost: headBytes + messageHeadBytes + messageIDBytes, to: &bytes) { head in
            begin(sequence: sequence, nanoseconds: nanoseconds, into: &head, writeID: writeID)
            head.literal("\",\"type\":\"EVENT_TYPE_USER_MESSAGE\",\"payload\":{\"message_id\":\"")
            head.write(atMost: messageIDBytes, writeMessageID)
            head.literal("\",\"text\":\"")
        }
        JSONWriter.escaped(utf8: text, into: &bytes)
        guard let customMetadata else { return JSONWriter.literal("\"}}", into: &bytes) }
        guard customMetadata.count <= shortMetadataBytes else {
            JSONWriter.literal("\"}", into: &bytes)
            return close(customMetadata, into: &bytes)
        }
        ByteRoom.append(atMost: customMetadata.count + metadataHeadBytes, to: &bytes) { tail in
            tail.literal("\"},\"metadata\":{\"custom\":")
            tail.write(atMost: customMetadata.count) { room in
                room.copyMemory(from: UnsafeRawBufferPointer(customMetadata))
                return room.count
            }
            tail.literal("}}")
        }
    }

    private static func close(_ customMetadata: (some Collection<UInt8>)?, into bytes: inout [UInt8]) {
        guard let customMetadata else { return bytes.append(UInt8(ascii: "}")) }
        JSONWriter.literal(",\"metadata\":{\"custom\":", into: &bytes)
        bytes.append(contentsOf: customMetadata)
        JSONWriter.literal("}}", into: &bytes)
    }

    /// Appends a chunk that has only text: the same bytes as for ``WirePayload/agentMessageChunk(_:)``, with 2,200
    /// instead of 6,000 instructions.
    package static func writeChunk(
        of messageID: String, index: Int, isComplete: Bool, text: String, sequence: UInt64?,
        nanoseconds: Int64, into bytes: inout [UInt8], writeID: WriteID
    ) {
        begin(sequence: sequence, nanoseconds: nanoseconds, into: &bytes, writeID: writeID)
        JSONWriter.literal(
            "\",\"type\":\"EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK\",\"payload\":{\"message_id\":", into: &bytes)
        JSONWriter.string(messageID, into: &bytes)
        JSONWriter.literal(",\"chunk_index\":", into: &bytes)
        JSONWriter.integer(index, into: &bytes)
        if isComplete {
            JSONWriter.literal(",\"is_complete\":true,\"text\":", into: &bytes)
        } else {
            JSONWriter.literal(",\"is_complete\":false,\"text\":", into: &bytes)
        }
        JSONWriter.string(text, into: &bytes)
        JSONWriter.literal(",\"attachments\":[],\"response_suggestions\":[]}}", into: &bytes)
    }

    /// Appends the beginning of an EVENT_BATCH, up to its first event.
    package static func openBatch(
        nanoseconds: Int64, into bytes: inout [UInt8], writeID: WriteID
    ) {
        let type = EventType.eventBatch.rawValue
        open(sequence: nil, nanoseconds: nanoseconds, type: type, into: &bytes, writeID: writeID)
        JSONWriter.literal(",\"payload\":{\"events\":[", into: &bytes)
    }

    package static func closeBatch(into bytes: inout [UInt8]) {
        JSONWriter.literal("]}}", into: &bytes)
    }

    /// Converts a type's name: `EVENT_TYPE_POLY_AGENT_MESSAGE` becomes `poly_agent_message`.
    package static func oneofKey(_ type: String) -> String {
        (type.hasPrefix(EventType.prefix) ? String(type.dropFirst(EventType.prefix.count)) : type)
            .lowercased()
    }

    private static func open(
        sequence: UInt64?, nanoseconds: Int64, type: String, into bytes: inout [UInt8],
        writeID: WriteID
    ) {
        begin(sequence: sequence, nanoseconds: nanoseconds, into: &bytes, writeID: writeID)
        JSONWriter.literal("\",\"type\":", into: &bytes)
        JSONWriter.string(type, into: &bytes)
    }

    /// Appends an event up to its timestamp, whose quote stays open.
    private static func begin(
        sequence: UInt64?, nanoseconds: Int64, into bytes: inout [UInt8], writeID: WriteID
    ) {
        ByteRoom.append(atMost: headBytes, to: &bytes) { head in
            begin(sequence: sequence, nanoseconds: nanoseconds, into: &head, writeID: writeID)
        }
    }

    private static func begin(
        sequence: UInt64?, nanoseconds: Int64, into head: inout ByteRoom, writeID: WriteID
    ) {
        head.literal("{\"id\":\"")
        head.write(atMost: idBytes, writeID)
        head.literal("\",\"sequence\":")
        if let sequence { head.integer(sequence) } else { head.literal("null") }
        head.literal(",\"timestamp\":\"")
        head.write(atMost: TimeStamp.length) { TimeStamp.write(nanoseconds: nanoseconds, to: $0) }
    }
}
