package import ConversationEngine

/// Something a fixture's author should know, with the place to look at (fixtures 4).
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// Keeps the file from loading.
        case error
        case warning
    }

    package var file: String
    package var place: SourcePlace
    package var severity: Severity
    package var code: FindingCode
    package var message: String
    /// What to do, when the message does not say it.
    package var fix: String?

    package init(
        file: String, place: SourcePlace, severity: Severity, code: FindingCode, message: String,
        fix: String? = nil
    ) {
        self.file = file
        self.place = place
        self.severity = severity
        self.code = code
        self.message = message
        self.fix = fix
    }

    /// `file:line:column: error: what is wrong [code]`, with a second line when there is a fix.
    package var description: String {
        let fix = self.fix.map { "\n  fix: \($0)" } ?? ""
        return "\(file):\(place.line):\(place.column): \(severity): \(message)\(fix) [\(code.rawValue)]"
    }
}
