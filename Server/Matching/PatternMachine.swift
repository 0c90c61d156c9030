/// Runs a compiled pattern: all alternatives side by side, one character at a time, so the steps are at most
/// instructions times characters. Alternatives are kept in order of preference, each with its own captures.
struct PatternMachine {
    private let program: PatternProgram
    private let instructions: [PatternProgram.Instruction]
    private var current: ThreadList
    private var next: ThreadList
    /// Work still to do while following instructions that read no character.
    private var pending: [Pending] = []
    /// Captures of the thread being followed.
    private var slots: [Int32]

    private enum Pending {
        case follow(Int)
        case restore(slot: Int, value: Int32)
    }

    /// Instructions to try at the next character, in order of preference.
    private struct ThreadList {
        var places: [Int32] = []
        /// `marks[i] == round` when instruction i is in the list.
        var marks: [Int32]
        var round: Int32 = 1
        var slots: [Int32]

        init(instructions: Int, slots count: Int) {
            marks = [Int32](repeating: 0, count: instructions)
            slots = [Int32](repeating: -1, count: instructions * count)
            places.reserveCapacity(instructions)
        }

        mutating func clear() {
            places.removeAll(keepingCapacity: true)
            round += 1
        }
    }

    init(_ program: PatternProgram) {
        self.program = program
        instructions = program.instructions
        let slotCount = program.groupNames.count * 2
        slots = [Int32](repeating: -1, count: slotCount)
        current = ThreadList(instructions: instructions.count, slots: slotCount)
        next = ThreadList(instructions: instructions.count, slots: slotCount)
    }

    /// The places of the named groups, two each, -1 for a group that took no part; nil when nothing was
    /// found.
    mutating func run(_ heard: Heard, cost: inout MatchCost) -> [Int32]? {
        var best: [Int32]?
        guard var place = nextStart(from: 0, heard) else { return nil }
        while true {
            // Starting here is the last choice of all: a match that began earlier is preferred.
            if best == nil {
                for slot in slots.indices { slots[slot] = -1 }
                follow(0, at: place, heard, &cost)
            }
            swap(&current, &next)
            next.clear()
            if let found = step(at: place, heard, &cost) { best = found }
            if cost.isExhausted { return nil }
            if best != nil, slots.isEmpty { return best }
            guard place < heard.scalars.count else { return best }
            place += 1
            if next.places.isEmpty {
                if best != nil { return best }
                next.clear()
                guard let start = nextStart(from: place, heard) else { return nil }
                place = start
            }
        }
    }

    /// The next place where a match may begin.
    private func nextStart(from place: Int, _ heard: Heard) -> Int? {
        if program.mayBeEmpty { return place }
        for index in place..<heard.scalars.count {
            let value = heard.scalars[index]
            if value < 128 ? program.firstASCII[Int(value)] : program.mayBeginOutsideASCII { return index }
        }
        return nil
    }

    /// Lets every thread read the character at `place`; a thread that is done beats all behind it.
    private mutating func step(at place: Int, _ heard: Heard, _ cost: inout MatchCost) -> [Int32]? {
        let isEnd = place >= heard.scalars.count
        let value = isEnd ? 0 : heard.scalars[place]
        let count = slots.count
        for thread in 0..<current.places.count {
            guard cost.spend() else { return nil }
            let index = Int(current.places[thread])
            let advances: Bool
            switch instructions[index] {
            case .found: return Array(current.slots[(index * count)..<((index + 1) * count)])
            case .character(let wanted): advances = !isEnd && value == wanted
            case .any: advances = !isEnd && value != 0x0A
            case .set(let set):
                advances = !isEnd && accepts(program.sets[set], value, at: place, heard)
            default: advances = false
            }
            guard advances else { continue }
            for slot in 0..<count { slots[slot] = current.slots[index * count + slot] }
            follow(index + 1, at: place + 1, heard, &cost)
        }
        return nil
    }

    private func accepts(_ set: CharacterSet, _ value: UInt32, at place: Int, _ heard: Heard) -> Bool {
        set.contains(value, original: set.readsOriginal ? heard.originalScalar(at: place) : nil)
    }

    /// Adds to ``next`` what can be reached from `start` without reading a character.
    private mutating func follow(_ start: Int, at place: Int, _ heard: Heard, _ cost: inout MatchCost) {
        var index = start
        while true {
            if next.marks[index] != next.round {
                next.marks[index] = next.round
                guard cost.spend() else {
                    pending.removeAll(keepingCapacity: true)
                    return
                }
                switch instructions[index] {
                case .jump(let target):
                    index = target
                    continue
                case .split(let first, let second):
                    pending.append(.follow(second))
                    index = first
                    continue
                case .save(let slot):
                    pending.append(.restore(slot: slot, value: slots[slot]))
                    slots[slot] = Int32(truncatingIfNeeded: place)
                    index += 1
                    continue
                case .assertion(let assertion):
                    if holds(assertion, at: place, heard) {
                        index += 1
                        continue
                    }
                case .character, .any, .set, .found:
                    next.places.append(Int32(truncatingIfNeeded: index))
                    for slot in slots.indices { next.slots[index * slots.count + slot] = slots[slot] }
                }
            }
            guard let resumed = resume() else { return }
            index = resumed
        }
    }

    /// The next instruction left to follow, with the captures as they were there.
    private mutating func resume() -> Int? {
        while let work = pending.popLast() {
            switch work {
            case .follow(let index): return index
            case .restore(let slot, let value): slots[slot] = value
            }
        }
        return nil
    }

    private func holds(_ assertion: PatternAssertion, at place: Int, _ heard: Heard) -> Bool {
        switch assertion {
        case .start: return place == 0
        case .end: return place == heard.scalars.count
        case .wordEdge, .noWordEdge:
            let before = place > 0 && CharacterSet.isWord(heard.scalars[place - 1])
            let after = place < heard.scalars.count && CharacterSet.isWord(heard.scalars[place])
            return (before != after) == (assertion == .wordEdge)
        }
    }
}
