import Texts

/// Pretty-printer of JSON5 and JSON. A value that fits on one line gets one line.
struct JSON5Layout {
    private let columns: Int
    /// Whether the output is plain JSON: all names are in quotes, and no comma follows the last member.
    private let isPlain: Bool
    private var bytes: [UInt8] = []

    static func file(_ top: JSONObject) -> String { text(top, columns: 108, isPlain: false) }
    static func json(_ top: JSONObject) -> String { text(top, columns: 240, isPlain: true) }

    private static func text(_ top: JSONObject, columns: Int, isPlain: Bool) -> String {
        var layout = JSON5Layout(columns: columns, isPlain: isPlain)
        layout.write(.object(top), indent: 0, used: columns)
        return String(decoding: layout.bytes, as: UTF8.self) + "\n"
    }

    /// Writes a value. `indent` belongs to its first line, on which `used` columns are already written.
    private mutating func write(_ value: JSONValue, indent: Int, used: Int) {
        let start = bytes.count
        var left = columns - used
        if fit(value, into: &left) { return }
        bytes.removeSubrange(start...)
        switch value {
        case .array(let items) where !items.isEmpty:
            list(items, "[", "]", indent) { $0.write($1, indent: indent + 2, used: indent + 3) }
        case .object(let object) where !object.members.isEmpty:
            list(object.members, "{", "}", indent) { layout, member in
                let used = indent + 3 + layout.add(name: member.name)
                layout.write(member.value, indent: indent + 2, used: used)
            }
        default: JSONWriter.value(value, into: &bytes)
        }
    }

    private mutating func list<Item>(
        _ items: [Item], _ opening: String, _ closing: String, _ indent: Int,
        _ write: (inout JSON5Layout, Item) -> Void
    ) {
        bytes += opening.utf8
        for (place, item) in items.enumerated() {
            bytes += (place > 0 ? ",\n" : "\n").utf8
            bytes += repeatElement(UInt8(ascii: " "), count: indent + 2)
            write(&self, item)
        }
        bytes += (isPlain ? "\n" : ",\n").utf8
        bytes += repeatElement(UInt8(ascii: " "), count: indent)
        bytes += closing.utf8
    }

    /// Writes a value on one line, and subtracts its width from `columns`. Stops and returns false if they are too few.
    private mutating func fit(_ value: JSONValue, into columns: inout Int) -> Bool {
        guard columns > 0 else { return false }
        switch value {
        case .array(let items):
            columns -= add("[")
            for (place, item) in items.enumerated() {
                if place > 0 { columns -= add(", ") }
                guard fit(item, into: &columns) else { return false }
            }
            columns -= add("]")
        case .object(let object):
            columns -= add("{")
            for (place, member) in object.members.enumerated() {
                columns -= add(place > 0 ? ", " : " ") + add(name: member.name)
                guard fit(member.value, into: &columns) else { return false }
            }
            columns -= add(object.members.isEmpty ? "}" : " }")
        // A text of so many bytes is taken as too long without counting its characters, which takes time.
        case .string(let words) where words.utf8.count > columns * 40: return false
        default: columns -= add { JSONWriter.value(value, into: &$0) }
        }
        return columns >= 0
    }

    private mutating func add(name: String) -> Int {
        let isBare =
            !isPlain && name.utf8.first.map { !JSON5Escape.isDigit($0) } ?? false
            && name.utf8.allSatisfy {
                JSON5Escape.isDigit($0) || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F
            }
        return (isBare ? add(name) : add { JSONWriter.string(name, into: &$0) }) + add(": ")
    }

    private mutating func add(_ ascii: String) -> Int {
        bytes += ascii.utf8
        return ascii.utf8.count
    }

    /// Returns the width in characters of what `write` appends.
    private mutating func add(_ write: (inout [UInt8]) -> Void) -> Int {
        let start = bytes.count
        write(&bytes)
        let added = bytes[start...]
        return added.allSatisfy { $0 < 0x80 } ? added.count : String(decoding: added, as: UTF8.self).count
    }
}
