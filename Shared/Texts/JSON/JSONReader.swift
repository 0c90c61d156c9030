/// Strictness of the reader, for points that RFC 8259 leaves open and for flaws inside one value.
package enum JSONManner: Sendable {
    /// Exactly RFC 8259; half a surrogate pair (§8.2) and a byte order mark (§8.1) are refused. For servers, and for
    /// texts of our own.
    case strict
    /// For texts of a peer, where one bad value must not cost its neighbours. A byte order mark at the beginning is
    /// passed over (§8.1); half a surrogate pair and bytes that are not UTF-8 become U+FFFD (§8.2); a number beyond a
    /// double (§6) and a container beyond the depth (§9) become null.
    case lenient
}

/// Reads one JSON document (RFC 8259) into a ``JSONValue``, in a ``JSONManner``. Of members with one name the last
/// counts (§4).
package enum JSONReader {
    package static func read(
        _ bytes: UnsafeRawBufferPointer, maxDepth: Int = JSONLimits.maxDepth,
        maxBytes: Int = JSONLimits.maxDocumentBytes, maxValues: Int = .max, manner: JSONManner = .strict
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= maxBytes else { throw JSONError(.tooLong, at: maxBytes) }
        var cursor = JSONCursor(bytes, maxDepth: maxDepth, manner: manner)
        cursor.valuesLeft = maxValues
        let value = try value(&cursor, depth: 0)
        try cursor.expectEnd()
        return value
    }

    package static func read(
        _ bytes: [UInt8], maxDepth: Int = JSONLimits.maxDepth, maxBytes: Int = JSONLimits.maxDocumentBytes,
        maxValues: Int = .max, manner: JSONManner = .strict
    ) throws(JSONError) -> JSONValue {
        let result = bytes.withUnsafeBytes { buffer -> Result<JSONValue, JSONError> in
            do throws(JSONError) {
                return .success(
                    try read(
                        buffer, maxDepth: maxDepth, maxBytes: maxBytes, maxValues: maxValues, manner: manner))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func value(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> JSONValue {
        guard let next = cursor.peek() else { throw JSONError(.unexpectedEnd, at: cursor.offset) }
        cursor.valuesLeft -= 1
        guard cursor.valuesLeft >= 0 else { throw JSONError(.tooMany, at: cursor.offset) }
        switch next {
        case UInt8(ascii: "\""): return .string(cursor.string(try cursor.text()))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if try cursor.skipsTooDeep(depth: depth) { return .null }
            return next == UInt8(ascii: "{")
                ? .object(try object(&cursor, depth: depth)) : .array(try array(&cursor, depth: depth))
        case UInt8(ascii: "t"):
            try cursor.literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try cursor.literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try cursor.literal("null")
            return .null
        default: return try number(&cursor)
        }
    }

    private static func object(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> JSONObject {
        try cursor.enter(depth: depth)
        var object = JSONObject()
        if cursor.consume(UInt8(ascii: "}")) { return object }
        repeat {
            let name = cursor.string(try cursor.text())
            try cursor.expect(UInt8(ascii: ":"))
            object.members.append(JSONObject.Member(name, try value(&cursor, depth: depth + 1)))
        } while try cursor.isFollowed(close: UInt8(ascii: "}"))
        return object
    }

    private static func array(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> [JSONValue] {
        try cursor.enter(depth: depth)
        var elements: [JSONValue] = []
        if cursor.consume(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value(&cursor, depth: depth + 1))
        } while try cursor.isFollowed(close: UInt8(ascii: "]"))
        return elements
    }

    private static func number(_ cursor: inout JSONCursor) throws(JSONError) -> JSONValue {
        let (start, end, isInteger) = try cursor.number()
        let text = cursor.verbatim(start, end)
        // Zero below zero is no integer here: it would lose its sign.
        if isInteger, let number = Int64(text), number != 0 || text.utf8.first == UInt8(ascii: "0") {
            return .integer(number)
        }
        guard let number = Double(text), number.isFinite else {
            if cursor.manner == .lenient { return .null }
            throw JSONError(.badNumber, at: start)
        }
        return .double(number)
    }
}

/// Bounds of this module: name, unit, default, reason.
package enum JSONLimits {
    /// Containers inside containers. 64: far above any event of the API, and far below a thread's stack.
    package static let maxDepth = 64
    /// Bytes of one JSON document. 16 MiB: replies and batches stay well below, so only nonsense is refused.
    package static let maxDocumentBytes = 16 * 1024 * 1024
}
