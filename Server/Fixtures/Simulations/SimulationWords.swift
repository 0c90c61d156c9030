import Clocks
import ConversationEngine
import Matching

/// Generator of messages of random users: the fixture's phrases with unusual values, and unrelated words.
struct SimulationWords {
    private let phrases: [Phrase]

    init(_ script: Script) { phrases = script.allRules.compactMap(\.hears).flatMap(\.phrases) }

    /// Returns a phrase of the fixture with its placeholders filled; nil if the fixture has no phrases.
    func matching(_ chance: inout SeededGenerator) -> String? {
        guard let phrase = phrases.randomElement(using: &chance) else { return nil }
        var text = ""
        var rest = phrase.source.utf8[...]
        for slot in phrase.slots {
            let end = phrase.source.utf8.index(phrase.source.utf8.startIndex, offsetBy: slot.offset)
            text += String(Substring(rest[rest.startIndex..<end]))
            let values = slot.own.map { $0.words + ["xyzzy"] } ?? Self.values(slot.kind)
            text += values.randomElement(using: &chance) ?? ""
            rest = phrase.source.utf8[end...].drop { $0 != UInt8(ascii: "}") }.dropFirst()
        }
        text += String(Substring(rest))
        return Self.dressings.randomElement(using: &chance)?.replacingGap(with: text) ?? text
    }

    func offTopic(_ chance: inout SeededGenerator) -> String {
        Self.strangers.randomElement(using: &chance) ?? "?"
    }

    static func isOffTopic(_ text: String) -> Bool { strangers.contains(text) }

    private static let dressings = ["*", "*", "*", "well, * please", "*!!", "erm… *", "* - *"]

    private static let strangers = [
        "purple", "???", " ", "🦆🦆🦆", "שלום", "<b>hi</b>", "{people}", "null", "\"", "no no no", "-1",
        "DROP TABLE guests", "\u{202E}abc", "e\u{301}\u{301}\u{301}", String(repeating: "long ", count: 400),
    ]

    private static func values(_ kind: SlotKind) -> [String] {
        switch kind {
        case .number: ["2", "four", "twelve", "0", "999999999", "007", "2.5", "minus one"]
        case .day: ["Friday", "tomorrow", "today", "31 December", "2026-02-29", "someday"]
        case .time: ["7.30pm", "noon", "19:00", "half past six", "25:61", "midnight"]
        case .email: ["ann@example.com", "a@b", "not an address"]
        case .phone: ["+44 20 7946 0018", "07700 900123", "12"]
        case .code: ["FB-2048", "X1", "-"]
        case .word: ["blue", "ß", "42"]
        case .words: ["a quiet table by the window", "x", "one, two, three"]
        }
    }
}

extension String {
    fileprivate func replacingGap(with text: String) -> String {
        map { $0 == "*" ? text : String($0) }.joined()
    }
}
