/// Parser of a verb's arguments, which separates flags from other arguments.
package struct FlagReader: Sendable {
    package struct Flag: Equatable, Sendable {
        package var name: String
        /// Value of the flag; nil for a switch.
        package var value: String?
    }

    package private(set) var flags: [Flag] = []
    package private(set) var rest: [String] = []
    /// Names of the given switches.
    package private(set) var set: Set<String> = []
    /// Last value of each flag.
    package private(set) var values: [String: String] = [:]
    /// Values of each flag in order, for flags that may be repeated.
    package private(set) var all: [String: [String]] = [:]

    /// - Parameters:
    ///   - words: the arguments, such as `--port`, `80` or `--port=80`.
    ///   - verb: the verb whose help the error messages mention; nil for `serve`, which may be left out.
    ///   - switches: flags without a value.
    ///   - valued: flags with a value.
    ///   - takesEmpty: whether a value may be empty.
    /// - Throws: ``Misuse`` for an unknown flag, a missing value or an unexpected value.
    package init(
        _ words: some Sequence<String>, verb: String?, switches: [String], valued: [String] = [],
        takesEmpty: Bool = false
    ) throws(Misuse) {
        let help = verb.map { "polymock help \($0)" } ?? "polymock help serve"
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                // All words after "--" are ordinary arguments, such as a message that begins with a hyphen.
                rest += words
                break
            }
            // A negative number is no flag.
            guard word.hasPrefix("-"), word != "-", word.dropFirst().first?.isNumber != true else {
                rest.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            if switches.contains(flag) {
                guard parts.count == 1 else { throw Misuse(sentence: "\(flag) takes no value") }
                set.insert(flag)
                flags.append(Flag(name: flag))
            } else if valued.contains(flag) {
                let given = parts.count == 2 ? String(parts[1]) : words.popFirst()
                guard let given, takesEmpty || !given.isEmpty else {
                    throw Misuse(sentence: "\(flag) needs a value; \"\(help)\" shows an example")
                }
                values[flag] = given
                all[flag, default: []].append(given)
                flags.append(Flag(name: flag, value: given))
            } else {
                let known = switches + valued + ["--help"] + (verb == nil ? ["--version"] : [])
                // `-p` probably means `--port`.
                let short = flag.count == 2 ? known.first { $0.hasPrefix("-" + flag) } : nil
                if flag == "--fixture", let verb, known.contains("--fixtures") {
                    throw Misuse(sentence: "a fixture is named without a flag: polymock \(verb) booking")
                }
                if let meant = short ?? NearestName.suggestion(for: flag, among: known) {
                    throw Misuse(sentence: "there is no flag \(flag); did you mean \(meant)?")
                }
                let place = verb.map { "\"polymock \($0)\" has" } ?? "there is"
                throw Misuse(sentence: "\(place) no flag \(flag); \"\(help)\" lists them")
            }
        }
    }

    /// Returns the number given with a flag, which must be in `range`; nil without the flag.
    package func whole(_ name: String, in range: ClosedRange<Int>) throws(Misuse) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Misuse(
                sentence:
                    "\(name) \(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

package struct Misuse: Error, Equatable, Sendable {
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}
