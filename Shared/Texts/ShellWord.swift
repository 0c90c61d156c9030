/// Words of command lines that people copy.
package enum ShellWord {
    /// One word of a shell, whatever is in it.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
