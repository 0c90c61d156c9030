import Patterns

/// The words one language has for numbers, days and times. Another language is another value of this type.
///
/// Values written in digits (`19:30`, `7.30pm`, `3,50`, `2026-05-05`) are common to all of them.
///
/// Shared, because a search asks it at every word of a message: a copy would count the references of every table.
package final class KindWords: Sendable {
    /// 0 to 19 and the tens.
    let numbers: WordTable<Int>
    /// Words that multiply: 12, 100, 1000.
    let multipliers: WordTable<Int>
    /// Whole numbers of several words, such as "a couple".
    let numberPhrases: [(words: [UInt64], value: Int)]
    /// Stands for one before a multiplier.
    let one: WordTable<Bool>
    /// Joins hundreds with the rest.
    let and: UInt64
    /// Weekdays, as they are captured.
    let weekdays: WordTable<String>
    /// Words before a day that belong to it and are not captured: "on Friday" is Friday.
    let dayPrefixes: WordTable<Bool>
    /// Words before a weekday, as they are captured.
    let dayLeads: WordTable<String>
    /// Whole days of one or more words, as they are captured.
    let dayPhrases: [(words: [UInt64], name: String)]
    /// Words that may follow a day and belong to it: "Friday evening".
    let partsOfDay: WordTable<String>
    let months: WordTable<String>
    /// Endings that make a number an ordinal.
    let ordinalEndings: [String]
    let ordinals: WordTable<Int>
    let the: UInt64
    let of: UInt64
    /// Whole times of a word, in minutes after midnight.
    let clockWords: WordTable<Int>
    /// "half", "quarter": minutes.
    let fractions: WordTable<Int>
    let past: WordTable<Bool>
    let to: WordTable<Bool>
    /// Follows a full hour.
    let oClock: WordTable<Bool>
    /// Words after which a bare number is a time.
    let timeLeads: WordTable<Bool>
    /// "in the evening": false in the morning, true after noon.
    let timeTails: [(words: [UInt64], isAfterNoon: Bool)]

    /// Every word a number, a day or a time may begin with.
    let starts: WordStarts

    init(
        numbers: WordTable<Int>,
        multipliers: WordTable<Int>,
        numberPhrases: [(words: [UInt64], value: Int)],
        one: WordTable<Bool>,
        and: UInt64,
        weekdays: WordTable<String>,
        dayPrefixes: WordTable<Bool>,
        dayLeads: WordTable<String>,
        dayPhrases: [(words: [UInt64], name: String)],
        partsOfDay: WordTable<String>,
        months: WordTable<String>,
        ordinalEndings: [String],
        ordinals: WordTable<Int>,
        the: UInt64,
        of: UInt64,
        clockWords: WordTable<Int>,
        fractions: WordTable<Int>,
        past: WordTable<Bool>,
        to: WordTable<Bool>,
        oClock: WordTable<Bool>,
        timeLeads: WordTable<Bool>,
        timeTails: [(words: [UInt64], isAfterNoon: Bool)]
    ) {
        self.numbers = numbers
        self.multipliers = multipliers
        self.numberPhrases = numberPhrases
        self.one = one
        self.and = and
        self.weekdays = weekdays
        self.dayPrefixes = dayPrefixes
        self.dayLeads = dayLeads
        self.dayPhrases = dayPhrases
        self.partsOfDay = partsOfDay
        self.months = months
        self.ordinalEndings = ordinalEndings
        self.ordinals = ordinals
        self.the = the
        self.of = of
        self.clockWords = clockWords
        self.fractions = fractions
        self.past = past
        self.to = to
        self.oClock = oClock
        self.timeLeads = timeLeads
        self.timeTails = timeTails
        var starts = WordStarts()
        for table in [numbers, multipliers, ordinals, clockWords, fractions] {
            for hash in table.hashes { starts.insert(hash) }
        }
        for table in [weekdays, dayLeads, months] {
            for hash in table.hashes { starts.insert(hash) }
        }
        for hash in dayPrefixes.hashes { starts.insert(hash) }
        for hash in one.hashes { starts.insert(hash) }
        for phrase in numberPhrases { starts.insert(phrase.words[0]) }
        for phrase in dayPhrases { starts.insert(phrase.words[0]) }
        starts.insert(the)
        self.starts = starts
    }

    /// False for most words, at the price of one look; the tables are asked after that.
    func mayStart(_ atom: PreparedMessage.Atom, in heard: PreparedMessage) -> Bool {
        heard.scalars[Int(atom.start)] &- 0x30 < 10 || starts.mayContain(atom.hash)
    }

    static func hash(_ word: String) -> UInt64 {
        var letters: [UInt32] = []
        for scalar in word.unicodeScalars { Folding.append(scalar.value, to: &letters) }
        return WordHash.of(letters)
    }

    static func hashes(_ words: String) -> [UInt64] { words.split(separator: " ").map { hash(String($0)) } }
}

/// Words by their hash. The spelling is compared too, so no made-up word can pass for another.
struct WordTable<Value: Sendable>: Sendable {
    private var entries: [UInt64: (letters: [UInt32], value: Value)] = [:]

    init(_ words: [(String, Value)]) {
        for (word, value) in words {
            var letters: [UInt32] = []
            for scalar in word.unicodeScalars { Folding.append(scalar.value, to: &letters) }
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
    init(_ words: String...) {
        self.init(words.map { ($0, true) })
    }
}

/// 4096 bits about a set of words.
struct WordStarts: Sendable {
    private var bits = [UInt64](repeating: 0, count: 64)

    mutating func insert(_ hash: UInt64) { bits[Int(hash >> 58)] |= 1 << (hash >> 52 & 63) }

    func mayContain(_ hash: UInt64) -> Bool { bits[Int(hash >> 58)] & (1 << (hash >> 52 & 63)) != 0 }
}
