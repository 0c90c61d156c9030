import Patterns

/// English words for numbers, days and times. A class, because a copy of a struct would change the reference count of
/// each table.
package final class KindWords: Sendable {
    let numbers = WordTable<Int>(
        EnglishNumbers.small.enumerated().map { ($1, $0) } + [("nought", 0)]
            + EnglishNumbers.tens.enumerated().filter { $0.offset >= 2 }.map { ($1, $0 * 10) })
    let multipliers = WordTable<Int>([("dozen", 12), ("hundred", 100), ("thousand", 1000)])
    let numberPhrases = KindWords.phrases([("a couple", 2), ("half a dozen", 6), ("half dozen", 6)])
    /// Word for 1 before a multiplier: "a" in "a hundred".
    let one = WordTable<Bool>("a")
    let and = KindWords.hash("and")
    let weekdays = WordTable<String>([
        ("monday", "Monday"), ("mon", "Monday"), ("tuesday", "Tuesday"), ("tue", "Tuesday"),
        ("tues", "Tuesday"), ("wednesday", "Wednesday"), ("wed", "Wednesday"), ("thursday", "Thursday"),
        ("thu", "Thursday"), ("thur", "Thursday"), ("thurs", "Thursday"), ("friday", "Friday"),
        ("fri", "Friday"), ("saturday", "Saturday"), ("sat", "Saturday"), ("sunday", "Sunday"),
        ("sun", "Sunday"),
    ])
    /// Words before a day that are not captured: "on Friday" gives "Friday".
    let dayPrefixes = WordTable<Bool>("on")
    /// Words before a weekday that are captured: "next Friday".
    let dayLeads = WordTable<String>([("next", "next"), ("this", "this"), ("last", "last")])
    /// Names of days, some of several words, with the value that each name captures.
    let dayPhrases = KindWords.phrases([
        ("the day after tomorrow", "the day after tomorrow"),
        ("day after tomorrow", "the day after tomorrow"),
        ("today", "today"), ("tomorrow", "tomorrow"), ("tonight", "tonight"), ("yesterday", "yesterday"),
    ])
    /// Words that may follow a day, as in "Friday evening".
    let partsOfDay = WordTable<String>([
        ("morning", "morning"), ("afternoon", "afternoon"), ("evening", "evening"), ("night", "night"),
    ])
    let months = WordTable<String>([
        ("january", "January"), ("jan", "January"), ("february", "February"), ("feb", "February"),
        ("march", "March"), ("mar", "March"), ("april", "April"), ("apr", "April"), ("may", "May"),
        ("june", "June"), ("jun", "June"), ("july", "July"), ("jul", "July"), ("august", "August"),
        ("aug", "August"), ("september", "September"), ("sep", "September"), ("sept", "September"),
        ("october", "October"), ("oct", "October"), ("november", "November"), ("nov", "November"),
        ("december", "December"), ("dec", "December"),
    ])
    /// Endings of ordinal numbers in digits, as in "5th".
    let ordinalEndings: [String] = ["st", "nd", "rd", "th"]
    let ordinals = WordTable<Int>([
        ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6),
        ("seventh", 7), ("eighth", 8), ("ninth", 9), ("tenth", 10), ("eleventh", 11), ("twelfth", 12),
        ("thirteenth", 13), ("fourteenth", 14), ("fifteenth", 15), ("sixteenth", 16),
        ("seventeenth", 17), ("eighteenth", 18), ("nineteenth", 19), ("twentieth", 20),
        ("thirtieth", 30),
    ])
    let the = KindWords.hash("the")
    let of = KindWords.hash("of")
    /// Times that consist of one word, in minutes after midnight.
    let clockWords = WordTable<Int>([("noon", 720), ("midday", 720), ("midnight", 0)])
    let fractions = WordTable<Int>([("half", 30), ("quarter", 15)])
    let past = WordTable<Bool>("past", "after")
    let to = WordTable<Bool>("to", "till", "before")
    let oClock = WordTable<Bool>("oclock")
    /// Words after which a number alone counts as a time.
    let timeLeads = WordTable<Bool>("at", "by", "around", "about", "until", "from")
    /// Phrases after a time. True means after noon, false before.
    let timeTails = KindWords.phrases([
        ("in the morning", false), ("in the afternoon", true), ("in the evening", true),
    ])

    /// Filter for words that can begin a number, a day or a time.
    let starts: WordStarts

    package static let english = KindWords()

    private init() {
        var starts = WordStarts()
        for table in [numbers, multipliers, ordinals, clockWords, fractions] {
            for hash in table.hashes { starts.insert(hash) }
        }
        for table in [weekdays, dayLeads, months] {
            for hash in table.hashes { starts.insert(hash) }
        }
        for hash in dayPrefixes.hashes + one.hashes { starts.insert(hash) }
        for words in numberPhrases.map(\.words) + dayPhrases.map(\.words) { starts.insert(words[0]) }
        starts.insert(the)
        self.starts = starts
    }

    /// Whether a number, day or time may begin at the atom.
    func mayStart(_ atom: PreparedMessage.Atom, in heard: PreparedMessage) -> Bool {
        heard.scalars[Int(atom.start)] &- 0x30 < 10 || starts.mayContain(atom.hash)
    }

    static func hash(_ word: String) -> UInt64 { WordHash.of(Folding.letters(of: word)) }

    private static func phrases<Value>(_ list: [(String, Value)]) -> [(words: [UInt64], value: Value)] {
        list.map { text, value in (text.split(separator: " ").map { hash(String($0)) }, value) }
    }
}

/// Hash table from words to values. Compares spellings too, because hashes may be equal.
struct WordTable<Value: Sendable>: Sendable {
    private var entries: [UInt64: (letters: [UInt32], value: Value)] = [:]

    init(_ words: [(String, Value)]) {
        for (word, value) in words {
            let letters = Folding.letters(of: word)
            entries[WordHash.of(letters)] = (letters, value)
        }
    }

    func value(of atom: PreparedMessage.Atom, in heard: PreparedMessage) -> Value? {
        guard let entry = entries[atom.hash], heard.spelling(of: atom).elementsEqual(entry.letters) else {
            return nil
        }
        return entry.value
    }

    var hashes: [UInt64] { Array(entries.keys) }

    func contains(_ word: Phrase.Word) -> Bool { entries[word.hash]?.letters == word.letters }
}

extension WordTable where Value == Bool {
    init(_ words: String...) { self.init(words.map { ($0, true) }) }
}

/// Bloom filter of 4096 bits.
struct WordStarts: Sendable {
    private var bits = [UInt64](repeating: 0, count: 64)

    mutating func insert(_ hash: UInt64) { bits[Int(hash >> 58)] |= 1 << (hash >> 52 & 63) }

    func mayContain(_ hash: UInt64) -> Bool { bits[Int(hash >> 58)] & (1 << (hash >> 52 & 63)) != 0 }
}
