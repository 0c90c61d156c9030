/// Quoting of words for a shell.
package enum ShellWord {
    /// Returns `text` as one quoted word of a shell.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
