import ConversationEngine
import Matching
import Texts

/// Compiler of one fixture file.
struct FixtureCompiler {
    let document: JSON5Document
    let fileName: String
    var script: Script
    var findings: [Finding] = []
    var examples: [Example] = []
    var clock: String?
    var map = SourceMap()
    var names = DeclaredNames()
    var kinds: [OwnKind] = []
    var spellingCount = 0
    var ruleCount = 0
    /// Errors and warnings have separate counts, so that many warnings cannot hide an error.
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
            let edit = problem.correction.map { correction in
                let old = String(decoding: document.bytes[correction.range], as: UTF8.self)
                return replacement(of: old, from: correction.range.lowerBound, by: correction.text)
            }
            report(code, at: problem.offset, problem.message, replacement: edit)
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

    /// Whether more errors may be reported.
    var tellsErrors: Bool { errorCount < FixtureLimits.findings }

    mutating func report(
        _ code: FindingCode, at offset: Int, _ message: String, fix: String? = nil,
        replacement: Finding.Replacement? = nil
    ) {
        guard tellsErrors else { return }
        errorCount += 1
        add(code, .error, document.place(at: offset), message, fix: fix, replacement: replacement)
    }

    mutating func report(
        _ code: FindingCode, at value: JSON5Value, _ message: String, fix: String? = nil,
        replacement: Finding.Replacement? = nil
    ) {
        report(code, at: value.start, message, fix: fix, replacement: replacement)
    }

    /// Reports an error at a position inside a text value: `textOffset` UTF-8 bytes after its opening quote.
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
        replacement: Finding.Replacement? = nil
    ) {
        guard warningCount < FixtureLimits.findings else { return }
        warningCount += 1
        add(code, .warning, place, message, fix: fix, replacement: replacement)
    }

    private mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ place: SourcePlace, _ message: String,
        fix: String?, replacement: Finding.Replacement? = nil
    ) {
        findings.append(
            Finding(
                file: fileName, place: place, severity: severity, code: code, message: message, fix: fix,
                replacement: replacement))
    }

    // MARK: Replacements

    /// Returns an edit that replaces a short, single-line value by `text`; nil for other values.
    func replacement(of value: JSON5Value, by text: String) -> Finding.Replacement? {
        let source = document.source(of: value)
        guard source.utf8.count <= 2_000, !source.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            return nil
        }
        return replacement(of: source, from: value.start, by: text)
    }

    /// Returns an edit that replaces the name at `offset` by `name`; nil if the file has another text there, or if
    /// `name` cannot be written there.
    func replacement(of wrong: String, at offset: Int, by name: String?) -> Finding.Replacement? {
        guard tellsErrors, let name, offset < document.bytes.count else { return nil }
        let isBare = !"\"'{".utf8.contains(document.bytes[offset])
        let start = isBare ? offset : offset + 1
        guard document.bytes[start...].starts(with: wrong.utf8),
            name.unicodeScalars.allSatisfy({
                JSON5Characters.continuesName($0) || !isBare && "- .:".unicodeScalars.contains($0)
            })
        else { return nil }
        return replacement(of: wrong, from: start, by: name)
    }

    func replacement(
        of old: String, from start: Int, by text: String, isFormerName: Bool = false
    ) -> Finding.Replacement {
        Finding.Replacement(
            place: document.place(at: start), length: old.unicodeScalars.count, text: text,
            bytes: start..<start + old.utf8.count, isFormerName: isFormerName)
    }

    func didYouMean(_ name: String, among names: some Sequence<String>) -> String? {
        tellsErrors ? ValueReader.didYouMean(name, among: names) : nil
    }

    /// Returns the known name that `name` stands for: a former name, a synonym or a misspelling.
    func meant(by name: String, among known: [String]) -> String? {
        guard tellsErrors else { return nil }
        return FormerNames.keys[name].flatMap { known.contains($0) ? $0 : nil }
            ?? Synonyms.name(for: name, among: known) ?? NearestName.suggestion(for: name, among: known)
    }

    func place(of value: JSON5Value) -> SourcePlace { document.place(of: value) }
}
