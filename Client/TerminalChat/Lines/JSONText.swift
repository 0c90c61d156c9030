import Clocks

/// One JSON object, member by member, on one line (RFC 8259).
struct JSONText {
    private(set) var text = "{"

    /// The object as it stands.
    var closed: String { text + "}" }

    mutating func add(_ name: String, _ value: String) { member(name, Self.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { member(name, String(value)) }
    mutating func add(_ name: String, _ value: Bool) { member(name, value ? "true" : "false") }
    mutating func add(_ name: String, _ objects: [JSONText]) {
        member(name, "[" + objects.map(\.closed).joined(separator: ",") + "]")
    }
    mutating func add(_ name: String, _ values: [String]) {
        member(name, "[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }
    mutating func add(_ name: String, _ object: JSONText) { member(name, object.closed) }
    /// Nothing is added for nil.
    mutating func add(_ name: String, ifKnown value: String?) {
        if let value { add(name, value) }
    }
    mutating func add(_ name: String, ifKnown value: Int?) {
        if let value { add(name, value) }
    }

    private mutating func member(_ name: String, _ value: String) {
        if text.utf8.count > 1 { text += "," }
        text += Self.quoted(name) + ":" + value
    }

    /// Whatever a terminal could obey is escaped, so the line can be shown as it is.
    static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if ForeignText.isHarmful(scalar) {
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16)
                        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
