/// Ordered HTTP fields. Names ignore case (RFC 9110 §5.1).
package struct HeaderFields: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []
    private static let usualCount = 8

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    package var isEmpty: Bool { fields.isEmpty }

    /// Bytes of memory for all names and values.
    package var byteCount: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + MemoryLayout<Field>.stride }
    }

    package mutating func append(_ name: String, _ value: String) {
        // Most heads fit, so the array need not grow field by field.
        if fields.isEmpty { fields.reserveCapacity(Self.usualCount) }
        fields.append(Field(name: name, value: value))
    }

    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    package mutating func remove(_ name: String) {
        fields.removeAll { Self.same($0.name, name) }
    }

    package subscript(name: String) -> String? {
        for index in fields.indices where Self.same(fields[index].name, name) { return fields[index].value }
        return nil
    }

    package func values(of name: String) -> [String] {
        fields.compactMap { Self.same($0.name, name) ? $0.value : nil }
    }

    /// Whether the comma-separated field `name` contains `token`, ignoring case (RFC 9110 §5.6.1).
    package func list(_ name: String, contains token: String) -> Bool {
        for index in fields.indices where Self.same(fields[index].name, name) {
            if Self.list(fields[index].value, contains: token) { return true }
        }
        return false
    }

    /// Adds `token` to the comma-separated field `name`, unless it is there.
    package mutating func addToList(_ name: String, _ token: String) {
        guard !list(name, contains: token) else { return }
        guard let index = fields.firstIndex(where: { Self.same($0.name, name) }) else {
            return append(name, token)
        }
        fields[index].value += ", " + token
    }

    static func list(_ value: String, contains token: String) -> Bool {
        value.withBytes { list in
            token.withBytes { token in
                var start = 0
                while start <= list.count {
                    let end = list.index(of: UInt8(ascii: ","), from: start, to: list.count)
                    if list.part(start, end).trimmed().matches(token) { return true }
                    start = end + 1
                }
                return false
            }
        }
    }

    /// Compares two names, ignoring the case of ASCII letters.
    @inline(__always)
    static func same(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return isSame(left, right)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right || left.withBytes { left in right.withBytes { left.matches($0) } }
    }
}
