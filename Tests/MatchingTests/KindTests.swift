import Expectations
import Testing

@testable import Matching

/// What `{x:kind}` alone takes from a text; nil when it is not heard.
private func caught(_ kind: SlotKind, in text: String, phrase: String? = nil) throws -> String? {
    try Hears.phrase(Phrase(phrase ?? "{x:\(kind.rawValue)}")).match(PreparedMessage(text))?["x"]
}

@Suite("Kinds")
struct KindTests {
    @Test(
        "number: in digits or words, captured in digits",
        arguments: [
            ("4", "4"), ("four of us", "4"), ("twelve", "12"), ("twenty five", "25"), ("Twenty-Five", "25"),
            ("a dozen", "12"), ("half a dozen", "6"), ("two dozen", "24"), ("3 dozen eggs", "36"),
            ("a couple of us", "2"), ("one hundred and five", "105"), ("a hundred", "100"), ("zero", "0"),
            ("two thousand three hundred and forty-one", "2341"), ("1,000", "1000"), ("3.5", "3.5"),
            ("3,50", "3.50"), ("1.234.567,89", "1234567.89"), ("1,234,567.89", "1234567.89"), ("-5", "-5"),
            ("007", "7"), ("ninety-nine", "99"), ("１２", "12"), ("٤", "4"), ("€50", "50"), ("one two", "1"),
            ("we are 4, thanks", "4"), ("five thousand", "5000"), ("nine hundred ninety nine", "999"),
            ("twelve hundred", "1200"), ("twenty five three", "25"), ("ten five", "10"),
            ("twenty thirty", "20"), ("4人", "4"), ("1.000", "1.000"), ("5.", "5"), ("0", "0"),
        ] as [(String, String)])
    func number(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.number, in: text), expected)
    }

    @Test(
        "number: whole tokens only",
        arguments: [
            "7.30pm", "19:30", "10%", "AB-1234", "4th", "a", "and", "12-13", "1,2,3", "7pm", "bookfour",
            "5/5",
            "2026-05-05", "twenty-five-year-old", "", "a1", "1.2.3", "1234567890123456789",
        ] as [String])
    func noNumber(_ text: String) throws {
        try expectEqual(caught(.number, in: text), nil)
    }

    @Test("number: nothing is no number of hundreds")
    func noHundreds() throws {
        let phrase = "we are {x:number} people"
        try expectEqual(caught(.number, in: "we are 2 hundred people", phrase: phrase), "200")
        try expectEqual(caught(.number, in: "we are 0 hundred people", phrase: phrase), nil)
    }

    @Test(
        "day: weekdays, words for days and dates",
        arguments: [
            ("friday", "Friday"), ("FRI", "Friday"), ("next friday", "next Friday"), ("Today!", "today"),
            ("tomorrow", "tomorrow"), ("tonight", "tonight"), ("this Sunday, please", "this Sunday"),
            ("the day after tomorrow", "the day after tomorrow"), ("friday evening", "Friday evening"),
            ("tomorrow morning", "tomorrow morning"), ("5 May", "5 May"), ("5th of may", "5 May"),
            ("May 5th", "5 May"), ("may the 5th", "5 May"), ("the fifth of May", "5 May"),
            ("the twenty-first of June", "21 June"), ("5 May 2026", "5 May 2026"), ("Sept 3", "3 September"),
            ("2026-05-05", "2026-05-05"), ("5/5", "5/5"), ("12/31/2026", "12/31/2026"),
            ("5.5.2026", "5.5.2026"), ("the 3rd", "the 3rd"), ("on the 11th", "the 11th"),
            ("Friday 5 May", "Friday 5 May"), ("Friday the 2nd", "Friday the 2nd"),
            ("on Friday", "Friday"), ("on the 3rd", "the 3rd"), ("On next Friday", "next Friday"),
        ] as [(String, String)])
    func day(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.day, in: text), expected)
    }

    @Test(
        "day: a word before it belongs to it, where the phrase has none",
        arguments: [
            ("{x:number} {d:day} at", "4 on Friday at"), ("{x:number} {d:day} at", "4 Friday at"),
            ("{x:number} on {d:day} at", "4 on Friday at"), ("{x:words} {d:day}", "4 on Friday"),
        ] as [(String, String)])
    func onADay(phrase: String, text: String) throws {
        try expectEqual(Hears.phrase(Phrase(phrase)).match(PreparedMessage(text)), ["x": "4", "d": "Friday"])
    }

    @Test(
        "day: nothing else",
        arguments: [
            "may I", "32/1/2026", "13/13", "on", "on and on", "on me", "2026-13-01", "next week", "5", "the",
            "", "1/2/3/4", "12:30", "5.5.26", "13.13.2026", "32.1.2026", "5/5/126", "13/13/26", "2026-5-05",
        ] as [String])
    func noDay(_ text: String) throws {
        try expectEqual(caught(.day, in: text), nil)
    }

    @Test(
        "time: captured as hours and minutes of 24 hours",
        arguments: [
            ("7.30pm", "19:30"), ("7:30 pm", "19:30"), ("7.30 p.m.", "19:30"), ("7.30p.m.", "19:30"),
            ("19:30", "19:30"), ("7pm", "19:00"), ("7 PM", "19:00"), ("7am", "07:00"), ("12am", "00:00"),
            ("12pm", "12:00"), ("noon", "12:00"), ("midday", "12:00"), ("midnight", "00:00"),
            ("half past seven", "07:30"), ("half past seven pm", "19:30"), ("half seven", "07:30"),
            ("quarter to eight", "07:45"), ("a quarter past 8", "08:15"), ("ten past noon", "12:10"),
            ("twenty-five to six", "05:35"), ("quarter to midnight", "23:45"), ("seven thirty", "07:30"),
            ("seven thirty pm", "19:30"), ("seven pm", "19:00"), ("eight o'clock", "08:00"),
            ("8 o’clock in the evening", "20:00"), ("7 in the evening", "19:00"), ("19h30", "19:30"),
            ("half past 7pm", "19:30"), ("７：３０", "07:30"), ("9.15", "09:15"),
            ("19:30 in the evening", "19:30"), ("quarter to one am", "00:45"),
        ] as [(String, String)])
    func time(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.time, in: text), expected)
    }

    @Test(
        "time: \"a.m.\" and \"p.m.\" belong to it, and what is said behind them does not",
        arguments: [
            ("7.30 p.m. please", "19:30"), ("half past seven p.m. please", "19:30"),
            ("seven thirty a.m. please", "07:30"), ("seven a. m., please", "07:00"),
        ] as [(String, String)])
    func halfOfDay(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.time, in: text, phrase: "{x:time} please"), expected)
    }

    @Test(
        "time: no bare numbers, no impossible ones",
        arguments: [
            "7", "seven", "25:00", "19:60", "13pm", "1930", "7:5", "half", "quarter", "ten to", "", "7.30x",
            "24:00", "twenty-four o'clock", "twenty-four thirty", "half past 24", "half past twenty-four",
            "quarter to twenty-four", "24 o'clock", "ten past 24",
        ] as [String])
    func noTime(_ text: String) throws {
        try expectEqual(caught(.time, in: text), nil)
    }

    @Test(
        "time: a bare number counts where the phrase says \"at\" before it",
        arguments: [("at 7", "07:00"), ("at seven", "07:00"), ("at 1930", "19:30"), ("at 19", "19:00")]
            as [(String, String)])
    func bareTime(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.time, in: text, phrase: "at {x:time}"), expected)
        try expectEqual(caught(.time, in: text, phrase: "{x:time}"), nil)
    }

    @Test(
        "email: the address as it was written",
        arguments: [
            ("It is Ada.L+x@Example.com.", "Ada.L+x@Example.com"), ("<a_b@c-d.org>", "a_b@c-d.org"),
            ("mailto:ä@böse.de", "ä@böse.de"),
            ("it's o’brien@example.com", "o’brien@example.com"), ("'ada@x.com'", "ada@x.com"),
        ] as [(String, String)])
    func email(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.email, in: text), expected)
    }

    @Test(
        "email: nothing less",
        arguments: ["a@b", "@x.com", "a@.com", "a@x.", "a.@x.de", "a@x.1", "a @ x.de", "", "e`a@x.com"]
            as [String])
    func noEmail(_ text: String) throws {
        try expectEqual(caught(.email, in: text), nil)
    }

    @Test(
        "phone: 7 to 15 digits without their signs (ITU-T E.164)",
        arguments: [
            ("+44 20 7946 0018", "+442079460018"), ("+44 (0)20 7946 0018", "+442079460018"),
            ("(020) 7946-0018", "02079460018"), ("call 555-0100.", "5550100"), ("5550100", "5550100"),
            ("0157.1234.567", "01571234567"), ("+1-202-555-0143 please", "+12025550143"),
        ] as [(String, String)])
    func phone(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.phone, in: text), expected)
    }

    @Test(
        "phone: nothing else",
        arguments: ["123456", "12345678901234567", "AB1234567", "2026-05-05", "7 pm", ""] as [String])
    func noPhone(_ text: String) throws {
        try expectEqual(caught(.phone, in: text), nil)
    }

    @Test(
        "code: upper case",
        arguments: [
            ("my order is ab-1234.", "AB-1234"), ("X9", "X9"), ("12-34", "12-34"), ("number 12345", "12345"),
            ("AB_1", "AB_1"), ("字1é", "1E"),
        ] as [(String, String)])
    func code(_ text: String, _ expected: String) throws {
        try expectEqual(caught(.code, in: text), expected)
    }

    @Test(
        "code: no plain words, no small numbers",
        arguments: ["abc", "well-known", "12", "7.30pm", "10%", ""] as [String])
    func noCode(_ text: String) throws {
        try expectEqual(caught(.code, in: text), nil)
    }

    @Test("word and words: as they were written")
    func words() throws {
        try expectEqual(caught(.word, in: "I'm Zoë!", phrase: "im {x:word}"), "Zoë")
        try expectEqual(caught(.word, in: "it's 7.30pm now", phrase: "its {x:word} now"), "7.30pm")
        try expectEqual(caught(.word, in: "my name is Ada Lovelace", phrase: "{x:word} lovelace"), "Ada")
        try expectEqual(caught(.words, in: "I am Ada, Countess.", phrase: "I am {x}"), "Ada, Countess")
        try expectEqual(
            caught(.words, in: "from New York to Rome to Bari", phrase: "from {x} to"), "New York")
        try expectEqual(caught(.words, in: "call me", phrase: "call me {x}"), nil)
        try expectEqual(caught(.words, in: "予約は四人です", phrase: "予約は{x}です"), "四人")
    }

    @Test("Numbers can be said as well as heard")
    func said() throws {
        let misheard = try (0...999).filter {
            try caught(.number, in: EnglishNumbers.word(for: $0)) != String($0)
        }
        expectEqual(misheard, [])
    }

    @Test("Numbers beyond 999 are said in digits")
    func saidInDigits() {
        expectEqual(EnglishNumbers.word(for: 21), "twenty-one")
        expectEqual(EnglishNumbers.word(for: 305), "three hundred and five")
        expectEqual(EnglishNumbers.word(for: 1000), "1000")
        expectEqual(EnglishNumbers.word(for: -1), "-1")
    }
}
