/// One parser under fuzzing: what it is fed, and what must hold whatever the input is.
///
/// An entry never traps on purpose and never keeps anything from one input to the next, so that an input alone
/// reproduces what it caused.
package struct FuzzTarget: Sendable {
    package typealias Entry = @Sendable (_ bytes: [UInt8]) throws(BrokenRule) -> Trait

    package var name: String
    /// Words that the parser knows: what chance alone would not spell.
    package var words: [[UInt8]]
    /// Inputs are not made longer than this.
    package var maxBytes: Int
    /// Part of the executions of a run over all targets: more for fast parsers.
    package var share: Int
    package var entry: Entry

    package init(
        _ name: String, words: [String] = [], bytes: [[UInt8]] = [], maxBytes: Int = 4_096, share: Int = 4,
        entry: @escaping Entry
    ) {
        self.name = name
        self.words = words.map { Array($0.utf8) } + bytes
        self.maxBytes = maxBytes
        self.share = share
        self.entry = entry
    }
}

/// What a parser must never do, done.
package struct BrokenRule: Error, Equatable, Sendable {
    package var sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Throws unless `holds`.
func require(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(BrokenRule) {
    guard holds else { throw BrokenRule(sentence()) }
}

/// How an input was taken, as one number (FNV-1a). Inputs with a trait not seen before are worth mutating.
package struct Trait: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ words: String...) {
        for word in words { add(word) }
    }

    mutating func add(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x0000_0100_0000_01B3
    }

    package mutating func add(bytes: [UInt8]) {
        for byte in bytes { add(Int(byte)) }
    }

    mutating func add(_ word: String) {
        for byte in word.utf8 { add(Int(byte)) }
        add(256)
    }

    /// The order of magnitude of a count, so that each length is not a trait of its own.
    mutating func add(roughly count: Int) {
        add(Int.bitWidth - max(0, count).leadingZeroBitCount)
    }
}
