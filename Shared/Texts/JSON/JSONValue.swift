/// JSON value. Members of objects keep their order.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits into 64 bits.
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Value of the member `name`. Nil without such a member, or if this is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The number without its fraction. Nil if the value is not a number, or if the number does not fit into 64 bits.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number.rounded(.towardZero))
        default: nil
        }
    }

    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var object: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }
}

/// Members of a JSON object, in order. Of members with the same name, the last is used (RFC 8259 §4).
package struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// Creates an object without the members whose value is nil.
    package init(present members: [(String, JSONValue?)]) {
        self.init(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member($0, $1) }
    }

    package subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }
}
