/// HTTP fields in the order they came, with case-insensitive look-up by name (RFC 9110 §5.1).
package struct HeaderFields: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces every field called `name`.
    package mutating func set(_ name: String, _ value: String) {
        fields.removeAll { Self.same($0.name, name) }
        append(name, value)
    }

    /// The first value of `name`.
    package subscript(name: String) -> String? {
        for field in fields where Self.same(field.name, name) { return field.value }
        return nil
    }

    /// Every value of `name`, in order.
    package func values(of name: String) -> [String] {
        fields.compactMap { Self.same($0.name, name) ? $0.value : nil }
    }

    /// True when a comma-separated list called `name` holds `token`, ignoring case (RFC 9110 §5.6.1).
    package func list(_ name: String, contains token: String) -> Bool {
        values(of: name).contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { part in
                let blanks: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
                let trimmed = part.drop(while: blanks).reversed().drop(while: blanks).reversed()
                return Self.same(Array(trimmed), Array(token.utf8))
            }
        }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func same(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
