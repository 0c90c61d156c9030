/// The words one language has for numbers, days and times. Another language is another value of this type.
///
/// What is written in digits (`19:30`, `7.30pm`, `3,50`, `2026-05-05`) is the same in all of them.
package struct KindWords: Sendable {
    /// 0 to 19 and the tens.
    var numbers: WordTable<Int>
    /// Words that multiply: 12, 100, 1000.
    var multipliers: WordTable<Int>
    /// Whole numbers of several words, such as "a couple".
    var numberPhrases: [(words: [UInt64], value: Int)]
    /// Stands for one before a multiplier.
    var one: WordTable<Bool>
    /// Joins hundreds with the rest.
    var and: UInt64
    /// Weekdays, as they are captured.
    var weekdays: WordTable<String>
    /// Words before a weekday, as they are captured.
    var dayLeads: WordTable<String>
    /// Whole days of one or more words, as they are captured.
    var dayPhrases: [(words: [UInt64], name: String)]
    /// Words that may follow a day and belong to it: "Friday evening".
    var partsOfDay: WordTable<String>
    var months: WordTable<String>
    /// Endings that make a number an ordinal.
    var ordinalEndings: [String]
    var ordinals: WordTable<Int>
    var the: UInt64
    var of: UInt64
    /// Whole times of a word, in minutes after midnight.
    var clockWords: WordTable<Int>
    /// "half", "quarter": minutes.
    var fractions: WordTable<Int>
    var past: WordTable<Bool>
    var to: WordTable<Bool>
    /// Follows a full hour.
    var oClock: WordTable<Bool>
    /// Words after which a bare number is a time.
    var timeLeads: WordTable<Bool>
    /// "in the evening": false in the morning, true after noon.
    var timeTails: [(words: [UInt64], isAfterNoon: Bool)]

    /// Every word a number, a day or a time may begin with.
    private(set) var starts = WordStarts()

    /// To be called once all the tables are filled.
    func prepared() -> KindWords {
        var result = self
        for table in [numbers, multipliers, ordinals, clockWords, fractions] {
            for hash in table.hashes { result.starts.insert(hash) }
        }
        for table in [weekdays, dayLeads, months] {
            for hash in table.hashes { result.starts.insert(hash) }
        }
        for hash in one.hashes { result.starts.insert(hash) }
        for phrase in numberPhrases { result.starts.insert(phrase.words[0]) }
        for phrase in dayPhrases { result.starts.insert(phrase.words[0]) }
        result.starts.insert(the)
        return result
    }

    /// False for most words, at the price of one look; the tables are asked after that.
    func mayStart(_ atom: Heard.Atom, in heard: Heard) -> Bool {
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

    func value(of atom: Heard.Atom, in heard: Heard) -> Value? {
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
