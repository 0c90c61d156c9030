import ConversationEngine
import Matching
import Patterns

/// Phrases, patterns and the kinds of gaps, each against a message.
enum MatchingEntries {
    static let phraseWords =
        [
            "{name}", "{n:number}", "{d:day}", "{t:time}", "{w:word}", "{a:words}", "{e:email}", "{p:phone}",
            "{c:code}",
            "{{", "}}", "*", "at ", "l'addition", "\n", "'", " ",
        ] + messageWords

    static let messageWords = [
        "seven", "twenty-one", "a couple", "half past seven", "quarter to 12", "7.30pm", "19:30", "7 am",
        "noon",
        "midnight", "next Friday", "tomorrow", "5 May", "May 5th", "5/5/2026", "2026-05-05", "30.2.", "1,000",
        "3,5",
        "-4", "50%", "ada@example.com", "@", "+44 (0)20 7946 0018", "(030) 12 34-56", "AB-1234", "12-34",
        "one hundred",
        "and", "hundred thousand", "o'clock", "in the evening", "'", "’", "l’", "d'", "-", ".", ",", ":", "/",
        "+", "%",
        "漢字", "👍", "ß", "İ", "é",
    ]

    /// What a search may spend, in steps per word of the phrase and word of the message, both counted with one
    /// more: each pair is visited once, inside and outside a gap of words.
    private static let stepsPerPair = 8

    // MARK: Phrases

    /// First line: the phrase. The rest: the message.
    static func phrase(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let source = String(decoding: input.line(), as: UTF8.self)
        let message = String(decoding: input.rest, as: UTF8.self)
        let phrase: Phrase
        do throws(PhraseError) {
            phrase = try Phrase(source)
        } catch {
            try require(0...source.utf8.count ~= error.offset, "an error outside the phrase")
            return Trait("\(error.kind)".prefix(10).description)
        }
        let heard = PreparedMessage(message)
        try check(heard, message)
        var trait = Trait()
        for hears in [Hears.phrase(phrase), .exactly(phrase)] {
            var cost = MatchCost()
            let captures = hears.match(heard, cost: &cost)
            let pairs = (source.utf8.count + 1) * (heard.words.count + 2)
            try require(cost.steps <= pairs * stepsPerPair, "\(cost.steps) steps for \(pairs) pairs")
            trait.add(captures == nil ? 0 : 1)
            for entry in captures?.entries ?? [] {
                try require(
                    phrase.slots.contains { $0.name == entry.name }, "a gap that the phrase does not have")
            }
            if let captures { try checkWords(captures, phrase, heard) }
        }
        if phrase.slots.isEmpty {
            try require(
                Hears.phrase(phrase).match(PreparedMessage(source)) != nil, "a phrase does not hear itself")
        }
        trait.add(roughly: phrase.slots.count)
        return trait
    }

    /// What a gap of words takes is in the message, letter for letter.
    private static func checkWords(
        _ captures: Captures, _ phrase: Phrase, _ heard: PreparedMessage
    ) throws(BrokenRule) {
        for slot in phrase.slots where slot.kind == .words || slot.kind == .word {
            guard phrase.slots.filter({ $0.name == slot.name }).count == 1, let value = captures[slot.name]
            else {
                continue
            }
            try require(!value.isEmpty, "an empty gap")
            try require(contains(heard.text, value), "\"\(value)\" was never said")
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
    }

    private static func check(_ heard: PreparedMessage, _ message: String) throws(BrokenRule) {
        try require(message.utf8.starts(with: heard.text.utf8), "a message is kept differently")
        let words = heard.words
        try require(!words.contains(""), "an empty word")
        try require(heard.folded == words.joined(separator: " "), "the words differ from the folded text")
        let folded = Folding.fold(message)
        try require(Folding.fold(folded) == folded, "folded twice, a text differs")
    }

    // MARK: Kinds

    private static let kinds: [(kind: SlotKind, phrases: [Phrase])] = SlotKind.allCases.map { kind in
        (
            kind,
            ["{x:\(kind.rawValue)}", "at {x:\(kind.rawValue)}", "{x:\(kind.rawValue)} {y:words}"].compactMap {
                try? Phrase($0)
            }
        )
    }

    /// A message against every kind of gap, and the report about it when nothing hears.
    static func kinds(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let message = String(decoding: bytes, as: UTF8.self)
        let heard = PreparedMessage(message)
        try check(heard, message)
        var trait = Trait()
        for (kind, phrases) in kinds {
            for phrase in phrases {
                var cost = MatchCost()
                guard let value = Hears.phrase(phrase).match(heard, cost: &cost)?["x"] else {
                    trait.add(0)
                    continue
                }
                trait.add(1)
                try check(value, kind)
            }
            // What a kind captured as a whole is heard as the same.
            guard let first = phrases.first, let value = Hears.phrase(first).match(heard)?["x"] else {
                continue
            }
            if kind == .number || kind == .email || kind == .code {
                let again = Hears.phrase(first).match(PreparedMessage(value))?["x"]
                try require(again == value, "\(kind) \"\(value)\" is heard as \"\(again ?? "nothing")\"")
            }
        }
        try report(heard)
        return trait
    }

    private static func check(_ value: String, _ kind: SlotKind) throws(BrokenRule) {
        let bytes = Array(value.utf8)
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        switch kind {
        case .time:
            let isTime =
                bytes.count == 5 && bytes[2] == 0x3A && Int(value.prefix(2)).map { $0 < 24 } == true
                && Int(value.suffix(2)).map { $0 < 60 } == true
            try require(isTime, "\"\(value)\" is no time")
        case .number: try require(Double(value) != nil, "\"\(value)\" is no number")
        case .phone:
            let digits = bytes.filter(isDigit).count
            try require(
                7...15 ~= digits && bytes.count - digits <= 1
                    && bytes.allSatisfy { isDigit($0) || $0 == 0x2B },
                "\"\(value)\" is no phone number")
        case .email: try require(value.utf8.contains(0x40), "\"\(value)\" is no address")
        case .code, .day, .word, .words: try require(!value.isEmpty, "an empty \(kind)")
        }
    }

    private static func report(_ heard: PreparedMessage) throws(BrokenRule) {
        let candidates = ["book a table", "cancel {name}", "tomorrow at {t:time}", "{n:number} people"]
            .compactMap {
                (source: String) -> NearMiss.Candidate? in
                guard let phrase = try? Phrase(source) else { return nil }
                return NearMiss.Candidate(name: source, hears: .phrase(phrase))
            }
        let misses = NearMiss.nearest(to: heard, among: candidates)
        try require(misses.count == 3, "\(misses.count) near misses")
        for miss in misses { try require(0...1_000 ~= miss.score, "a score of \(miss.score)") }
        let report = UnmatchedReport(
            message: heard.text, stage: "start", session: "s", number: 1, file: "a", misses: misses,
            memory: [.init(slot: "guest", value: heard.text)], said: heard.text)
        let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
        try require(lines.count <= 12, "a report of \(lines.count) lines")
    }

    // MARK: Patterns

    static let patternWords = [
        "(?<name>", "(?:", "(", ")", "|", "*", "+", "?", "{2}", "{2,}", "{0,3}", "{1000}", "[a-z]", "[^,;]",
        "[", "]",
        "\\d", "\\w", "\\s", "\\b", "\\B", "\\D", "\\x41", "\\u00e9", "\\u{1F600}", "\\p{L}", "^", "$", ".",
        "(a+)+",
        "(a|a)*", "(a*)*", "*?", "+?", "\\1", "(?=", "\n", "-", "a", "ß", "é", "İ",
    ]

    /// First line: the pattern. The rest: the message.
    static func pattern(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let source = String(decoding: input.line(), as: UTF8.self)
        let message = String(decoding: input.rest, as: UTF8.self)
        let heard = PreparedMessage(message)
        try literal(message, heard)
        try elsewhere(source, message)
        let pattern: RegularExpression
        do throws(PatternError) {
            pattern = try RegularExpression(hears: source)
        } catch {
            try require(0...source.utf8.count ~= error.offset, "an error outside the pattern")
            return Trait(String(error.message.prefix(18)))
        }
        var cost = MatchCost()
        let captures = Hears.pattern(pattern).match(heard, cost: &cost)
        try require(cost.steps <= cost.budget + 1, "\(cost.steps) steps")
        let places = message.utf8.count + 2
        try require(
            cost.steps <= 2 * (PatternLimits.instructions + 1) * places,
            "\(cost.steps) steps for \(places) places")
        for entry in captures?.entries ?? [] {
            try require(pattern.groupNames.contains(entry.name), "a group that the pattern does not have")
            try require(contains(heard.text, entry.value), "\"\(entry.value)\" was never said")
        }
        var trait = Trait(captures == nil ? "unheard" : "heard", pattern.repeatsARepetition ? "repeats" : "")
        trait.add(roughly: cost.steps)
        trait.add(captures?.entries.count ?? 0)
        return trait
    }

    /// The same text as filters and `--expect` read it. Either errs inside of it; what both take exactly as written
    /// and has no anchor, class or dot is found by both or by none.
    private static func elsewhere(_ source: String, _ message: String) throws(BrokenRule) {
        var found: [Bool] = []
        for syntax in [RegularExpression.Syntax.filter(ignoresCase: false), .expectation] {
            do throws(PatternError) {
                found.append(try RegularExpression(source, syntax).isFound(in: message))
            } catch {
                try require(0...source.utf8.count ~= error.offset, "an error outside the pattern")
            }
        }
        let special = "^$.[]\\?{}".unicodeScalars
        guard found.count == 2, !source.unicodeScalars.contains(where: special.contains) else { return }
        try require(found[0] == found[1], "a filter and an expectation differ")
    }

    /// A text with all its signs escaped is a pattern that finds the text.
    private static func literal(_ message: String, _ heard: PreparedMessage) throws(BrokenRule) {
        guard message.utf8.count <= 64, !message.isEmpty else { return }
        var source = ""
        for scalar in message.unicodeScalars {
            if scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9" ~= scalar) {
                let hex = String(scalar.value, radix: 16)
                source += "\\x" + (hex.count < 2 ? "0" + hex : hex)
            } else {
                source.unicodeScalars.append(scalar)
            }
        }
        guard let pattern = try? RegularExpression(hears: source) else {
            throw BrokenRule("an escaped text is no pattern")
        }
        try require(Hears.pattern(pattern).match(heard) != nil, "a text is not found in itself")
    }
}
