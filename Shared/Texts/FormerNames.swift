/// Renamed terms, in one table. Fixtures with a former name get an error that names the present one;
/// commands, paths and files of rows with former names are accepted. Help and descriptions use only the
/// present names.
package enum FormerNames {
    /// Verbs of the program.
    package static let verbs = [
        "agent": "takeover", "hold": "intercept", "laws": "violations", "trouble": "fault",
        "walk": "simulate",
    ]

    /// Words after a verb: tasks, flags, and values of `--as`.
    package static let words = [
        "clock": ["quiet": "until-idle"], "intercept": ["release": "resume"],
        "push": speakers, "simulate": ["--walks": "--users"],
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
    package static let settings = [
        "personJoined": "liveAgentJoined", "personLeft": "liveAgentLeft", "personMessage": "liveAgentMessage",
        "personTyping": "liveAgentTyping", "watchesLaws": "checksProtocol",
    ]

    /// Values of `--as` and of the control API's `as`.
    package static let speakers = ["person": "live-agent"]

    /// Members of the control API's bodies, and of the answers of routes that are asked for by a former name.
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

    /// Kinds and states of rows, in files and in filters.
    package static let rows = ["held": "intercepted", "law": "violation"]

    /// The former name of a member that is called `name` now.
    package static func former(ofMember name: String) -> String? {
        members.first { $0.value == name }?.key
    }

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
        var isOpen = true
        for word in rest {
            if word == "--" { isOpen = false }
            result.append(isOpen ? renamed(word, known, after: result, isSpeech: verb == "push") : word)
        }
        return result
    }

    /// A word after its verb with the name of now. Arguments can be any text, so only words in known places
    /// are renamed: a flag, the value of `--as`, and the task, which is the first word that belongs to no
    /// flag.
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

    /// The segments of a path of the control API with the names of now: `["_mock", "faults", "3"]`. Ids stay.
    package static func path(_ former: [String]) -> [String] {
        former.indices.map { place in
            let isNamed = place == 1 || place == 3 && former[1] == "sessions"
            return isNamed ? segments[former[place]] ?? former[place] : former[place]
        }
    }
}
