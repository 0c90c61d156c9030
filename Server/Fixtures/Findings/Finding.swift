import ConversationEngine
package import Matching
package import Texts

/// Diagnostic about a fixture with its source position (fixtures/README.md#what-is-checked).
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// A mistake that prevents loading.
        case error
        case warning
        /// Information on request, such as rules that no example exercises.
        case note
    }

    /// The fix of a finding as an edit: `length` characters of one line, from `place` on, become `text`.
    package struct Replacement: Equatable, Sendable {
        package var place: SourcePlace
        /// In Unicode scalars, as columns are counted.
        package var length: Int
        package var text: String
        /// Range of these characters in the bytes of the file.
        package var bytes: Range<Int>
        /// Whether the edit replaces a former name, as `check --fix` does.
        package var isFormerName: Bool

        /// `{"line":3,"column":9,"length":8,"text":"replies"}`.
        package var json: JSONValue {
            .object([
                "line": .integer(Int64(place.line)), "column": .integer(Int64(place.column)),
                "length": .integer(Int64(length)), "text": .string(text),
            ])
        }
    }

    package var file: String
    package var place: SourcePlace
    package var severity: Severity
    package var code: FindingCode
    package var message: String
    /// Advice, if the message has none.
    package var fix: String?
    /// The fix as an edit, if there is exactly one.
    package var replacement: Replacement?
    /// Observations, one per line.
    package var details: [String]

    package init(
        file: String, place: SourcePlace, severity: Severity, code: FindingCode, message: String,
        fix: String? = nil, replacement: Replacement? = nil, details: [String] = []
    ) {
        self.file = file
        self.place = place
        self.severity = severity
        self.code = code
        self.message = message
        self.fix = fix
        self.replacement = replacement
        self.details = details
    }

    /// `file:line:column: error: what is wrong [code]`; a fix has its own line before the code, details follow.
    package var description: String {
        let fix = self.fix.map { "\n  fix: \($0)" } ?? ""
        return "\(file):\(place.line):\(place.column): \(severity): \(message)\(fix) [\(code.rawValue)]"
            + details.map { "\n  \($0)" }.joined()
    }
}
