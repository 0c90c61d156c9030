package import ConversationEngine

/// The result of compiling one fixture file.
package struct CompiledFixture: Equatable, Sendable {
    /// The name used to select the fixture: the file name without its extension.
    package var name: String
    package var fileName: String
    /// Compiled script; nil when the file has an error. A failing example is not an error of the file.
    package var script: Script?
    /// In the order of the file.
    package var findings: [Finding]
    package var examples: [Example]
    /// The file's `clock` setting as written: `real`, `frozen` or `scaled 10`.
    package var clock: String?

    package init(
        name: String, fileName: String, script: Script?, findings: [Finding], examples: [Example] = [],
        clock: String? = nil
    ) {
        self.name = name
        self.fileName = fileName
        self.script = script
        self.findings = findings
        self.examples = examples
        self.clock = clock
    }

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}
