/// Deterministic automaton that finds out whether a text has a match, in one step per character (subset construction:
/// Rabin and Scott 1959; Aho, Lam, Sethi and Ullman, *Compilers*, 3.7.1).
struct PatternAutomaton: Sendable {
    struct Bounds {
        /// Maximum number of visited instructions.
        var work: Int
        var cells: Int
    }

    typealias State = UInt16
    static let dead: State = 0
    static let found: State = 1
    private static let initial: State = 2

    private let classes: CharacterClasses
    /// Transition table, indexed by `state × number of classes + class`.
    private let transitions: [State]
    /// For each state: whether there is a match if the text ends in this state.
    private let endsWell: [Bool]

    /// Nil if the automaton would be too large, or if the pattern needs word or line boundaries or the original case.
    init?(
        _ instructions: [PatternProgram.Instruction], _ sets: [CharacterSet], _ bounds: Bounds,
        ranks: [CopyRank?]
    ) {
        guard instructions.allSatisfy(Self.isPlain),
            let classes = CharacterClasses(instructions, sets, work: bounds.work / 4)
        else { return nil }
        var builder = AutomatonBuilder(instructions, sets, classes, bounds, ranks)
        guard builder.build() else { return nil }
        self.classes = classes
        transitions = builder.transitions
        endsWell = builder.endsWell
    }

    private static func isPlain(_ instruction: PatternProgram.Instruction) -> Bool {
        switch instruction {
        case .character, .any, .set, .split, .jump, .save, .found: true
        case .assertion(let assertion): assertion == .start || assertion == .end
        case .originalSet: false
        }
    }

    /// Whether `text` has a match. Nil if a character's class depends on Unicode properties.
    func isFound(in text: some PatternText) -> Bool? {
        var state = Self.initial
        var place = 0
        return transitions.withUnsafeBufferPointer { transitions in
            classes.ofASCII.withUnsafeBufferPointer { ofASCII in
                while true {
                    let character = text.character(at: place)
                    if character.isEnd { return endsWell[Int(state)] }
                    place = character.end
                    let column: UInt8
                    if character.value < 0x80 {
                        column = ofASCII[Int(character.value)]
                    } else {
                        guard let wide = classes.ofWide(character.value) else { return nil }
                        column = wide
                    }
                    state = transitions[Int(state) * classes.count + Int(column)]
                    if state <= Self.found { return state == Self.found }
                }
            }
        }
    }
}

/// Position of an instruction in the optional copies of a counted repeat's body: `x{1,3}` has two, after the first `x`.
/// An earlier copy accepts all texts that a later copy accepts.
struct CopyRank: Hashable, Sendable {
    /// Number of the repeat, position in its body, and number of the copy.
    var repeated: Int
    var offset: Int
    var copy: Int
}

/// Equivalence classes of characters. No instruction distinguishes two characters of one class.
struct CharacterClasses: Sendable {
    private(set) var count = 0
    private(set) var ofASCII: [UInt8] = []
    /// First characters of the non-ASCII ranges, and the classes of the ranges.
    private var starts: [UInt32] = []
    private var ofRange: [UInt8] = []
    private(set) var samples: [UInt32] = []
    private let broken: UInt8
    private let readsProperties: Bool

    init?(_ instructions: [PatternProgram.Instruction], _ sets: [CharacterSet], work: Int) {
        var single: Set<UInt32> = []
        var readsAny = false
        for instruction in instructions {
            if case .character(let value) = instruction { single.insert(value) }
            if case .any = instruction { readsAny = true }
        }
        readsProperties = sets.contains { $0.properties.contains { !$0.isASCII } }
        var bounds: Set<UInt32> = [0x80]
        for range in sets.lazy.flatMap(\.ranges) + single.map({ $0...$0 }) where range.upperBound >= 0x80 {
            bounds.insert(max(range.lowerBound, 0x80))
            bounds.insert(range.upperBound + 1)
        }
        starts = bounds.sorted()
        let values = Array(0..<0x80) + starts + [PatternCharacter.broken]
        guard values.count * (sets.count + single.count + 1) <= work else { return nil }
        // Each test divides the classes further.
        var classes = [Int](repeating: 0, count: values.count)
        var known: [Int: Int] = [:]
        func part(_ isIn: (UInt32) -> Bool) {
            known.removeAll(keepingCapacity: true)
            for (index, value) in values.enumerated() {
                let key = classes[index] * 2 + (value != PatternCharacter.broken && isIn(value) ? 1 : 0)
                let new = known[key] ?? known.count
                known[key] = new
                classes[index] = new
            }
        }
        // No instruction matches invalid bytes, so they have their own class.
        part { _ in true }
        if readsAny { part { $0 != 0x0A } }
        for value in single { part { $0 == value } }
        for set in sets { part { set.contains($0, original: nil) } }
        count = known.count
        guard count <= 256 else { return nil }
        samples = [UInt32](repeating: 0, count: count)
        for (value, number) in zip(values, classes) { samples[number] = value }
        ofASCII = classes[..<0x80].map { UInt8($0) }
        ofRange = classes[0x80..<0x80 + starts.count].map { UInt8($0) }
        broken = UInt8(classes[values.count - 1])
    }

    /// Returns the class of a non-ASCII character; nil if classes depend on Unicode properties.
    func ofWide(_ value: UInt32) -> UInt8? {
        if value == PatternCharacter.broken { return broken }
        if readsProperties { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= value { low = middle } else { high = middle }
        }
        return ofRange[low]
    }
}

/// Subset construction of a ``PatternAutomaton``.
private struct AutomatonBuilder {
    private let instructions: [PatternProgram.Instruction]
    private let sets: [CharacterSet]
    private let classes: CharacterClasses
    /// For each instruction: a number that stands for the repeat and offset of its ``CopyRank``, and the number of the
    /// copy. -1 and 0 outside of optional copies.
    private var places: [Int] = []
    private var copies: [Int] = []
    /// For each number in ``places``: the earliest copy in the current set, and the round that found it.
    private var earliest: [(copy: Int, round: Int)]
    private let cells: Int
    private var workLeft: Int

    private(set) var transitions: [PatternAutomaton.State] = []
    private(set) var endsWell: [Bool] = []
    private var numbers: [[Int32]: PatternAutomaton.State] = [:]
    private var members: [[Int32]] = []
    private var marks: [Int]
    private var round = 0
    private var open: [Int] = []

    init(
        _ instructions: [PatternProgram.Instruction], _ sets: [CharacterSet], _ classes: CharacterClasses,
        _ bounds: PatternAutomaton.Bounds, _ ranks: [CopyRank?]
    ) {
        (self.instructions, self.sets, self.classes) = (instructions, sets, classes)
        var numbers: [CopyRank: Int] = [:]
        for rank in ranks {
            let copy = rank?.copy ?? 0
            var place = -1
            if var key = rank {
                key.copy = 0
                place = numbers[key] ?? numbers.count
                numbers[key] = place
            }
            places.append(place)
            copies.append(copy)
        }
        earliest = Array(repeating: (copy: 0, round: 0), count: numbers.count)
        cells = bounds.cells
        workLeft = bounds.work
        marks = [Int](repeating: 0, count: instructions.count)
    }

    /// Builds all states. Returns false if a limit is exceeded.
    mutating func build() -> Bool {
        members = [[], []]
        endsWell = [false, true]
        round += 1
        var first: [Int32] = []
        let isFoundAtOnce = follow(0, isStart: true, isEnd: false, into: &first)
        // The start state, which no transition leads to.
        members.append(first)
        endsWell.append(completes(first, isStart: true))
        transitions = Array(repeating: PatternAutomaton.dead, count: classes.count)
        transitions += Array(repeating: PatternAutomaton.found, count: classes.count)
        var state = 2
        while state < members.count {
            for column in 0..<classes.count {
                let next = isFoundAtOnce ? PatternAutomaton.found : self.next(members[state], column)
                guard workLeft >= 0, transitions.count < cells else { return false }
                transitions.append(next)
            }
            state += 1
        }
        if isFoundAtOnce { endsWell[2] = true }
        return true
    }

    /// Returns the state after a set of instructions reads a character of class `column`.
    private mutating func next(_ items: [Int32], _ column: Int) -> PatternAutomaton.State {
        round += 1
        var reached: [Int32] = []
        workLeft -= items.count + 1
        let sample = classes.samples[column]
        for item in items where takes(Int(item), sample) {
            if follow(Int(item) + 1, isStart: false, isEnd: false, into: &reached) {
                return PatternAutomaton.found
            }
        }
        // A match may also begin after this character.
        if follow(0, isStart: false, isEnd: false, into: &reached) { return PatternAutomaton.found }
        guard !reached.isEmpty else { return PatternAutomaton.dead }
        removeLaterCopies(from: &reached)
        reached.sort()
        workLeft -= reached.count
        if let known = numbers[reached] { return known }
        guard let number = PatternAutomaton.State(exactly: members.count) else {
            workLeft = -1
            return PatternAutomaton.dead
        }
        numbers[reached] = number
        members.append(reached)
        endsWell.append(completes(reached, isStart: false))
        return number
    }

    private func takes(_ index: Int, _ value: UInt32) -> Bool {
        guard value != PatternCharacter.broken else { return false }
        return switch instructions[index] {
        case .character(let wanted): value == wanted
        case .any: value != 0x0A
        case .set(let set): sets[set].contains(value, original: nil)
        default: false
        }
    }

    /// Of the instructions that differ only in the optional copy, keeps the one in the earliest copy. Otherwise
    /// `.{0,50}` would have a state for each subset of its copies.
    private mutating func removeLaterCopies(from items: inout [Int32]) {
        guard !earliest.isEmpty else { return }
        for item in items {
            let (place, copy) = (places[Int(item)], copies[Int(item)])
            guard place >= 0 else { continue }
            if earliest[place].round != round || copy < earliest[place].copy {
                earliest[place] = (copy, round)
            }
        }
        let (places, copies, earliest) = (places, copies, earliest)
        items.removeAll { places[Int($0)] >= 0 && earliest[places[Int($0)]].copy != copies[Int($0)] }
    }

    private mutating func completes(_ items: [Int32], isStart: Bool) -> Bool {
        round += 1
        var rest: [Int32] = []
        for item in items {
            guard case .assertion = instructions[Int(item)] else { continue }
            if follow(Int(item), isStart: isStart, isEnd: true, into: &rest) { return true }
        }
        return false
    }

    /// Adds the instructions reachable from `start` without reading a character. Returns true at a complete match.
    private mutating func follow(
        _ start: Int, isStart: Bool, isEnd: Bool, into items: inout [Int32]
    ) -> Bool {
        open.append(start)
        while let index = open.popLast() {
            guard marks[index] != round else { continue }
            marks[index] = round
            workLeft -= 1
            switch instructions[index] {
            case .found:
                open.removeAll(keepingCapacity: true)
                return true
            case .jump(let target): open.append(target)
            case .split(let first, let second):
                open.append(second)
                open.append(first)
            case .save: open.append(index + 1)
            case .assertion(.start): if isStart { open.append(index + 1) }
            case .assertion(.end): if isEnd { open.append(index + 1) } else { items.append(Int32(index)) }
            case .assertion: break
            case .character, .any, .set, .originalSet: items.append(Int32(index))
            }
        }
        return false
    }
}
