import Texts

/// Parser of client events.
package enum ClientEventReader {
    /// The members of a ``ClientEvent``. A tuple, which callers take apart without a copy: 500 of the 37,200 instructions
    /// of a round trip.
    package typealias Members = (
        content: ClientEvent.Content, customMetadata: String?, localID: Substring?, isMetadataPlain: Bool,
        serverField: String?
    )

    package static func read(
        _ bytes: [UInt8], maxDepth: Int = JSONLimits.maxDepth, maxBytes: Int = JSONLimits.maxDocumentBytes
    ) -> ClientEvent {
        bytes.withUnsafeBytes { read($0, maxDepth: maxDepth, maxBytes: maxBytes) }
    }

    package static func read(
        _ bytes: UnsafeRawBufferPointer, maxDepth: Int = JSONLimits.maxDepth,
        maxBytes: Int = JSONLimits.maxDocumentBytes
    ) -> ClientEvent {
        let event = members(of: bytes, maxDepth: maxDepth, maxBytes: maxBytes)
        return ClientEvent(
            event.content, customMetadata: event.customMetadata, localID: event.localID,
            isMetadataPlain: event.isMetadataPlain, serverField: event.serverField)
    }

    package static func members(
        of bytes: UnsafeRawBufferPointer, maxDepth: Int = JSONLimits.maxDepth,
        maxBytes: Int = JSONLimits.maxDocumentBytes
    ) -> Members {
        func malformed(_ fault: ClientEvent.Fault) -> Members { (.malformed(fault), nil, nil, true, nil) }
        guard bytes.count <= maxBytes else { return malformed(.json(JSONError(.tooLong, at: maxBytes))) }
        var scan = Scan(cursor: JSONCursor(bytes, maxDepth: maxDepth))
        do throws(JSONError) {
            guard try scan.document() else { return malformed(.notAnObject) }
        } catch {
            return malformed(.json(error))
        }
        let metadata = scan.customMetadata()
        // Mutating methods, since others would copy the scan.
        return (
            scan.content(), metadata, scan.localID(in: metadata), scan.isMetadataPlain, scan.serverField
        )
    }
}

private struct Scan {
    enum Field {
        case absent
        case text(JSONCursor.Text)
        case other
    }

    /// The raw values are the names as numbers (``JSONCursor/consumeName(_:_:_:)``); the greeting's is too long for one.
    private enum Name: UInt64 {
        case type = 0x6570_7974
        case payload = 0x64_616F_6C79_6170
        case metadata = 0x6174_6164_6174_656D
        case text = 0x7478_6574
        case state = 0x65_7461_7473
        case custom = 0x6D6F_7473_7563
        case localID = 0x6469_5F6C_6163_6F6C
        // No name has a quote.
        case greeting = 0x22
        case other = 0

        @inline(__always) var text: StaticString {
            switch self {
            case .type: "type"
            case .payload: "payload"
            case .metadata: "metadata"
            case .text: "text"
            case .state: "state"
            case .greeting: "greeting_message"
            case .custom: "custom"
            case .localID: "local_id"
            case .other: ""
            }
        }
    }

    var cursor: JSONCursor
    var type = Field.absent
    var hasPayload = false
    var payloadEnds = (start: 0, end: 0)
    var text = Field.absent
    var state = Field.absent
    var greeting = Field.absent
    var custom: (start: Int, end: Int)?
    var ownID = Field.absent
    var isMetadataPlain = true
    var serverField: String?

    /// Returns false if the JSON is valid but not an object.
    mutating func document() throws(JSONError) -> Bool {
        guard cursor.peek() == UInt8(ascii: "{") else {
            try cursor.skip(depth: 0)
            try cursor.expectEnd()
            return false
        }
        try cursor.enter(depth: 0)
        if !cursor.consume(UInt8(ascii: "}")) {
            repeat {
                switch try member(.type, .payload, .metadata) {
                case .type: type = try field(depth: 1)
                case .payload: try payload()
                case .metadata: try metadata()
                default: try cursor.skip(depth: 1)
                }
            } while try cursor.isFollowed(close: UInt8(ascii: "}"))
        }
        try cursor.expectEnd()
        return true
    }

    /// Reads a member's name with its colon. Returns `other` for any name but these three. In the outermost object,
    /// ``serverField`` becomes such a name if only servers may set it.
    @inline(__always)
    private mutating func member(
        _ first: Name, _ second: Name = .other, _ third: Name = .other
    ) throws(JSONError) -> Name {
        // Nearly all clients write names without escapes. This saves 1,100 of 45,000 instructions per message.
        let name = cursor.consumeName(first.rawValue, second.rawValue, third.rawValue)
        if name != 0 { return name == first.rawValue ? first : name == second.rawValue ? second : third }
        return try otherMember(first, second, third)
    }

    /// Like ``member(_:_:_:)``, for a name in any form.
    @inline(never)
    private mutating func otherMember(
        _ first: Name, _ second: Name, _ third: Name
    ) throws(JSONError) -> Name {
        let token = try cursor.text()
        try cursor.expect(UInt8(ascii: ":"))
        if cursor.matches(token, first.text) { return first }
        if second != .other, cursor.matches(token, second.text) { return second }
        if third != .other, cursor.matches(token, third.text) { return third }
        if first == .type { noteServerField(token) }
        return .other
    }

    private mutating func noteServerField(_ name: JSONCursor.Text) {
        for field in ["id", "sequence", "timestamp"] as [StaticString] where cursor.matches(name, field) {
            serverField = "\(field)"
        }
    }

    mutating func content() -> ClientEvent.Content {
        guard case .text(let token) = type else { return .malformed(.noType) }
        if cursor.matches(token, "EVENT_TYPE_USER_MESSAGE") {
            guard hasPayload, case .text(let text) = text else {
                return .malformed(.badPayload(.userMessage))
            }
            return .message(text: cursor.string(text))
        }
        if cursor.matches(token, "EVENT_TYPE_HEARTBEAT") { return .heartbeat }
        if cursor.matches(token, "EVENT_TYPE_USER_TYPING") {
            guard hasPayload, case .text(let state) = state else {
                return .malformed(.badPayload(.userTyping))
            }
            if cursor.matches(state, "TYPING_STATE_STARTED") { return .typing(isStarted: true) }
            if cursor.matches(state, "TYPING_STATE_STOPPED") { return .typing(isStarted: false) }
            return .malformed(.badPayload(.userTyping))
        }
        if cursor.matches(token, "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN") {
            guard hasPayload, case .text(let greeting) = greeting else { return .join(greeting: nil) }
            return .join(greeting: cursor.string(greeting))
        }
        if cursor.matches(token, "EVENT_TYPE_USER_END_SESSION") { return .end }
        let name = cursor.string(token)
        if let content = extensionContent(name) { return content }
        return EventType(rawValue: name).map { .notAllowed($0) } ?? .unknown(type: name)
    }

    /// Returns the content of a MESSAGE_CHANGED event (`.malformed` if its payload is invalid) or of a receipt event.
    /// Nil for other types, and for a receipt without a message id.
    private mutating func extensionContent(_ name: String) -> ClientEvent.Content? {
        guard let type = EventType(rawValue: name) else { return nil }
        switch type {
        case .messageChanged:
            return object.flatMap { WireChange($0) }.map { .change($0) } ?? .malformed(.badPayload(type))
        case .userReceivedMessage, .userReadMessage:
            return object?.text("message_id").map { .receipt(type, messageID: $0) }
        default: return nil
        }
    }

    private var object: JSONObject? {
        guard hasPayload else { return nil }
        let text = cursor.verbatim(payloadEnds.start, payloadEnds.end)
        return (try? JSONReader.read(Array(text.utf8)))?.object
    }

    mutating func customMetadata() -> String? {
        guard let custom else { return nil }
        return cursor.verbatim(custom.start, custom.end)
    }

    /// The client's id as a part of `metadata`, which saves an allocation per message.
    mutating func localID(in metadata: String?) -> Substring? {
        guard case .text(let token) = ownID else { return nil }
        guard let metadata, let custom, !token.hasEscapes else { return Substring(cursor.string(token)) }
        let utf8 = metadata.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: token.start - custom.start)
        return Substring(utf8[start..<utf8.index(start, offsetBy: token.end - token.start)])
    }

    private mutating func field(depth: Int) throws(JSONError) -> Field {
        if cursor.peek() == UInt8(ascii: "\"") { return .text(try cursor.text()) }
        try cursor.skip(depth: depth)
        return .other
    }

    private mutating func payload() throws(JSONError) {
        (hasPayload, text, state, greeting) = (false, .absent, .absent, .absent)
        guard cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip(depth: 1) }
        hasPayload = true
        payloadEnds.start = cursor.offset
        defer { payloadEnds.end = cursor.offset }
        try cursor.enter(depth: 1)
        if cursor.consume(UInt8(ascii: "}")) { return }
        repeat {
            switch try member(.text, .state, .greeting) {
            case .text: text = try field(depth: 2)
            case .state: state = try field(depth: 2)
            case .greeting: greeting = try field(depth: 2)
            default: try cursor.skip(depth: 2)
            }
        } while try cursor.isFollowed(close: UInt8(ascii: "}"))
    }

    private mutating func metadata() throws(JSONError) {
        (custom, ownID, isMetadataPlain) = (nil, .absent, true)
        guard cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip(depth: 1) }
        try cursor.enter(depth: 1)
        if cursor.consume(UInt8(ascii: "}")) { return }
        repeat {
            switch try member(.custom) {
            case .custom: try customObject()
            default: try cursor.skip(depth: 2)
            }
        } while try cursor.isFollowed(close: UInt8(ascii: "}"))
    }

    private mutating func customObject() throws(JSONError) {
        (custom, ownID, isMetadataPlain) = (nil, .absent, true)
        guard cursor.peek() == UInt8(ascii: "{") else { return try cursor.skip(depth: 2) }
        let start = cursor.offset
        try cursor.enter(depth: 2)
        if !cursor.consume(UInt8(ascii: "}")) {
            repeat {
                let name = try member(.localID)
                if cursor.peek() != UInt8(ascii: "\"") { isMetadataPlain = false }
                switch name {
                case .localID: ownID = try field(depth: 3)
                default: try cursor.skip(depth: 3)
                }
            } while try cursor.isFollowed(close: UInt8(ascii: "}"))
        }
        custom = (start, cursor.offset)
    }
}
