/// Text with placeholders in braces, such as slots, values, `agent.name`, `message` and `now`.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case text(String)
        /// A placeholder and the UTF-8 offset of its opening brace.
        case slot(String, offset: Int)
    }

    package let parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    package init(literal: String) { parts = literal.isEmpty ? [] : [.text(literal)] }

    /// The only part, if that is a text.
    var literal: String? {
        if parts.count == 1, case .text(let only) = parts[0] { only } else { nil }
    }

    /// Fills the placeholders. A placeholder without a value becomes empty.
    package func filled(_ value: (String) -> String?) -> String { filled(atMost: .max, value) }

    /// Fills the placeholders and cuts at `limit` bytes.
    package func filled(atMost limit: Int, _ value: (String) -> String?) -> String {
        if let literal { return literal }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .slot(let name, _): result += value(name) ?? ""
            }
            guard result.utf8.count > limit else { continue }
            // The scalar view rounds down, so that no scalar is split.
            return String(result.unicodeScalars[..<result.utf8.index(result.startIndex, offsetBy: limit)])
        }
        return result
    }

    package var slots: [(name: String, offset: Int)] {
        parts.compactMap { part in
            if case .slot(let name, let offset) = part { return (name, offset) }
            return nil
        }
    }
}
