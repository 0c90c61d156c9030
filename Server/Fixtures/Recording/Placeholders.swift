import Texts

/// Escaping of recorded text for fixtures: braces are doubled, so that they do not begin placeholders.
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
    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(Member(name, value)) }
    }

    /// Adds the pace of a recording.
    mutating func addPace(think: JSONValue, every: JSONValue) {
        add("pace", .string("recorded"))
        let pace: JSONObject = ["think": think, "chunk": .string("whole"), "every": every]
        add("paces", .object(["recorded": .object(pace)]))
    }
}

extension JSONValue {
    static func rule(_ name: String, hears: JSONValue, isOnce: Bool, _ steps: [JSONValue]) -> JSONValue {
        var rule: JSONObject = ["name": .string(name), "hears": hears]
        if isOnce { rule.add("limit", .integer(1)) }
        rule.add("replies", .array(steps.isEmpty ? [.object(["wait": .string("0s")])] : steps))
        return .object(rule)
    }
}
