/// Names that have become others, in one table. Fixtures are answered with the name of now; commands, paths and
/// files of rows with a former name are taken as they were meant. Help and descriptions name the new ones alone.
package enum FormerNames {
    /// Verbs of the program.
    package static let verbs = [
        "agent": "takeover", "hold": "intercept", "laws": "violations", "trouble": "fault",
        "walk": "simulate",
    ]

    /// Words after a verb of now: tasks, flags, and values of `--as`.
    package static let words = [
        "clock": ["quiet": "until-idle"], "intercept": ["release": "resume"],
        "push": ["person": "live-agent"], "simulate": ["--walks": "--users"],
    ]

    /// Segments of the control API's paths: what a list is called, and what is done to a session.
    package static let segments = [
        "agent": "takeover", "held": "intercepted", "hold": "intercept", "laws": "violations",
        "troubles": "faults",
    ]

    /// Names of blocks, steps and their parts in fixtures.
    package static let keys = [
        "fault": "unchecked", "person": "liveAgent", "trouble": "fault", "troubles": "faults",
    ]

    /// Keys of a settings file.
    package static let settings = ["watchesLaws": "checksProtocol"]

    /// Speakers in lines of examples.
    package static let speakers = ["person": "live agent"]

    /// Triggers of a fixture's faults.
    package static let triggers = ["person joins": "live agent joins"]

    /// Placeholders in texts of fixtures.
    package static let placeholders = ["person.name": "liveAgent.name"]

    /// Finding codes in comments for the linter.
    package static let findings = [
        "unheard-suggestion": "unmatched-suggestion", "unknown-trouble": "unknown-fault",
    ]

    /// Kinds and states of rows, in files and in filters.
    package static let rows = ["held": "intercepted", "law": "violation"]

    /// `"troubles" is called "faults" now.`
    package static func sentence(_ former: String, _ now: String) -> String {
        "\"\(former)\" is called \"\(now)\" now."
    }

    /// The words of a command with the names of now.
    package static func command(_ arguments: [String]) -> [String] {
        guard let first = arguments.first else { return arguments }
        let rest = arguments.dropFirst()
        if first == "help" { return [first] + command(Array(rest)) }
        let verb = verbs[first] ?? first
        guard let known = words[verb] else { return [verb] + rest }
        var result = [verb]
        for word in rest {
            let name = word.prefix { $0 != "=" }
            // Anything may be said, so that only what stands where such a word belongs is one.
            let isFlag = name.hasPrefix("--")
            let isPlaced = isFlag || (verb == "push" ? result.last == "--as" : result.count == 1)
            let now = isPlaced ? known[String(name)] : nil
            result.append(now.map { $0 + word.dropFirst(name.count) } ?? word)
        }
        return result
    }

    /// The segments of a path of the control API with the names of now: `["_mock", "faults", "3"]`. Ids stay.
    package static func path(_ former: [String]) -> [String] {
        former.indices.map { place in
            let isNamed = place == 1 || place == 3 && former[1] == "sessions"
            return isNamed ? segments[former[place]] ?? former[place] : former[place]
        }
    }
}
