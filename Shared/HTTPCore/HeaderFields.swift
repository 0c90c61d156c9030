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

    package var isEmpty: Bool { fields.isEmpty }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces every field called `name`.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    /// Drops every field called `name`.
    package mutating func remove(_ name: String) {
        fields.removeAll { Self.same($0.name, name) }
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
        for field in fields where Self.same(field.name, name) {
            if Self.list(field.value, contains: token) { return true }
        }
        return false
    }

    /// Adds `token` to the comma-separated list called `name` unless it is there.
    package mutating func addToList(_ name: String, _ token: String) {
        guard !list(name, contains: token) else { return }
        guard let index = fields.firstIndex(where: { Self.same($0.name, name) }) else {
            return append(name, token)
        }
        fields[index].value += ", " + token
    }

    static func list(_ value: String, contains token: String) -> Bool {
        var list = value
        var wanted = token
        return list.withUTF8 { bytes in
            wanted.withUTF8 { wanted in
                var start = 0
                while start <= bytes.count {
                    var end = start
                    while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
                    let part = ByteClass.trimmed(UnsafeRawBufferPointer(bytes)[start..<end])
                    if same(UnsafeRawBufferPointer(rebasing: part), UnsafeRawBufferPointer(wanted)) {
                        return true
                    }
                    start = end + 1
                }
                return false
            }
        }
    }

    /// Equal but for the case of ASCII letters.
    static func same(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        if left == right { return true }
        var others = right.utf8.makeIterator()
        for byte in left.utf8 {
            guard let other = others.next(), ByteClass.lowercase(byte) == ByteClass.lowercase(other) else {
                return false
            }
        }
        return true
    }

    private static func same(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count
        where ByteClass.lowercase(left[index]) != ByteClass.lowercase(right[index]) {
            return false
        }
        return true
    }
}
