import ConversationEngine
import Matching
import Texts

/// The work of ``FixtureLoader`` on one file: what is known so far, and everything found.
///
/// Names that may be used before they are declared are gathered first (``gatherNames(_:)``); then every block
/// is read once, from top to bottom. A part with an error is left out, and the reading goes on.
struct FixtureCompiler {
    let document: JSON5Document
    let fileName: String
    var script: Script
    var findings: [Finding] = []
    var examples: [Example] = []
    var clock: String?
    var map = SourceMap()
    var names = DeclaredNames()
    /// Kinds that the file declares.
    var kinds: [OwnKind] = []
    var spellingCount = 0
    var ruleCount = 0
    /// Counted apart, so that no number of warnings can hide that there is an error.
    private var errorCount = 0
    private var warningCount = 0

    init(document: JSON5Document, fileName: String, name: String) {
        self.document = document
        self.fileName = fileName
        script = Script(name: name, title: name, file: fileName)
    }

    mutating func run(isLinted: Bool) -> CompiledFixture {
        for problem in document.problems {
            let code: FindingCode = problem.kind == .syntax ? .syntax : .duplicateKey
            report(code, at: problem.offset, problem.message)
        }
        if let root = document.root {
            compileTop(root)
            if isLinted { lint(root) }
            silence()
        }
        findings.sort { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
        var result = CompiledFixture(
            name: script.name, fileName: fileName, script: nil, findings: findings, examples: examples,
            clock: clock)
        if document.root != nil, !result.hasErrors { result.script = script }
        return result
    }

    // MARK: Findings

    /// True while fewer than ``Limits/findings`` errors are reported; further messages would be composed in vain.
    var tellsErrors: Bool { errorCount < Limits.findings }

    /// An error at a byte offset of the file.
    mutating func report(
        _ code: FindingCode, at offset: Int, _ message: String, fix: String? = nil, edit: Finding.Edit? = nil
    ) {
        guard tellsErrors else { return }
        errorCount += 1
        add(code, .error, document.place(at: offset), message, fix: fix, edit: edit)
    }

    mutating func report(
        _ code: FindingCode, at value: JSON5Value, _ message: String, fix: String? = nil
    ) {
        report(code, at: value.start, message, fix: fix)
    }

    /// Reports a finding inside a text value, `textOffset` UTF-8 bytes after its opening quote.
    mutating func report(_ code: FindingCode, inside value: JSON5Value, textOffset: Int, _ message: String) {
        guard tellsErrors else { return }
        report(code, at: document.offset(of: textOffset, in: value), message)
    }

    mutating func report(
        _ code: FindingCode, at place: SourcePlace, _ message: String, fix: String? = nil
    ) {
        guard tellsErrors else { return }
        errorCount += 1
        add(code, .error, place, message, fix: fix)
    }

    mutating func warn(
        _ code: FindingCode, at place: SourcePlace, _ message: String, fix: String? = nil,
        edit: Finding.Edit? = nil
    ) {
        guard warningCount < Limits.findings else { return }
        warningCount += 1
        add(code, .warning, place, message, fix: fix, edit: edit)
    }

    private mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ place: SourcePlace, _ message: String,
        fix: String?, edit: Finding.Edit? = nil
    ) {
        findings.append(
            Finding(
                file: fileName, place: place, severity: severity, code: code, message: message, fix: fix,
                edit: edit))
    }

    /// `Did you mean "suggest"?`, or nothing.
    func didYouMean(_ name: String, among names: some Sequence<String>) -> String? {
        tellsErrors ? ValueReader.didYouMean(name, among: names) : nil
    }

    func place(of value: JSON5Value) -> SourcePlace { document.place(of: value) }
}
