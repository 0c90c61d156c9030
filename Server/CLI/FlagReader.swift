import MockServer
import Texts

/// The words behind a verb: flags from a known list, and the rest.
struct FlagReader {
    /// Flags without a value, and those with one.
    let switches: [String]
    let valued: [String]
    private(set) var set: Set<String> = []
    private(set) var values: [String: String] = [:]
    /// Every value of each flag in order, for flags that may be repeated.
    private(set) var all: [String: [String]] = [:]
    private(set) var rest: [String] = []

    init(
        _ words: ArraySlice<String>, verb: String, switches: [String], valued: [String] = []
    ) throws(Misuse) {
        self.switches = switches
        self.valued = valued
        var words = words
        while let word = words.popFirst() {
            if word == "--" {
                // What follows is no flag, such as a message that begins with a hyphen.
                rest += words
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                rest.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            if switches.contains(flag) {
                guard parts.count == 1 else { throw Misuse(sentence: "\(flag) takes no value") }
                set.insert(flag)
            } else if valued.contains(flag) {
                let given = parts.count == 2 ? String(parts[1]) : words.popFirst()
                guard let given, !given.isEmpty else {
                    throw Misuse(
                        sentence: "\(flag) needs a value; \"polymock help \(verb)\" shows an example")
                }
                values[flag] = given
                all[flag, default: []].append(given)
            } else {
                throw unknown(flag, verb)
            }
        }
    }

    private func unknown(_ flag: String, _ verb: String) -> Misuse {
        if let meant = NearestName.suggestion(for: flag, among: switches + valued + ["--help"]) {
            return Misuse(sentence: "there is no flag \(flag); did you mean \(meant)?")
        }
        return Misuse(
            sentence: "\"polymock \(verb)\" has no flag \(flag); \"polymock help \(verb)\" lists them")
    }
}

extension FlagReader {
    /// The number that follows a flag; nil when the flag is not there.
    func whole(_ name: String, in range: ClosedRange<Int>) throws(Misuse) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Misuse(
                sentence:
                    "\(name) \(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
