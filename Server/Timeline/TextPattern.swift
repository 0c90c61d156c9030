/// A regular expression over the bytes of UTF-8 text, matched in time linear to the text.
///
/// Literals, `.`, classes, `\d \w \s` and their opposites, groups, `|`, `* + ?`, `{2,5}`, `^`, `$`. All
/// states are walked side by side, so no expression can make the server wait; what needs to remember text
/// (references, lookaround) is refused.
struct TextPattern: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case set(ByteSet, next: Int)
        case split(Int, Int)
        case jump(Int)
        case start(next: Int)
        case end(next: Int)
        case accept
    }

    /// Bytes a state takes.
    struct ByteSet: Equatable, Sendable {
        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        init(_ ranges: [ClosedRange<UInt8>]) {
            for range in ranges { for byte in range { insert(byte) } }
        }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            let word =
                switch byte >> 6 {
                case 0: words.0
                case 1: words.1
                case 2: words.2
                default: words.3
                }
            return word >> UInt64(byte & 63) & 1 == 1
        }

        private mutating func insert(_ byte: UInt8) {
            let bit = UInt64(1) << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }

        static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }
    }

    private let states: [State]
    private let startState: Int
    /// Bytes a match can begin with; nil when it can begin anywhere.
    private let firstBytes: [Bool]?

    init(_ text: String, ignoringCase: Bool) throws(PatternError) {
        var parser = PatternParser(text, ignoringCase: ignoringCase)
        var builder = Builder()
        let node = try parser.expression()
        let accept = try builder.add(.accept)
        startState = try builder.build(node, next: accept)
        states = builder.states
        firstBytes = Self.firstBytes(states, from: startState)
    }

    func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var current = Threads(count: states.count)
        var following = Threads(count: states.count)
        for index in 0...bytes.count {
            if current.list.isEmpty, index < bytes.count, let firstBytes, !firstBytes[Int(bytes[index])] {
                continue
            }
            let place = Place(isStart: index == 0, isEnd: index == bytes.count)
            if follow(startState, place, into: &current) { return true }
            guard index < bytes.count else { return false }
            let byte = bytes[index]
            let behind = Place(isStart: false, isEnd: index + 1 == bytes.count)
            for state in current.list {
                guard case .set(let set, let next) = states[state], set.contains(byte) else { continue }
                if follow(next, behind, into: &following) { return true }
            }
            swap(&current, &following)
            following.removeAll()
        }
        return false
    }

    private struct Place {
        var isStart: Bool
        var isEnd: Bool
    }

    /// The states alive at one place of the text, each once.
    private struct Threads {
        var list: [Int] = []
        /// States to look at; kept so that no byte allocates.
        var pending: [Int] = []
        /// The last round each state was seen in.
        private var rounds: [Int]
        private var round = 1

        init(count: Int) { rounds = Array(repeating: 0, count: count) }

        /// True the first time in a round.
        mutating func mark(_ state: Int) -> Bool {
            guard rounds[state] != round else { return false }
            rounds[state] = round
            return true
        }

        mutating func removeAll() {
            round += 1
            list.removeAll(keepingCapacity: true)
        }
    }

    /// Adds `state` and what follows it without a byte; true when the expression is through.
    private func follow(_ state: Int, _ place: Place, into threads: inout Threads) -> Bool {
        threads.pending.append(state)
        while let state = threads.pending.popLast() {
            guard threads.mark(state) else { continue }
            switch states[state] {
            case .set: threads.list.append(state)
            case .jump(let next): threads.pending.append(next)
            case .split(let left, let right):
                threads.pending.append(left)
                threads.pending.append(right)
            case .start(let next): if place.isStart { threads.pending.append(next) }
            case .end(let next): if place.isEnd { threads.pending.append(next) }
            case .accept:
                threads.pending.removeAll(keepingCapacity: true)
                return true
            }
        }
        return false
    }

    private static func firstBytes(_ states: [State], from start: Int) -> [Bool]? {
        var isFirst = Array(repeating: false, count: 256)
        var isSeen = Array(repeating: false, count: states.count)
        var pending = [start]
        while let state = pending.popLast() {
            guard !isSeen[state] else { continue }
            isSeen[state] = true
            switch states[state] {
            case .set(let set, _):
                for byte in UInt8.min...UInt8.max where set.contains(byte) {
                    isFirst[Int(byte)] = true
                }
            case .jump(let next), .start(let next), .end(let next): pending.append(next)
            case .split(let left, let right): pending += [left, right]
            case .accept: return nil
            }
        }
        return isFirst
    }

    /// Writes nodes out as states, from the last to the first.
    private struct Builder {
        var states: [State] = []

        mutating func add(_ state: State) throws(PatternError) -> Int {
            guard states.count < TimelineLimits.patternStates else {
                throw PatternError(
                    "grows beyond \(TimelineLimits.patternStates) states", at: 0, fix: "use smaller repeats")
            }
            states.append(state)
            return states.count - 1
        }

        /// Where `node` begins when `next` follows it.
        mutating func build(_ node: PatternNode, next: Int) throws(PatternError) -> Int {
            switch node {
            case .empty: return next
            case .set(let ranges): return try add(.set(ByteSet(ranges), next: next))
            case .start: return try add(.start(next: next))
            case .end: return try add(.end(next: next))
            case .sequence(let nodes):
                var next = next
                for node in nodes.reversed() { next = try build(node, next: next) }
                return next
            case .choice(let nodes):
                var start = try build(nodes[nodes.count - 1], next: next)
                for node in nodes.dropLast().reversed() {
                    start = try add(.split(try build(node, next: next), start))
                }
                return start
            case .repeated(let node, let least, let most): return try repeated(node, least, most, next)
            }
        }

        private mutating func repeated(
            _ node: PatternNode, _ least: Int, _ most: Int?, _ next: Int
        ) throws(PatternError) -> Int {
            var start = next
            if let most {
                for _ in least..<most { start = try add(.split(try build(node, next: start), next)) }
            } else {
                let loop = try add(.jump(next))
                let body = try build(node, next: loop)
                states[loop] = .split(body, next)
                start = loop
            }
            for _ in 0..<least { start = try build(node, next: start) }
            return start
        }
    }
}

/// What a regular expression is made of.
indirect enum PatternNode {
    case empty
    case set([ClosedRange<UInt8>])
    case start
    case end
    case sequence([PatternNode])
    case choice([PatternNode])
    case repeated(PatternNode, least: Int, most: Int?)
}

/// Why a regular expression is refused.
struct PatternError: Error, Equatable {
    /// Continues "the regular expression ".
    var reason: String
    /// The character, from 0.
    var offset: Int
    var fix: String

    init(_ reason: String, at offset: Int, fix: String) {
        self.reason = reason
        self.offset = offset
        self.fix = fix
    }
}
