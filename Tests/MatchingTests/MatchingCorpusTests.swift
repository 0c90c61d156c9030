import Expectations
import Foundation
import Patterns
import Testing

@testable import Matching

/// The lines of a file of `Tests/Data/matching`, cut at tabs.
func matchingData(_ name: String) throws -> [[String]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Data/matching")
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { $0.split(separator: "\t").map(String.init) }
}

@Suite("Corpus of phrases")
struct MatchingCorpusTests {
    private struct NamedRule {
        var name: String
        var hears: Hears
    }

    private func hears(_ text: String) throws -> Hears {
        if text.hasPrefix("=") { return .exactly(try Phrase(String(text.dropFirst()))) }
        if text.hasPrefix("/") {
            return .pattern(try RegularExpression(hears: String(text.dropFirst().dropLast())))
        }
        return .phrase(try Phrase(text))
    }

    @Test("300 phrases and more, in 8 languages and more, give the expected rule")
    func corpus() throws {
        var rules: [String: [NamedRule]] = [:]
        for line in try matchingData("rules.tsv") {
            try #require(line.count == 3, "\(line)")
            rules[line[0], default: []].append(NamedRule(name: line[1], hears: try hears(line[2])))
        }
        let phrases = try matchingData("phrases.tsv")
        #expect(phrases.count >= 300)
        #expect(Set(phrases.map { $0[0] }).count >= 8)
        for line in phrases {
            try #require(line.count == 3, "\(line)")
            let heard = PreparedMessage(line[2])
            let first = rules[line[0]]?.first { $0.hears.match(heard) != nil }?.name ?? "-"
            expectEqual(first, line[1], "\(line[0]): \(line[2])")
        }
    }

    @Test("Every phrase is found again in a longer message, in capitals too")
    func embedded() throws {
        for line in try matchingData("rules.tsv") where !line[2].hasPrefix("/") && !line[2].contains("{") {
            let text = line[2].hasPrefix("=") ? String(line[2].dropFirst()) : line[2]
            let phrase = try Hears.phrase(Phrase(text))
            #expect(phrase.match(PreparedMessage("x \(text), y")) != nil, "\(text)")
            #expect(phrase.match(PreparedMessage("X-\(text.uppercased())! Y")) != nil, "\(text)")
            expectEqual(phrase.match(PreparedMessage("x y")), nil, "\(text)")
        }
    }
}
