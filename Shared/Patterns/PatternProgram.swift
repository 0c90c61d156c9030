/// Pattern compiled to instructions for ``PatternMachine`` (Thompson 1968; captures by Pike).
final class PatternProgram: Sendable {
    enum Instruction: Sendable {
        case character(UInt32)
        case any
        case set(Int)
        /// A set that is compared with the character before folding.
        case originalSet(Int)
        /// Continues at both instructions, and prefers the first.
        case split(Int, Int)
        case jump(Int)
        /// Stores the current position in a capture slot.
        case save(Int)
        case assertion(PatternAssertion)
        case found
    }

    let source: String
    let groupNames: [String]
    let repeatsARepetition: Bool
    let instructions: [Instruction]
    let sets: [CharacterSet]
    /// ASCII members of ``sets``, as bit sets of two words each.
    let asciiSets: [UInt64]
    let firstASCII: [Bool]
    /// Whether a match may begin with a non-ASCII character.
    let mayBeginOutsideASCII: Bool
    let mayBeEmpty: Bool
    /// Automaton that finds out whether there is a match. Nil if not requested, too large or not possible.
    let automaton: PatternAutomaton?

    /// `most` is the maximum number of instructions. With `tellsPlace`, the error has the offset of the repeat that
    /// exceeds the limit.
    init(
        source: String, root: PatternNode, groupNames: [String], most: Int, tellsPlace: Bool,
        automaton bounds: PatternAutomaton.Bounds?
    ) throws(PatternError) {
        self.source = source
        self.groupNames = groupNames
        repeatsARepetition = root.repeatsARepetition
        var writer = PatternWriter(most: most, tellsPlace: tellsPlace)
        try writer.write(root, offset: 0)
        writer.finish()
        instructions = writer.instructions
        sets = writer.sets
        asciiSets = writer.sets.flatMap { set in
            [0, 64].map { start in
                (0..<64 as Range<UInt32>).reduce(0) { bits, offset in
                    set.contains(start + offset, original: nil) ? bits | 1 << UInt64(offset) : bits
                }
            }
        }
        automaton = bounds.flatMap {
            PatternAutomaton(writer.instructions, writer.sets, $0, ranks: writer.copyRanks)
        }
        let first = PatternProgram.first(writer.instructions, writer.sets)
        firstASCII = first.ascii
        mayBeginOutsideASCII = first.isOther
        mayBeEmpty = first.isEmpty
    }

    func mayBegin(_ byte: UInt8) -> Bool { byte < 128 ? firstASCII[Int(byte)] : mayBeginOutsideASCII }

    /// Returns the characters that may begin a match.
    private static func first(
        _ instructions: [Instruction], _ sets: [CharacterSet]
    ) -> (ascii: [Bool], isOther: Bool, isEmpty: Bool) {
        var ascii = [Bool](repeating: false, count: 128)
        var isOther = false
        var isEmpty = false
        var seen = [Bool](repeating: false, count: instructions.count)
        var open = [0]
        while let next = open.popLast() {
            if seen[next] { continue }
            seen[next] = true
            switch instructions[next] {
            case .character(let value): if value < 128 { ascii[Int(value)] = true } else { isOther = true }
            case .any:
                for value in 0..<128 { ascii[value] = true }
                isOther = true
            case .set(let index):
                for value in 0..<128 where sets[index].contains(UInt32(value), original: nil) {
                    ascii[value] = true
                }
                isOther = true
            case .originalSet:
                for value in 0..<128 { ascii[value] = true }
                isOther = true
            case .split(let first, let second): open += [first, second]
            case .jump(let target): open.append(target)
            case .save, .assertion: open.append(next + 1)
            case .found: isEmpty = true
            }
        }
        return (ascii, isOther, isEmpty)
    }
}

/// Code generator, which expands counted repeats.
private struct PatternWriter {
    private(set) var instructions: [PatternProgram.Instruction] = []
    private(set) var sets: [CharacterSet] = []
    let most: Int
    let tellsPlace: Bool
    var ranks: [Int: CopyRank] = [:]
    /// Number of nodes visited.
    var work = 0

    mutating func finish() { instructions.append(.found) }

    /// Position of each instruction in the innermost optional copy that contains it; nil outside of optional copies.
    var copyRanks: [CopyRank?] { instructions.indices.map { ranks[$0] } }

    mutating func write(_ node: PatternNode, offset: Int) throws(PatternError) {
        work += 1
        guard work <= PatternLimits.instructions, instructions.count < most else {
            throw PatternError(
                "is too large once its counts are written out", at: tellsPlace ? offset : 0,
                fix: "use smaller counts")
        }
        switch node {
        case .empty: break
        case .character(let value): instructions.append(.character(value))
        case .any: instructions.append(.any)
        case .set(let set):
            sets.append(set)
            instructions.append(set.readsOriginal ? .originalSet(sets.count - 1) : .set(sets.count - 1))
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try write(node, offset: offset) }
        case .choice(let nodes): try writeChoice(nodes, offset: offset)
        case .group(let index, let inner):
            instructions.append(.save(index * 2))
            try write(inner, offset: offset)
            instructions.append(.save(index * 2 + 1))
        case .repeated(let inner, let least, let most, let isLazy, let place):
            // `x{n,}` repeats its last copy in a loop. A nullable `x` gets a separate loop.
            let isLoop = most == nil && least > 0 && !inner.isNullable
            var last = instructions.count
            for _ in 0..<least {
                last = instructions.count
                try write(inner, offset: place)
            }
            if isLoop {
                instructions.append(fork(into: last, past: instructions.count + 1, isLazy: isLazy))
            } else if let most {
                try writeOptional(inner, count: most - least, isLazy: isLazy, offset: place)
            } else {
                try writeLoop(inner, isLazy: isLazy, offset: place)
            }
        }
    }

    private mutating func writeChoice(_ nodes: [PatternNode], offset: Int) throws(PatternError) {
        var exits: [Int] = []
        for node in nodes.dropLast() {
            let split = reserve()
            try write(node, offset: offset)
            exits.append(reserve())
            instructions[split] = .split(split + 1, instructions.count)
        }
        if let last = nodes.last { try write(last, offset: offset) }
        for exit in exits { instructions[exit] = .jump(instructions.count) }
    }

    private mutating func writeOptional(
        _ node: PatternNode, count: Int, isLazy: Bool, offset: Int
    ) throws(PatternError) {
        var splits: [Int] = []
        for copy in 0..<count {
            splits.append(reserve())
            let start = instructions.count
            try write(node, offset: offset)
            for index in start..<instructions.count where ranks[index] == nil {
                ranks[index] = CopyRank(repeated: splits[0], offset: index - start, copy: copy)
            }
        }
        for split in splits {
            instructions[split] = fork(into: split + 1, past: instructions.count, isLazy: isLazy)
        }
    }

    private mutating func writeLoop(_ node: PatternNode, isLazy: Bool, offset: Int) throws(PatternError) {
        let split = reserve()
        try write(node, offset: offset)
        instructions.append(.jump(split))
        instructions[split] = fork(into: split + 1, past: instructions.count, isLazy: isLazy)
    }

    private mutating func reserve() -> Int {
        instructions.append(.found)
        return instructions.count - 1
    }

    private func fork(into: Int, past: Int, isLazy: Bool) -> PatternProgram.Instruction {
        isLazy ? .split(past, into) : .split(into, past)
    }
}
