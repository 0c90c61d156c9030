/// A text with placeholders: `{name}` for slots, values, `agent.name`, `liveAgent.name`, `message` and `now`; `{{` and
/// `}}` for braces.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case text(String)
        /// A placeholder: its name and the UTF-8 offset of the opening brace.
        case slot(String, offset: Int)
    }

    package let parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// A template without placeholders.
    package init(literal: String) { parts = literal.isEmpty ? [] : [.text(literal)] }

    /// Fills placeholders; a name without `value` becomes empty.
    package func filled(_ value: (String) -> String?) -> String { filled(atMost: .max, value) }

    /// Fills placeholders and cuts at `limit` bytes, so that a slot with its own placeholder cannot grow forever. A
    /// text without placeholders stays whole.
    package func filled(atMost limit: Int, _ value: (String) -> String?) -> String {
        if case .text(let only)? = parts.first, parts.count == 1 { return only }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .slot(let name, _): result += value(name) ?? ""
            }
            guard result.utf8.count > limit else { continue }
            // Rounded down to a character.
            return String(result.unicodeScalars[..<result.utf8.index(result.startIndex, offsetBy: limit)])
        }
        return result
    }

    /// All placeholders, in order.
    package var slots: [(name: String, offset: Int)] {
        parts.compactMap { part in
            if case .slot(let name, let offset) = part { return (name, offset) }
            return nil
        }
    }
}
