package import ConversationEngine

package struct CompiledFixture: Equatable, Sendable {
    /// File name without its extension.
    package var name: String
    package var fileName: String
    /// Compiled script; nil when the file has an error.
    package var script: Script?
    package var findings: [Finding]
    package var examples: [Example] = []
    /// The file's `clock` setting as written: `real`, `frozen` or `scaled 10`.
    package var clock: String?

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}
