public import RunWire
package import Texts

/// Any JSON value (RFC 8259). The members of an object have no order.
///
/// ```swift
/// let city: JSONValue = try JSONValue(parsing: #"{"city":"Leeds"}"#)["city"] ?? .null
/// ```
public enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses one JSON document. Throws ``AgentRunError/decoding(eventType:detail:)`` if the text is not valid JSON.
    public init(parsing text: String) throws {
        do throws(JSONError) {
            self.init(try JSONReader.read(Array(text.utf8), manner: .lenient))
        } catch {
            throw AgentRunError.decoding(eventType: nil, detail: error.description)
        }
    }

    /// The JSON text without white space, with object members sorted by name.
    public var compactText: String { String(decoding: JSONWriter.bytes(wire), as: UTF8.self) }

    /// The value of the member `key`; nil if there is no such member, or if this value is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package init(_ value: Texts.JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let object): self = .object(Self.members(object))
        }
    }

    static func members(_ object: JSONObject) -> [String: JSONValue] {
        Dictionary(object.members.map { ($0.name, JSONValue($0.value)) }) { $1 }
    }

    package var wire: Texts.JSONValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .double(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.wire))
        case .object(let members): .object(Self.object(members))
        }
    }

    static func object(_ members: [String: JSONValue]) -> JSONObject {
        JSONObject(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.wire) })
    }

    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

/// One operation of a JSON Patch (RFC 6902 §4).
public struct JSONPatchOperation: Hashable, Sendable, Codable {
    /// The verb of an operation.
    public typealias Verb = JSONPatchVerb

    /// The verb, such as `add`.
    public let op: Verb
    /// The target, as a JSON Pointer (RFC 6901).
    public let path: String
    /// The source of `move` and `copy`.
    public let from: String?
    /// The value of `add`, `replace` and `test`.
    public let value: JSONValue?

    init(_ operation: RunWire.JSONPatchOperation) {
        op = operation.verb
        path = operation.path
        from = operation.from
        value = operation.value.map { JSONValue($0) }
    }
}
