/// A text with placeholders in braces: slots, values, `agent.name`, `liveAgent.name`, `message` and `now`. `{{` and
/// `}}` stand for braces.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case text(String)
        /// A placeholder, with the UTF-8 offset of its opening brace.
        case slot(String, offset: Int)
    }

    package let parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// Creates a template without placeholders.
    package init(literal: String) { parts = literal.isEmpty ? [] : [.text(literal)] }

    /// Fills the placeholders. A placeholder without a value becomes empty.
    package func filled(_ value: (String) -> String?) -> String { filled(atMost: .max, value) }

    /// Fills the placeholders and cuts the result at `limit` bytes, because templates can make a slot's value grow with
    /// every step.
    package func filled(atMost limit: Int, _ value: (String) -> String?) -> String {
        if case .text(let only)? = parts.first, parts.count == 1 { return only }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .slot(let name, _): result += value(name) ?? ""
            }
            guard result.utf8.count > limit else { continue }
            // The scalar view rounds the index down, so that the bytes of a Unicode scalar are not split.
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
