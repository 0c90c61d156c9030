import Texts

/// Lays a file out as a person would write it: bare names, and one line for what fits into it.
enum JSON5Layout {
    private static let columns = 108

    static func file(_ top: JSONObject) -> String {
        var text = "{\n"
        for member in top.members {
            text += "  " + name(member.name) + ": "
            text += self.text(member.value, indent: 2, used: name(member.name).count + 5) + ",\n"
        }
        return text + "}\n"
    }

    /// `indent` is that of the line which the value begins in; `used` columns of it are taken by something else.
    private static func text(_ value: JSONValue, indent: Int, used: Int) -> String {
        let line = line(value)
        if used + line.count <= columns { return line }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .array(let items) where !items.isEmpty:
            return "[\n"
                + items.map { inner + text($0, indent: indent + 2, used: indent + 3) + ",\n" }.joined()
                + outer + "]"
        case .object(let object) where !object.members.isEmpty:
            return "{\n"
                + object.members.map { member in
                    let name = name(member.name) + ": "
                    return inner + name
                        + text(member.value, indent: indent + 2, used: indent + 3 + name.count) + ",\n"
                }.joined() + outer + "}"
        default: return line
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let items): "[" + items.map(line).joined(separator: ", ") + "]"
        case .object(let object) where object.members.isEmpty: "{}"
        case .object(let object):
            "{ " + object.members.map { name($0.name) + ": " + line($0.value) }.joined(separator: ", ") + " }"
        default: String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        }
    }

    private static func name(_ name: String) -> String {
        let isBare =
            name.utf8.first.map { !JSON5Escape.isDigit($0) } ?? false
            && name.utf8.allSatisfy {
                JSON5Escape.isDigit($0) || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F
            }
        return isBare ? name : String(decoding: JSONWriter.bytes(.string(name)), as: UTF8.self)
    }
}
