import ConversationEngine
import Expectations
import Fixtures
import Testing

@Suite("Planted mistakes")
struct PlantedMistakesTests {
    /// One block of `mistakes.txt`.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var title: String
        var changes: [(old: [Substring], new: [Substring])] = []
        var expected: [String] = []

        var testDescription: String { title }

        /// `base` with the mistake in it.
        func planted(in base: String) throws -> String {
            var text = base
            for change in changes {
                let old = change.old.joined(separator: "\n")
                let parts = text.split(separator: old, omittingEmptySubsequences: false)
                try #require(parts.count == 2, "\(old) occurs \(parts.count - 1) times")
                text = parts.joined(separator: try expanded(change.new.joined(separator: "\n")))
            }
            return text
        }

        /// `<<3 times ha>>` is `hahaha`.
        private func expanded(_ text: String) throws -> String {
            guard let open = text.firstRange(of: "<<"), let close = text.firstRange(of: ">>") else {
                return text
            }
            let words = text[open.upperBound..<close.lowerBound]
            let parts = words.split(separator: " times ", maxSplits: 1, omittingEmptySubsequences: false)
            let count = try #require(Int(parts[0]))
            return text[..<open.lowerBound] + String(repeating: String(parts[1]), count: count)
                + text[close.upperBound...]
        }
    }

    static let mistakes: [Mistake] = {
        guard let text = try? Samples.text("Tests/Data/fixtures/planted/mistakes.txt") else { return [] }
        var mistakes: [Mistake] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("== ") { mistakes.append(Mistake(title: String(line.dropFirst(3)))) }
            guard !mistakes.isEmpty else { continue }
            let last = mistakes.count - 1
            let content = line.dropFirst(2)
            switch line.first {
            case "-":
                if mistakes[last].changes.last?.new.isEmpty != true {
                    mistakes[last].changes.append(([], []))
                }
                mistakes[last].changes[mistakes[last].changes.count - 1].old.append(content)
            case "+": mistakes[last].changes[mistakes[last].changes.count - 1].new.append(content)
            case "!": mistakes[last].expected.append("f.json5:" + content)
            case "|": mistakes[last].expected[mistakes[last].expected.count - 1] += "\n" + content
            default: break
            }
        }
        return mistakes
    }()

    private static func findings(_ text: String) -> [Finding] {
        FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f.json5", name: "f").rehearsed().findings
    }

    @Test("The file in which they are planted has none")
    func base() throws {
        #expect(Self.findings(try Samples.text("Tests/Data/fixtures/planted/base.json5")).isEmpty)
    }

    @Test(
        "Each is told at its line and column with the likely spelling, and nothing else is told",
        arguments: mistakes)
    func planted(_ mistake: Mistake) throws {
        let base = try Samples.text("Tests/Data/fixtures/planted/base.json5")
        expectEqual(Self.findings(try mistake.planted(in: base)).map(\.description), mistake.expected)
    }

    @Test("Corrections leave fewer errors, and make twelve files what was meant")
    func corrected() throws {
        let base = try Samples.text("Tests/Data/fixtures/planted/base.json5")
        let meant = try #require(
            FixtureLoader.compile(bytes: Array(base.utf8), fileName: "f", name: "f").script)
        var equal = 0
        for mistake in Self.mistakes {
            let text = Array(try mistake.planted(in: base).utf8)
            guard let (bytes, findings) = Corrections.apply(to: text, of: "f.json5") else { continue }
            let fixed = FixtureLoader.compile(bytes: bytes, fileName: "f", name: "f")
            #expect(
                !findings.isEmpty && Corrections.apply(to: bytes, of: "f.json5") == nil, "\(mistake.title)")
            if fixed.script == meant { equal += 1 }
            let errors = Self.findings(String(decoding: text, as: UTF8.self)).count { $0.severity == .error }
            #expect(fixed.findings.count { $0.severity == .error } < errors, "\(mistake.title)")
        }
        #expect(equal >= 12)
    }

    @Test("There are more than 60, and every check finds at least one")
    func complete() {
        #expect(Self.mistakes.count > 60)
        #expect(Self.mistakes.allSatisfy { !$0.changes.isEmpty && !$0.expected.isEmpty })
        let all = Self.mistakes.flatMap(\.expected).joined()
        // No text has the fault of a file that cannot be read.
        for code in FindingCode.allCases where !code.isNote && code != .unreadable {
            #expect(all.contains("[\(code.rawValue)]"))
        }
    }
}
