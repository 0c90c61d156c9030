/// Interpreter of a compiled pattern (Pike VM).
struct PatternMachine<Text: PatternText> {
    private let program: PatternProgram
    private let instructions: [PatternProgram.Instruction]
    private let text: Text
    private var current: PatternThreads
    private var next: PatternThreads
    /// Instructions to follow. Only the first `pendingCount` items are valid.
    private var pending: [PendingInstruction]
    private var pendingCount = 0
    /// Captures of the current thread, in the first `slotCount` items. Never empty: a write to Swift's shared empty
    /// array would copy it.
    private var slots: [Int32]
    private let slotCount: Int
    /// Position in the text, and the characters before and at it.
    private var place = 0
    private var before = PatternCharacter.atEnd(0)
    private var here: PatternCharacter

    init(_ program: PatternProgram, _ text: Text) {
        self.program = program
        self.text = text
        instructions = program.instructions
        here = text.character(at: 0)
        // Each instruction is followed at most once per character, so there is enough room.
        pending = [PendingInstruction](repeating: PendingInstruction(), count: instructions.count)
        slotCount = program.groupNames.count * 2
        slots = [Int32](repeating: -1, count: max(1, slotCount))
        current = PatternThreads(instructions: instructions.count, slots: slotCount)
        next = PatternThreads(instructions: instructions.count, slots: slotCount)
    }

    /// Returns the ranges of the named groups; -1 for a group without a match. Nil without a match, or if `cost` runs
    /// out.
    mutating func run(cost: inout MatchCost) -> [Int32]? {
        var best: [Int32]?
        guard skipToStart() else { return nil }
        while true {
            // A match that starts here has a lower preference than earlier threads.
            if best == nil, canBegin {
                for slot in 0..<slotCount { slots[slot] = -1 }
                follow(0, &cost)
            }
            swap(&current, &next)
            next.clear()
            let reached = here
            let start = place
            if !reached.isEnd { move() }
            if let found = step(reached, at: start, &cost) { best = found }
            if cost.isExhausted { return nil }
            if best != nil, slotCount == 0 || reached.isEnd { return best }
            if reached.isEnd { return nil }
            if next.count == 0 {
                if best != nil { return best }
                next.clear()
                guard skipToStart() else { return nil }
            }
        }
    }

    private mutating func move() {
        before = here
        place = here.end
        here = text.character(at: place)
    }

    /// Skips to the next character that can begin a match. Returns false if there is none.
    private mutating func skipToStart() -> Bool {
        while !canBegin {
            if here.isEnd { return false }
            move()
        }
        return true
    }

    private var canBegin: Bool {
        if program.mayBeEmpty { return true }
        if here.value < 128 { return program.firstASCII[Int(here.value)] }
        return program.mayBeginOutsideASCII && !here.isEnd
    }

    /// Advances the threads by `character`, in order of preference, up to one with a complete match. Returns the
    /// captures of that thread; nil without a match.
    private mutating func step(
        _ character: PatternCharacter, at start: Int, _ cost: inout MatchCost
    ) -> [Int32]? {
        let value = character.value
        let isNone = value == PatternCharacter.broken
        let count = slotCount
        var thread = 0
        // No ranges here: they are slow in debug builds.
        while thread < current.count {
            guard cost.spend() else { return nil }
            let index = Int(current.places[thread])
            thread += 1
            let advances: Bool
            switch instructions[index] {
            case .found: return Array(current.slots[(index * count)..<((index + 1) * count)])
            case .character(let wanted): advances = value == wanted
            case .any: advances = !isNone && value != 0x0A
            case .set(let set): advances = !isNone && accepts(set, value)
            case .originalSet(let set):
                advances = !isNone && program.sets[set].contains(value, original: text.original(at: start))
            default: advances = false
            }
            guard advances else { continue }
            var slot = 0
            while slot < count {
                slots[slot] = current.slots[index * count + slot]
                slot += 1
            }
            follow(index + 1, &cost)
        }
        return nil
    }

    @inline(__always)
    private func accepts(_ set: Int, _ value: UInt32) -> Bool {
        guard value < 128 else { return program.sets[set].contains(value, original: nil) }
        return program.asciiSets[set * 2 + Int(value >> 6)] >> UInt64(value & 63) & 1 == 1
    }

    /// Adds to ``next`` the instructions reachable from `start` without reading a character.
    private mutating func follow(_ start: Int, _ cost: inout MatchCost) {
        var index = start
        while true {
            if next.marks[index] != next.round {
                next.marks[index] = next.round
                guard cost.spend() else {
                    pendingCount = 0
                    return
                }
                switch instructions[index] {
                case .jump(let target):
                    index = target
                    continue
                case .split(let first, let second):
                    push(PendingInstruction(value: Int32(truncatingIfNeeded: second)))
                    index = first
                    continue
                case .save(let slot):
                    push(PendingInstruction(slot: Int32(truncatingIfNeeded: slot), value: slots[slot]))
                    slots[slot] = Int32(truncatingIfNeeded: place)
                    index += 1
                    continue
                case .assertion(let assertion):
                    if holds(assertion) {
                        index += 1
                        continue
                    }
                case .character, .any, .set, .originalSet, .found:
                    next.places[next.count] = Int32(truncatingIfNeeded: index)
                    next.count += 1
                    var slot = 0
                    while slot < slotCount {
                        next.slots[index * slotCount + slot] = slots[slot]
                        slot += 1
                    }
                }
            }
            guard let resumed = resume() else { return }
            index = resumed
        }
    }

    private mutating func push(_ work: PendingInstruction) {
        pending[pendingCount] = work
        pendingCount += 1
    }

    private mutating func resume() -> Int? {
        while pendingCount > 0 {
            pendingCount -= 1
            let work = pending[pendingCount]
            if work.slot < 0 { return Int(work.value) }
            slots[Int(work.slot)] = work.value
        }
        return nil
    }

    private func holds(_ assertion: PatternAssertion) -> Bool {
        switch assertion {
        case .start: return place == 0
        case .end: return here.isEnd
        case .lineStart: return place == 0 || LetterClass.endsLine(before.value) && !isInsideLineEnd
        case .lineEnd: return here.isEnd || LetterClass.endsLine(here.value) && !isInsideLineEnd
        case .wordEdge, .noWordEdge:
            let edge = isWord(before) != isWord(here)
            return edge == (assertion == .wordEdge)
        }
    }

    /// Whether the position is between the two characters of CRLF.
    private var isInsideLineEnd: Bool { before.value == 0x0D && here.value == 0x0A }

    private func isWord(_ character: PatternCharacter) -> Bool {
        character.value != PatternCharacter.broken && CharacterSet.isWord(character.value)
    }
}

/// Instruction `value` to follow; or, if `slot` is not negative, a capture slot to restore to `value`.
private struct PendingInstruction {
    var slot: Int32 = -1
    var value: Int32 = 0
}

/// Threads in order of preference.
private struct PatternThreads {
    /// Instruction of each thread. Only the first `count` items are valid.
    var places: [Int32]
    var count = 0
    /// `marks[i] == round` means that instruction i is in the list.
    var marks: [Int32]
    var round: Int32 = 1
    var slots: [Int32]

    init(instructions: Int, slots count: Int) {
        places = [Int32](repeating: 0, count: instructions)
        marks = places
        slots = [Int32](repeating: -1, count: instructions * count)
    }

    mutating func clear() {
        count = 0
        round += 1
    }
}
