import Texts

/// Pretty-printer of JSON5 and JSON. A value that fits on one line gets one line.
struct JSON5Layout {
    private let columns: Int
    /// Whether the output is plain JSON: all names are in quotes, and no comma follows the last member.
    private let isPlain: Bool

    static func file(_ top: JSONObject) -> String { JSON5Layout(columns: 108, isPlain: false).text(top) }
    static func json(_ top: JSONObject) -> String { JSON5Layout(columns: 240, isPlain: true).text(top) }

    private func text(_ top: JSONObject) -> String {
        var text = "{\n"
        for (place, member) in top.members.enumerated() {
            text += "  " + name(member.name) + ": "
            write(member.value, indent: 2, used: name(member.name).count + 5, into: &text)
            text += end(of: place, top.members.count)
        }
        return text + "}\n"
    }

    private func end(of place: Int, _ count: Int) -> String { isPlain && place == count - 1 ? "\n" : ",\n" }

    /// Writes a value. `indent` belongs to its first line, on which `used` columns are already written.
    private func write(_ value: JSONValue, indent: Int, used: Int, into text: inout String) {
        if let line = line(value, atMost: columns - used) {
            text += line
            return
        }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .array(let items) where !items.isEmpty:
            text += "[\n"
            for (place, item) in items.enumerated() {
                text += inner
                write(item, indent: indent + 2, used: indent + 3, into: &text)
                text += end(of: place, items.count)
            }
            text += outer + "]"
        case .object(let object) where !object.members.isEmpty:
            text += "{\n"
            for (place, member) in object.members.enumerated() {
                let name = name(member.name) + ": "
                text += inner + name
                write(member.value, indent: indent + 2, used: indent + 3 + name.count, into: &text)
                text += end(of: place, object.members.count)
            }
            text += outer + "}"
        default: text += plain(value)
        }
    }

    private func line(_ value: JSONValue, atMost columns: Int) -> String? {
        guard columns >= 0 else { return nil }
        switch value {
        case .array(let items):
            return list(items, "[", "]", columns) { item, left in line(item, atMost: left) }
        case .object(let object) where object.members.isEmpty: return columns < 2 ? nil : "{}"
        case .object(let object):
            return list(object.members, "{ ", " }", columns) { member, left in
                let name = name(member.name) + ": "
                return line(member.value, atMost: left - name.count).map { name + $0 }
            }
        // A text of so many bytes is taken as too long without counting its characters, which takes time.
        case .string(let words) where words.utf8.count > columns * 40: return nil
        default:
            let line = plain(value)
            return line.count > columns ? nil : line
        }
    }

    private func list<Item>(
        _ items: [Item], _ opening: String, _ closing: String, _ columns: Int,
        _ line: (Item, _ left: Int) -> String?
    ) -> String? {
        var text = opening
        for (place, item) in items.enumerated() {
            if place > 0 { text += ", " }
            guard let next = line(item, columns - text.count - closing.count) else { return nil }
            text += next
        }
        text += closing
        return text.count > columns ? nil : text
    }

    private func plain(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    }

    private func name(_ name: String) -> String {
        let isBare =
            !isPlain && name.utf8.first.map { !JSON5Escape.isDigit($0) } ?? false
            && name.utf8.allSatisfy {
                JSON5Escape.isDigit($0) || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F
            }
        return isBare ? name : String(decoding: JSONWriter.bytes(.string(name)), as: UTF8.self)
    }
}
