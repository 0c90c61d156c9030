import Texts

/// Escaping of recorded text for templates: braces are doubled.
enum Placeholders {
    static func text(_ words: String) -> JSONValue { .string(escaped(words)) }

    static func escaped(_ words: String) -> String {
        guard words.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return words
        }
        var result = ""
        for scalar in words.unicodeScalars {
            if scalar == "{" || scalar == "}" { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// Escapes all texts of a value, but not its names.
    static func escaped(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let words): text(words)
        case .array(let items): .array(items.map(escaped))
        case .object(let object):
            .object(JSONObject(object.members.map { .init($0.name, escaped($0.value)) }))
        default: value
        }
    }
}

extension JSONObject {
    /// Appends a member unless its value is nil.
    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(Member(name, value)) }
    }
}
