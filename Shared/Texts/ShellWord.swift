/// Quoting of words for a shell.
package enum ShellWord {
    /// Returns `text` in quotes, so that a shell reads it as one word.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
