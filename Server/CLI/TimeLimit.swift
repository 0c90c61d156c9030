import Clocks
import FixtureTools
import SocketTransport
import Texts

/// The flag `--timeout`: time limit of a verb on the real clock.
struct TimeLimit: Equatable {
    static let flag = "--timeout"
    /// Verbs that can have this time limit.
    static let verbs = Command.all.filter(\.takesTimeLimit).map(\.name)
    /// Time after the limit that `record` has to write a fixture from the events so far.
    static let grace = Interval.milliseconds(800)

    var length: Interval
    /// Time after which a `record` that is still saving is ended.
    var patience: Interval { length + Self.grace }

    /// Removes the flag from the arguments. Returns its time limit, if given, and the other arguments.
    static func taken(
        from words: ArraySlice<String>, of verb: String
    ) throws(Misuse) -> (limit: TimeLimit?, rest: ArraySlice<String>) {
        guard verbs.contains(verb) else { return (nil, words) }
        let head = words.prefix { $0 != "--" }
        guard let place = head.lastIndex(where: { $0 == flag || $0.hasPrefix(flag + "=") }) else {
            return (nil, words)
        }
        let isApart = words[place] == flag
        let value = isApart ? words.dropFirst(place - words.startIndex + 1).first : nil
        let text = isApart ? value ?? "" : String(words[place].dropFirst(flag.count + 1))
        let rest = words[..<place] + words[place...].dropFirst(value == nil ? 1 : 2)
        guard let length = length(text) else {
            throw .length(flag, text, suchAs: "3, 500ms, 10s or 5m")
        }
        return (TimeLimit(length: length), rest)
    }

    /// Reads a duration from 1 ms to 24 h. A number without a unit means seconds, but is invalid if `needsUnit`.
    static func length(_ text: String, needsUnit: Bool = false) -> Interval? {
        let units = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3_600e9)] + (needsUnit ? [] : [("", 1e9)])
        for (unit, nanoseconds) in units {
            guard text.hasSuffix(unit), let number = Double(text.dropLast(unit.count)) else { continue }
            let length = number * nanoseconds
            return (1e6...86_400e9).contains(length) ? Interval(nanoseconds: Int64(length)) : nil
        }
        return nil
    }

    /// Runs `work`. At the time limit, calls `expire`, which ends the process.
    func run(
        _ verb: String, clock: any EventClock = SystemClock(), patience: Interval? = nil,
        expire: @escaping @Sendable (String) -> Void = Self.leave, _ work: () async -> Int32
    ) async -> Int32 {
        let length = length
        let timer = clock.makeTimer { expire("polymock \(verb): the time is up after \(length)") }
        timer.arm(at: clock.now + (patience ?? length))
        defer { timer.disarm() }
        return await work()
    }

    @Sendable private static func leave(_ sentence: String) {
        Console.print(sentence, to: .error)
        Console.exit(1)
    }
}

extension Misuse {
    static func length(_ flag: String, _ text: String, suchAs forms: String) -> Misuse {
        Misuse(sentence: "\(flag) takes a length of time such as \(forms), not \"\(text)\"")
    }
}
