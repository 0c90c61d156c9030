import Matching
import Patterns

/// Test whether one matcher matches every message that a second one matches, by sample messages of the second.
enum Coverage {
    static func alternatives(_ hears: Hears) -> [Hears] {
        if case .any(let choices) = hears { return choices.flatMap(alternatives) }
        return [hears]
    }

    /// Returns the words of a matcher for findings.
    static func words(_ hears: Hears) -> String {
        switch hears {
        case .anything: "*"
        case .phrase(let phrase), .exactly(let phrase): phrase.source
        case .any(let parts), .all(let parts), .none(let parts): parts.map(words).joined(separator: ", ")
        case .pattern(let pattern): pattern.source
        }
    }

    /// Returns sample messages of an alternative; nil if there are none, such as for a pattern.
    static func samples(_ alternative: Hears, cost: inout MatchCost) -> [PreparedMessage]? {
        var texts: [String] = []
        switch alternative {
        case .phrase(let phrase), .exactly(let phrase): texts = turns([phrase]).map { sample(phrase, $0) }
        case .all(let parts):
            var phrases: [Phrase] = []
            for part in parts {
                guard case .phrase(let phrase) = part else { return nil }
                phrases.append(phrase)
            }
            // The samples have both orders of the phrases, with and without an unknown word between the phrases.
            for turn in turns(phrases) {
                let parts = phrases.map { sample($0, turn) }
                for words in [parts, parts.reversed()] {
                    texts += [words.joined(separator: " xyzzy "), words.joined(separator: " ")]
                }
            }
        case .anything, .any, .none, .pattern: return nil
        }
        // A value may need its context: "7" is a time only after a word such as "at". Only matching samples are kept.
        var samples: [PreparedMessage] = []
        for text in texts {
            let heard = PreparedMessage(text)
            if alternative.match(heard, cost: &cost) != nil { samples.append(heard) }
        }
        return samples.isEmpty ? nil : samples
    }

    /// Returns the numbers of the samples, from 0: one for each value of the placeholder with the most values.
    private static func turns(_ phrases: [Phrase]) -> Range<Int> {
        0..<(phrases.flatMap(\.slots).map { values($0).count }.max() ?? 1)
    }

    private static let strangeMessages = ["xyzzy", "Plugh 17 xyzzy?", "éta, 日 xyzzy plugh"].map {
        PreparedMessage($0)
    }

    /// Whether the matcher seems to accept any message, such as `"*"`, `{address:words}`, or a pattern such as `.+`.
    static func hearsAnything(_ hears: Hears, cost: inout MatchCost) -> Bool {
        alternatives(hears).contains { choice in
            choice == .anything || strangeMessages.allSatisfy { choice.match($0, cost: &cost) != nil }
        }
    }

    /// Whether `earlier` covers `later`. `samples` are representative messages of `later`.
    static func covers(
        _ earlier: Hears, _ later: Hears, samples: [PreparedMessage]?, cost: inout MatchCost
    ) -> Bool {
        switch earlier {
        case .anything: return true
        case .any(let choices):
            for choice in choices where covers(choice, later, samples: samples, cost: &cost) { return true }
            return false
        case .phrase, .all:
            if earlier == later { return true }
            guard isMonotone(earlier), let samples else { return false }
            return samples.allSatisfy { earlier.match($0, cost: &cost) != nil }
        case .exactly:
            guard case .exactly = later, let samples else { return false }
            return samples.allSatisfy { earlier.match($0, cost: &cost) != nil }
        case .none, .pattern: return earlier == later
        }
    }

    private static func isMonotone(_ hears: Hears) -> Bool {
        switch hears {
        case .anything, .phrase: true
        case .any(let parts), .all(let parts): parts.allSatisfy(isMonotone)
        case .exactly, .none, .pattern: false
        }
    }

    /// Returns the phrase with values in place of its placeholders.
    private static func sample(_ phrase: Phrase, _ turn: Int) -> String {
        let bytes = Array(phrase.source.utf8)
        var text: [UInt8] = []
        var index = 0
        for slot in phrase.slots {
            guard slot.offset >= index, let close = bytes[slot.offset...].firstIndex(of: UInt8(ascii: "}"))
            else { break }
            text += bytes[index..<slot.offset] + Array(value(slot, turn).utf8)
            index = close + 1
        }
        return String(decoding: text + bytes[index...], as: UTF8.self)
    }

    private static func value(_ slot: Phrase.Slot, _ turn: Int) -> String {
        let values = values(slot)
        if values.isEmpty { return "" }
        return values[turn % values.count]
    }

    private static func values(_ slot: Phrase.Slot) -> [String] {
        if let own = slot.own { return own.words }
        return switch slot.kind {
        case .number: ["4", "25000", "two hundred and five", "seven", "3,50", "a dozen"]
        case .day: ["Friday", "5 May", "2026-05-05", "tomorrow"]
        case .time: ["19:30", "7 pm", "noon", "half past seven", "7"]
        case .word: ["xyzzy", "plugh"]
        case .words: ["xyzzy", "plugh xyzzy", "plugh xyzzy plugh xyzzy"]
        case .email: ["ada@example.com", "bob@example.org"]
        case .phone: ["+442079460018", "020 7946 0018", "+44-20-7946-0018", "(020) 794-6018", "020 794 601"]
        case .code: ["AB-1234", "X7Y9Z", "20260505", "4-5"]
        }
    }
}
