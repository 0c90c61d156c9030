/// Strictness of the reader where RFC 8259 leaves a choice, and for invalid values.
package enum JSONManner: Sendable {
    /// For servers and texts of this package. All that ``lenient`` skips or replaces is an error.
    case strict
    /// For texts of peers. Skips a byte order mark (§8.1). Lone surrogates and invalid UTF-8 become U+FFFD (§8.2). A
    /// number beyond a double (§6) or a container that is too deep (§9) becomes null.
    case lenient
}

/// Reader of one JSON document (RFC 8259).
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

package enum JSONLimits {
    /// Maximum nesting depth: too little for a stack overflow.
    package static let maxDepth = 64
    /// Maximum bytes of one document.
    package static let maxDocumentBytes = 16 * 1024 * 1024
}
