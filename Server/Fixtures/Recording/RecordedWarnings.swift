import Matching

/// Writer of `// lint: allow` comments in recorded fixtures. A recording may have buttons that nobody pressed, for
/// example.
package enum RecordedWarnings {
    /// Returns the text, without its last line end, with a comment that allows each warning, except warnings about
    /// secrets.
    package static func allowed(in text: String, _ found: [Finding]) -> String {
        var codes: [Int: [String]] = [:]
        for finding in found where finding.severity == .warning && finding.code != .secret {
            let (line, code) = (finding.place.line, finding.code.rawValue)
            if codes[line]?.contains(code) != true { codes[line, default: []].append(code) }
        }
        var text = text
        text.removeLast()
        guard !codes.isEmpty else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { number, line in
            guard let codes = codes[number + 1] else { return String(line) }
            let indent = line.prefix { $0 == " " }
            return "\(indent)// lint: allow \(codes.joined(separator: " ")), as recorded\n\(line)"
        }.joined(separator: "\n")
    }
}

extension FixtureLoader {
    package static func compile(recorded text: String) -> CompiledFixture {
        compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r")
    }
}

extension CompiledFixture {
    /// Line and message of the first error.
    package var firstError: String? {
        findings.first { $0.severity == .error }.map { "line \($0.place.line): \($0.message)" }
    }
}
