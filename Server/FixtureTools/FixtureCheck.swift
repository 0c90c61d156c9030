import ConversationEngine
import Fixtures
import Matching
import PolyDialect
import SocketTransport
import Texts

/// `polymock check`: reports mistakes in fixture files, and runs the examples in them.
package struct FixtureCheck: Equatable, Sendable {
    package enum Style: Sendable {
        case text
        case json
        /// Workflow commands of GitHub Actions, shown as annotations of a pull request.
        case github
    }

    package var paths: [String]
    package var style = Style.text
    /// Whether a warning makes the check fail.
    package var isStrict = false
    package var showsCoverage = false
    /// Mutation testing: removes each rule in turn, and reports the rule if every example still passes.
    package var mutates = false
    /// Whether to list steps that at least one protocol cannot express.
    package var showsLosses = false
    /// The report file for CI systems, with a case for each fixture; nil writes none.
    package var junit: String?
    /// Whether to correct mistakes before the check (``Corrections``).
    package var fixes = false
    /// Whether to report a missing schema, once per check, for a file with findings.
    package var advisesOnSchema = false

    package init(paths: [String] = []) { self.paths = paths }

    package func run() -> ToolAnswer {
        var files: [String] = []
        for path in paths {
            guard let found = FixtureSource.paths(of: path) else {
                return .misuse("there is no file or folder \"\(path)\"")
            }
            guard !found.isEmpty else {
                return .misuse("there is no fixture in the folder \"\(path)\": their names end with .json5")
            }
            files += found.filter { !files.contains($0) }
        }
        var answer = ToolAnswer()
        if fixes {
            for file in files {
                if let sentence = fix(file, &answer) { return .misuse(sentence) }
            }
        }
        var (findings, isAdvised) = ([Finding](), false)
        for file in files {
            // A pipe is read only if the command line names it, because reading could block forever.
            guard let fixture = FixtureSource.compile(file, mayWait: paths.contains(file))?.rehearsed() else {
                findings.append(
                    Finding(
                        file: file, place: SourcePlace(line: 1, column: 1), severity: .error,
                        code: .unreadable,
                        message: "This file cannot be read: \(Files.readFault(file))."))
                continue
            }
            findings += fixture.findings + notes(on: fixture, &answer.talk)
            if advisesOnSchema, !isAdvised, !fixture.findings.isEmpty,
                let advice = FixtureText.advice(onSchemaOf: file)
            {
                answer.talk.append(advice)
                isAdvised = true
            }
        }
        var lines = findings.map(line)
        if style == .text { addExcerpts(of: findings, to: &lines) }
        if fixes, answer.lines.isEmpty, !findings.isEmpty {
            answer.talk.append("--fix changed nothing: no correction is sure")
        }
        answer.lines += lines
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        answer.talk.append(
            "\(Counted.text(files.count, "fixture")) checked: "
                + (errors + warnings == 0
                    ? "nothing to complain about"
                    : "\(Counted.text(errors, "error")), \(Counted.text(warnings, "warning"))"))
        answer.code = errors > 0 || isStrict && warnings > 0 ? 1 : 0
        if let junit {
            var report = JUnitReport("check")
            for file in files {
                let failing = findings.filter {
                    $0.file == file && ($0.severity == .error || isStrict && $0.severity == .warning)
                }
                report.add(file, failure: failing.map(\.description))
            }
            if let fault = report.write(to: junit) { return .misuse(fault) }
        }
        return answer
    }

    /// Writes corrections (``Corrections``). Returns an error text if the file has changed or cannot be written.
    private func fix(_ file: String, _ answer: inout ToolAnswer) -> String? {
        guard let bytes = Files.read(file, atMost: FixtureLoader.fileBytes),
            let (fixed, corrected) = Corrections.apply(to: bytes, of: file)
        else { return nil }
        guard Files.read(file, atMost: FixtureLoader.fileBytes) == bytes else {
            return "\(file) changed meanwhile and is left as it is; run \"polymock check --fix\" again"
        }
        // A symbolic link is kept; the file to which it points is replaced.
        if let fault = Files.replace(Files.resolved(file), with: fixed) {
            return "\(file) cannot be written: \(fault)"
        }
        answer.lines += corrected.map {
            "\($0.file):\($0.place.line):\($0.place.column): fixed: \($0.message)"
        }
        return nil
    }

    private func notes(on fixture: CompiledFixture, _ talk: inout [String]) -> [Finding] {
        let losses = showsLosses ? fixture.losses : []
        guard showsCoverage || mutates, let coverage = fixture.coverage(mutates: mutates) else {
            return losses
        }
        let (exercised, all) = coverage.exercised
        talk.append("\(fixture.fileName): examples exercise \(exercised) of \(Counted.text(all, "rule"))")
        if coverage.isIncomplete {
            talk.append("\(fixture.fileName): too many rules to take out each; the last ones were not tried")
        }
        return losses
            + coverage.notes(file: fixture.fileName, asksForProof: mutates, asksForExercise: showsCoverage)
    }

    // MARK: Lines

    private func addExcerpts(of findings: [Finding], to lines: inout [String]) {
        var files: [String: [ArraySlice<UInt8>]] = [:]
        for (index, finding) in findings.enumerated() where finding.severity != .note {
            if files[finding.file] == nil {
                let bytes = Files.read(finding.file, atMost: FixtureLoader.fileBytes) ?? []
                let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
                files[finding.file] = bytes.split(separator: end, omittingEmptySubsequences: false)
            }
            let column = finding.place.column - 1
            guard let file = files[finding.file], finding.place.line <= file.count, column < 4_000 else {
                continue
            }
            let line = String(decoding: file[finding.place.line - 1].prefix(16_400), as: UTF8.self)
            // Shows up to 100 characters around the column.
            let start = column > 70 ? column - 50 : 0
            var shown = String.UnicodeScalarView()
            for scalar in line.unicodeScalars.dropFirst(start).prefix(100) {
                let isPlain = scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value)
                shown.append(isPlain && !ForeignText.isHarmful(scalar) ? scalar : " ")
            }
            guard shown.contains(where: { $0 != " " }) else { continue }
            let caret = String(repeating: " ", count: column - start) + "^"
            lines[index] += "\n    \(String(shown))\n    \(caret)"
        }
    }

    private func line(_ finding: Finding) -> String {
        switch style {
        case .text: finding.description
        case .json:
            JSONWriter.line([
                ("file", .string(finding.file)), ("line", .integer(Int64(finding.place.line))),
                ("column", .integer(Int64(finding.place.column))),
                ("severity", .string(finding.severity.rawValue)), ("code", .string(finding.code.rawValue)),
                ("message", .string(finding.message)), ("fix", finding.fix.map { .string($0) }),
                ("replacement", finding.replacement?.json),
                ("details", finding.details.isEmpty ? nil : .array(finding.details.map { .string($0) })),
            ])
        case .github: annotation(finding)
        }
    }

    /// Returns `::error file=…,line=…,col=…,title=…::…` with escapes.
    private func annotation(_ finding: Finding) -> String {
        let level =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        let fix = finding.fix.map { ["fix: " + $0] } ?? []
        let text = ([finding.message] + fix + finding.details).joined(separator: "\n")
        return "::\(level) file=\(escaped(finding.file, isProperty: true)),line=\(finding.place.line)"
            + ",col=\(finding.place.column),title=\(finding.code.rawValue)::\(escaped(text, isProperty: false))"
    }

    private func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension FixtureCheck {
    /// `polymock check --catalogue`: lists the documented error texts, with the short name of each in fixtures.
    package static func catalogue(asJSON: Bool) -> ToolAnswer {
        let problems = KnownProblem.allCases
        let width = problems.map(\.rawValue.count).max() ?? 0
        let lines = problems.map { problem in
            let entry = ErrorCatalog.entry(problem)
            if asJSON {
                return JSONWriter.line([
                    ("name", .string(problem.rawValue)), ("status", entry.status.map { .integer(Int64($0)) }),
                    ("text", .string(entry.text)),
                ])
            }
            let name = problem.rawValue + String(repeating: " ", count: width - problem.rawValue.count)
            return "\(name)  \(entry.status.map(String.init) ?? " - ")  \(entry.text)"
        }
        return ToolAnswer(lines: lines)
    }
}
