import ConversationEngine
import Matching

/// `// lint: allow shadowed, the joke needs it`: behind something, or alone on the line above it.
///
/// Several checks are named with spaces between them. Only warnings can be silenced.
extension FixtureCompiler {
    mutating func silence() {
        guard !document.lintComments.isEmpty else { return }
        var allowed: [Int: Set<FindingCode>] = [:]
        /// What comments alone on their lines allow for the next line that has none.
        var pending: (line: Int, codes: Set<FindingCode>)?
        for comment in document.lintComments {
            let place = document.place(at: comment.start)
            let codes = codes(comment.text, at: place)
            if !comment.isAlone {
                allowed[place.line, default: []].formUnion(codes)
                continue
            }
            let inherited = pending?.line == place.line ? pending?.codes ?? [] : []
            pending = (place.line + 1, codes.union(inherited))
            allowed[place.line + 1, default: []].formUnion(codes.union(inherited))
        }
        findings.removeAll { finding in
            finding.severity == .warning && allowed[finding.place.line]?.contains(finding.code) == true
        }
    }

    private mutating func codes(_ text: String, at place: SourcePlace) -> Set<FindingCode> {
        let instruction = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let words = instruction.split(separator: " ")
        guard words.first == "allow", words.count > 1 else {
            warn(
                .unknownName, at: place,
                "A comment for the linter looks like \"// lint: allow shadowed, the reason\".")
            return []
        }
        var codes: Set<FindingCode> = []
        for word in words.dropFirst() {
            if let code = FindingCode(rawValue: String(word)) {
                codes.insert(code)
                continue
            }
            let help =
                didYouMean(String(word), among: FindingCode.allCases.map(\.rawValue)).map { " " + $0 } ?? ""
            warn(.unknownName, at: place, "No check is called \"\(Words.shortened(String(word)))\".\(help)")
        }
        return codes
    }
}
