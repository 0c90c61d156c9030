extension KindWords {
    /// British and American English.
    package static let english = KindWords(
        numbers: WordTable(
            EnglishNumbers.small.enumerated().map { ($1, $0) } + [("nought", 0)]
                + EnglishNumbers.tens.enumerated().filter { $0.offset >= 2 }.map { ($1, $0 * 10) }),
        multipliers: WordTable([("dozen", 12), ("hundred", 100), ("thousand", 1000)]),
        numberPhrases: [
            (hashes("a couple"), 2), (hashes("half a dozen"), 6), (hashes("half dozen"), 6),
        ],
        one: WordTable("a"),
        and: hash("and"),
        weekdays: WordTable([
            ("monday", "Monday"), ("mon", "Monday"), ("tuesday", "Tuesday"), ("tue", "Tuesday"),
            ("tues", "Tuesday"), ("wednesday", "Wednesday"), ("wed", "Wednesday"), ("thursday", "Thursday"),
            ("thu", "Thursday"), ("thur", "Thursday"), ("thurs", "Thursday"), ("friday", "Friday"),
            ("fri", "Friday"), ("saturday", "Saturday"), ("sat", "Saturday"), ("sunday", "Sunday"),
            ("sun", "Sunday"),
        ]),
        dayPrefixes: WordTable("on"),
        dayLeads: WordTable([("next", "next"), ("this", "this"), ("last", "last")]),
        dayPhrases: [
            (hashes("the day after tomorrow"), "the day after tomorrow"),
            (hashes("day after tomorrow"), "the day after tomorrow"),
            (hashes("today"), "today"), (hashes("tomorrow"), "tomorrow"), (hashes("tonight"), "tonight"),
            (hashes("yesterday"), "yesterday"),
        ],
        partsOfDay: WordTable([
            ("morning", "morning"), ("afternoon", "afternoon"), ("evening", "evening"), ("night", "night"),
        ]),
        months: WordTable([
            ("january", "January"), ("jan", "January"), ("february", "February"), ("feb", "February"),
            ("march", "March"), ("mar", "March"), ("april", "April"), ("apr", "April"), ("may", "May"),
            ("june", "June"), ("jun", "June"), ("july", "July"), ("jul", "July"), ("august", "August"),
            ("aug", "August"), ("september", "September"), ("sep", "September"), ("sept", "September"),
            ("october", "October"), ("oct", "October"), ("november", "November"), ("nov", "November"),
            ("december", "December"), ("dec", "December"),
        ]),
        ordinalEndings: ["st", "nd", "rd", "th"],
        ordinals: WordTable([
            ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6),
            ("seventh", 7), ("eighth", 8), ("ninth", 9), ("tenth", 10), ("eleventh", 11), ("twelfth", 12),
            ("thirteenth", 13), ("fourteenth", 14), ("fifteenth", 15), ("sixteenth", 16),
            ("seventeenth", 17), ("eighteenth", 18), ("nineteenth", 19), ("twentieth", 20),
            ("thirtieth", 30),
        ]),
        the: hash("the"),
        of: hash("of"),
        clockWords: WordTable([("noon", 720), ("midday", 720), ("midnight", 0)]),
        fractions: WordTable([("half", 30), ("quarter", 15)]),
        past: WordTable("past", "after"),
        to: WordTable("to", "till", "before"),
        oClock: WordTable("oclock"),
        timeLeads: WordTable("at", "by", "around", "about", "until", "from"),
        timeTails: [
            (hashes("in the morning"), false), (hashes("in the afternoon"), true),
            (hashes("in the evening"), true),
        ]
    )
}
