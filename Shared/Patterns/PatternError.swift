/// Why a text is no regular expression.
package struct PatternError: Error, Equatable, Sendable {
    /// Continues "the regular expression ".
    package var reason: String
    /// Suggested replacement, without a full stop.
    package var fix: String
    /// UTF-8 bytes from the start of the expression to the mistake.
    package var offset: Int

    package init(_ reason: String, at offset: Int, fix: String) {
        self.reason = reason
        self.offset = offset
        self.fix = fix
    }

    /// Two sentences: `it opens a group and never closes it. End it with ")".`
    package var message: String { "it \(reason). \(fix.prefix(1).uppercased() + fix.dropFirst())." }
}
