import Expectations
import Patterns
import Testing

@testable import Matching

@Suite("Folding")
struct FoldingTests {
    @Test(
        "Texts that differ in case, accents, apostrophes, punctuation or width are one",
        arguments: [
            ("STRASSE", "straße"), ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ὈΔΥΣΣΕΎΣ", "οδυσσευς"),
            ("Sì", "si"), ("SI\u{300}", "si"), ("Crème brûlée", "creme brulee"), ("Đặt bàn", "dat ban"),
            ("Łódź", "lodz"), ("smørrebrød", "smorrebrod"), ("İstanbul", "istanbul"), ("ISPARTA", "ısparta"),
            ("IŞIK", "ışık"), ("Æsir", "aesir"), ("cœur", "coeur"), ("Þór", "thor"), ("œuf", "OEUF"),
            ("ёлка", "ЕЛКА"), ("Йогурт", "иогурт"), ("o'clock", "oclock"), ("that’s", "that is"),
            ("CAN`T", "can not"), ("cannot", "can't"), ("Anna's", "annas"), ("ＴＡＢＬＥ　４", "table 4"),
            ("yes, please!", "Yes please"),
            ("e-mail", "E MAIL"), ("¿Qué?", "que"), ("ﬁne", "fine"), ("co\u{AD}operate", "cooperate"),
            ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("٤ أشخاص", "4 اشخاص"), ("हिन्दी", "हिन्दी"),
            ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ("ｶﾞｽ", "ガス"),
            ("が", "か\u{3099}"), ("ᾠδή", "ΩΙΔΗ"), ("👍🏽", "👍"), ("a\u{200D}b", "ab"), ("«oui»", "oui"),
        ] as [(String, String)])
    func same(_ left: String, _ right: String) {
        expectEqual(Folding.fold(left), Folding.fold(right))
        #expect(!Folding.fold(left).isEmpty)
    }

    @Test(
        "Letters that only look alike stay apart",
        arguments: [
            ("が", "か"), ("हिन्दी", "हन्द"), ("น้ำ", "นำ"), ("book", "books"), ("café au lait", "cafe lait"),
            ("д", "т"), ("ひ", "ヒ"), ("b", "β"), ("한국", "하국"),
        ] as [(String, String)])
    func different(_ left: String, _ right: String) {
        #expect(Folding.fold(left) != Folding.fold(right))
    }

    @Test("Folding what is folded changes nothing, for every character of the basic plane")
    func idempotent() {
        var wrong: [UInt32] = []
        for value in UInt32(0x20)...0xFFFF where Unicode.Scalar(value) != nil {
            var once: [UInt32] = []
            Folding.append(value, to: &once)
            var twice: [UInt32] = []
            for folded in once { Folding.append(folded, to: &twice) }
            if once != twice { wrong.append(value) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0, radix: 16) })")
    }

    @Test("Upper case and lower case of every character fold alike")
    func caseless() {
        var wrong: [String] = []
        for value in UInt32(0x20)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenUppercased else {
                continue
            }
            var plain: [UInt32] = []
            Folding.append(value, to: &plain)
            var upper: [UInt32] = []
            for other in scalar.properties.uppercaseMapping.unicodeScalars {
                Folding.append(other.value, to: &upper)
            }
            if plain != upper { wrong.append(String(value, radix: 16)) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(20))")
    }
}

@Suite("A message cut into words and tokens")
struct HeardTests {
    private func tokens(_ text: String) -> [String] {
        let heard = PreparedMessage(text)
        return heard.tokens.map { heard.original($0) }
    }

    @Test(
        "What belongs together is one token",
        arguments: [
            ("Friday at 7.30pm", ["Friday", "at", "7.30pm"]), ("19:30, please", ["19:30", "please"]),
            ("1,000 or 3,50 or 10%", ["1,000", "or", "3,50", "or", "10%"]),
            ("Mail ada.l@example.co.uk.", ["Mail", "ada.l@example.co.uk"]), ("AB-1234!", ["AB-1234"]),
            ("-5 degrees", ["-5", "degrees"]), ("yes,no", ["yes", "no"]), ("Ok.Four", ["Ok", "Four"]),
            ("L’addition, s'il vous plaît", ["L’addition", "s'il", "vous", "plaît"]),
            ("that's it", ["that's", "it"]), ("4人です", ["4", "人", "で", "す"]), ("👍👍🏽", ["👍", "👍🏽"]),
            ("a@b and @you", ["a", "b", "and", "you"]), ("2026-05-05", ["2026-05-05"]), ("", []), ("?!", []),
            ("a@b.cd@e.fg", ["a@b.cd", "e.fg"].flatMap { $0 == "e.fg" ? ["e", "fg"] : [$0] }),
            ("(+44) 20", ["+44", "20"]), ("น้ำ", ["น้", "ำ"]), ("twenty-five", ["twenty-five"]),
        ] as [(String, [String])])
    func cut(_ text: String, _ expected: [String]) {
        expectEqual(tokens(text), expected)
    }

    @Test("Words are folded one by one")
    func words() {
        expectEqual(
            PreparedMessage("Où est l'Hôtel? That’s 7.30pm").words,
            [
                "ou", "est", "l", "hotel", "that", "is", "7", "30pm",
            ])
        expectEqual(PreparedMessage("Où est l'Hôtel?").folded, "ou est l hotel")
    }

    @Test("A message longer than 131072 bytes is cut at a character (limit messageBytes)")
    func tooLong() {
        let text = String(repeating: "é", count: MatchingLimits.messageBytes / 2 - 1) + " 😀 tail"
        let heard = PreparedMessage(text)
        #expect(heard.text.utf8.count <= MatchingLimits.messageBytes)
        #expect(heard.text.utf8.count > MatchingLimits.messageBytes - 4)
        #expect(!heard.words.contains("tail"))
    }

    @Test("Any text is cut without loss of order, and every token can be given back as written")
    func anyText() {
        var generator = Dice(seed: 11)
        let alphabet = Array("ab1 .,:'@-’é字が%+ß()\u{300}😀\u{200D}l/_\u{0}").map(String.init)
        for _ in 0..<2000 {
            let text = (0..<generator.below(24)).map { _ in alphabet[generator.below(alphabet.count)] }
                .joined()
            let heard = PreparedMessage(text)
            var previous = 0
            for token in heard.tokens {
                #expect(Int(token.start) >= previous && token.end > token.start, "\(text)")
                previous = Int(token.end)
                #expect(Array(text.utf8).contains(Array(heard.original(token).utf8)), "\(text)")
                #expect(token.endAtom > token.firstAtom)
            }
            expectEqual(heard.offsets.count, heard.scalars.count + 1)
        }
    }
}

/// A repeatable source of small numbers.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
