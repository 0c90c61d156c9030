/// Reads one JSON document into a ``JSONValue``. Strict: exactly RFC 8259, nothing more.
///
/// Two choices where the RFC leaves one: half surrogate pairs are refused (§8.2), and of members with one name
/// the last counts (§4).
package enum JSONReader {
    package static func read(
        _ bytes: UnsafeRawBufferPointer, maxDepth: Int = JSONLimits.maxDepth,
        maxBytes: Int = JSONLimits.maxDocumentBytes, maxValues: Int = .max
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= maxBytes else { throw JSONError(.tooLong, at: maxBytes) }
        var cursor = JSONCursor(bytes, maxDepth: maxDepth)
        cursor.valuesLeft = maxValues
        let value = try value(&cursor, depth: 0)
        try cursor.expectEnd()
        return value
    }

    package static func read(
        _ bytes: [UInt8], maxDepth: Int = JSONLimits.maxDepth, maxBytes: Int = JSONLimits.maxDocumentBytes,
        maxValues: Int = .max
    ) throws(JSONError) -> JSONValue {
        let result = bytes.withUnsafeBytes { buffer -> Result<JSONValue, JSONError> in
            do throws(JSONError) {
                return .success(
                    try read(buffer, maxDepth: maxDepth, maxBytes: maxBytes, maxValues: maxValues))
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
        case UInt8(ascii: "{"): return .object(try object(&cursor, depth: depth))
        case UInt8(ascii: "["): return .array(try array(&cursor, depth: depth))
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
        if cursor.take(UInt8(ascii: "}")) { return object }
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
        if cursor.take(UInt8(ascii: "]")) { return elements }
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
        guard let number = Double(text), number.isFinite else { throw JSONError(.badNumber, at: start) }
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
