/// Former names of terms that were renamed. A fixture with a former name gets an error with the current name. In
/// commands, in API paths and in files of rows, former names are still accepted.
package enum FormerNames {
    /// Verbs of the program.
    package static let verbs = [
        "agent": "takeover", "hold": "intercept", "laws": "violations", "trouble": "fault",
        "walk": "simulate",
    ]

    /// Words that follow a verb: subcommands, flags, and values of `--as`.
    package static let words = [
        "clock": ["quiet": "until-idle"], "intercept": ["release": "resume"],
        "push": speakers, "simulate": ["--walks": "--users"],
    ]

    /// Segments of the control API's paths.
    package static let segments = [
        "agent": "takeover", "held": "intercepted", "hold": "intercept", "laws": "violations",
        "troubles": "faults",
    ]

    /// Names of blocks and steps in fixtures, and of their members.
    package static let keys = [
        "fault": "unchecked", "person": "liveAgent", "trouble": "fault", "troubles": "faults",
    ]

    /// Keys of a settings file.
    package static let settings = [
        "personJoined": "liveAgentJoined", "personLeft": "liveAgentLeft", "personMessage": "liveAgentMessage",
        "personTyping": "liveAgentTyping", "watchesLaws": "checksProtocol",
    ]

    /// Values of `--as` and of the control API's `as` member.
    package static let speakers = ["person": "live-agent"]

    /// Members in bodies of the control API. They also apply to responses, if the path of the request has a former
    /// name.
    package static let members = [
        "breaches": "violations", "chair": "takeover", "floor": "currentSpeaker", "held": "intercepted",
        "hold": "intercept", "holds": "intercepts", "lastStrike": "lastFired", "law": "protocolRule",
        "laws": "protocolRules", "person": "liveAgent", "profiles": "presets", "quiet": "idle",
        "standard": "default", "strikes": "fired", "troubles": "faults", "untilQuiet": "untilIdle",
    ]

    /// Topics of a feed.
    package static let topics = ["held": "intercepted", "laws": "violations", "troubles": "faults"]

    /// Speakers in lines of examples.
    package static let lines = ["person": "live agent"]

    /// Triggers of a fixture's faults.
    package static let triggers = ["person joins": "live agent joins"]

    /// Placeholders in texts of fixtures.
    package static let placeholders = ["person.name": "liveAgent.name"]

    /// Finding codes in comments for the linter.
    package static let findings = [
        "unheard-suggestion": "unmatched-suggestion", "unknown-trouble": "unknown-fault",
    ]

    /// Kinds and states of rows, as files and filters contain them.
    package static let rows = ["held": "intercepted", "law": "violation"]

    /// The former name of the member that is now called `name`.
    package static func former(ofMember name: String) -> String? {
        members.first { $0.value == name }?.key
    }

    /// Returns `"troubles" is called "faults" now.`
    package static func sentence(_ former: String, _ now: String) -> String {
        "\"\(former)\" is called \"\(now)\" now."
    }

    /// Returns the arguments of a command. Former names among them are replaced.
    package static func command(_ arguments: [String]) -> [String] {
        guard let first = arguments.first else { return arguments }
        let rest = arguments.dropFirst()
        if first == "help" { return [first] + command(Array(rest)) }
        let verb = verbs[first] ?? first
        guard let known = words[verb] else { return [verb] + rest }
        var result = [verb]
        var isOpen = true
        for word in rest {
            if word == "--" { isOpen = false }
            result.append(isOpen ? renamed(word, known, after: result, isSpeech: verb == "push") : word)
        }
        return result
    }

    /// Replaces a former name in one word after a verb. Only flags, the value of `--as` and the subcommand are
    /// replaced, because other arguments can be any text. The subcommand is the first word that is neither a flag nor a
    /// flag's value.
    private static func renamed(
        _ word: String, _ known: [String: String], after former: [String], isSpeech: Bool
    ) -> String {
        let name = String(word.prefix { $0 != "=" })
        let value = String(word.dropFirst(name.count + 1))
        if name.hasPrefix("--") {
            if isSpeech, name == "--as", let now = known[value] { return name + "=" + now }
            return (known[name] ?? name) + word.dropFirst(name.count)
        }
        if isSpeech { return former.last == "--as" ? known[word] ?? word : word }
        var isTask = true
        var takesValue = false
        for word in former.dropFirst() {
            if word.hasPrefix("-") {
                takesValue = !word.contains("=") && word != "--json"
            } else {
                isTask = isTask && takesValue
                takesValue = false
            }
        }
        return isTask && !takesValue ? known[word] ?? word : word
    }

    /// Replaces former names in a path of the control API, such as `["_mock", "faults", "3"]`. Ids do not change.
    package static func path(_ former: [String]) -> [String] {
        former.indices.map { place in
            let isNamed = place == 1 || place == 3 && former[1] == "sessions"
            return isNamed ? segments[former[place]] ?? former[place] : former[place]
        }
    }
}
