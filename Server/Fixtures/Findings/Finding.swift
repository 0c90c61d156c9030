package import Matching
package import Texts

/// Diagnostic about a fixture, with its position in the file (fixtures/README.md#what-is-checked).
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        case error
        case warning
        /// Information that is only given on request, such as a rule that no example uses.
        case note
    }

    /// Edit that fixes a finding: `text` replaces a part of one line.
    package struct Replacement: Equatable, Sendable {
        package var place: SourcePlace
        /// Length in Unicode scalars.
        package var length: Int
        package var text: String
        /// Range of the replaced characters in the bytes of the file.
        package var bytes: Range<Int>
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
    /// Description of the correction, if the message does not contain it.
    package var fix: String?
    /// The correction as an edit, if there is exactly one.
    package var replacement: Replacement?
    /// Additional lines, such as the messages that were actually sent.
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

    /// `file:line:column: error: what is wrong`, the correction on its own line, `[code]`, and lines of details.
    package var description: String {
        let fix = self.fix.map { "\n  fix: \($0)" } ?? ""
        return "\(file):\(place.line):\(place.column): \(severity): \(message)\(fix) [\(code.rawValue)]"
            + details.map { "\n  \($0)" }.joined()
    }
}
