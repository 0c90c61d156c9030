/// Corrections that `check --fix` writes: former names, and errors with exactly one correction.
package enum Corrections {
    /// Maximum number of rounds, each of which compiles the file and corrects what is found. A correction can uncover
    /// errors in a nested block.
    private static let rounds = 10

    /// Returns the corrected bytes, and the findings that were corrected; nil if nothing was corrected.
    package static func apply(to bytes: [UInt8], of file: String) -> (bytes: [UInt8], corrected: [Finding])? {
        let name = FixtureLoader.name(ofFile: file) ?? file
        var (bytes, corrected) = (bytes, [Finding]())
        var found = FixtureLoader.compile(bytes: bytes, fileName: file, name: name).findings
        for _ in 0..<rounds {
            let round = edits(of: found)
            guard !round.isEmpty else { break }
            var next = bytes
            for (_, edit) in round.reversed() { next.replaceSubrange(edit.bytes, with: edit.text.utf8) }
            let left = FixtureLoader.compile(bytes: next, fileName: file, name: name).findings
            let isSure = round.contains { $0.edit.isFormerName || $0.finding.code == .syntax }
            let isProgress = isSure || errors(left) < errors(found)
            guard isProgress else { break }
            corrected += round.map(\.finding)
            (bytes, found) = (next, left)
        }
        return corrected.isEmpty ? nil : (bytes, corrected)
    }

    /// Returns the edits in the order of the file, without those that overlap an earlier edit.
    private static func edits(of findings: [Finding]) -> [(finding: Finding, edit: Finding.Replacement)] {
        var end = 0
        return findings.compactMap { finding in
            guard let edit = finding.replacement, edit.isFormerName || finding.severity == .error else {
                return nil
            }
            return (finding: finding, edit: edit)
        }
        .sorted { $0.edit.bytes.lowerBound < $1.edit.bytes.lowerBound }
        .filter { _, edit in
            guard edit.bytes.lowerBound >= end else { return false }
            end = edit.bytes.upperBound
            return true
        }
    }

    private static func errors(_ findings: [Finding]) -> Int { findings.count { $0.severity == .error } }
}
