import Texts

/// Formatter of the server's JSON values.
enum ValueText {
    /// Returns a value as text. Null and an absent value give the empty text.
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null?: ""
        case .string(let text)?: text
        case .bool(let flag)?: flag ? "yes" : "no"
        case let value?: compact(value)
        }
    }

    static func compact(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    }

    /// Returns the time of day, `12:00:01.250` of `2026-01-01T12:00:01.250Z`. Other text is unchanged.
    static func clockTime(_ value: JSONValue?) -> String {
        let text = text(value)
        guard text.hasSuffix("Z"), let start = text.firstIndex(of: "T") else { return text }
        return String(text[text.index(after: start)...].dropLast().prefix(12))
    }

    static func facts(_ value: JSONValue, except left: Set<String> = []) -> [String] {
        let members = (value.object?.members ?? []).filter { member in
            !left.contains(member.name) && !text(member.value).isEmpty
        }
        let width = members.map(\.name.count).max() ?? 0
        return members.map { member in
            TextTable.padded(TextTable.oneLine(member.name), to: width) + "  "
                + TextTable.oneLine(text(member.value))
        }
    }
}
