import ConversationEngine
package import Matching

/// Diagnostic about a fixture with its source position (fixtures/README.md#what-is-checked).
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// Keeps the file from loading.
        case error
        case warning
        /// Information on request, such as rules that no example exercises.
        case note
    }

    package var file: String
    package var place: SourcePlace
    package var severity: Severity
    package var code: FindingCode
    package var message: String
    /// Advice, if the message has none.
    package var fix: String?
    /// Observations, one per line.
    package var details: [String]
    /// Replacement of a former name by the one of now; nil for other findings.
    package var edit: Edit?

    /// Replacement of bytes in the file.
    package struct Edit: Equatable, Sendable {
        package var range: Range<Int>
        package var text: String
    }

    package init(
        file: String, place: SourcePlace, severity: Severity, code: FindingCode, message: String,
        fix: String? = nil, details: [String] = [], edit: Edit? = nil
    ) {
        self.file = file
        self.place = place
        self.severity = severity
        self.code = code
        self.message = message
        self.fix = fix
        self.details = details
        self.edit = edit
    }

    /// `file:line:column: error: what is wrong [code]`; a fix has its own line before the code, details follow.
    package var description: String {
        let fix = self.fix.map { "\n  fix: \($0)" } ?? ""
        return "\(file):\(place.line):\(place.column): \(severity): \(message)\(fix) [\(code.rawValue)]"
            + details.map { "\n  \($0)" }.joined()
    }
}
