/// Former names of renamed terms.
package enum FormerNames {
    package static let verbs = [
        "agent": "takeover", "hold": "intercept", "laws": "violations", "trouble": "fault",
        "walk": "simulate",
    ]

    /// Former subcommands, flags and values of `--as` with their present names, by present verb.
    package static let words = [
        "clock": ["quiet": "until-idle"], "intercept": ["release": "resume"],
        "push": speakers, "simulate": ["--walks": "--users"],
    ]

    package static let segments = [
        "agent": "takeover", "held": "intercepted", "hold": "intercept", "laws": "violations",
        "troubles": "faults",
    ]

    package static let keys = [
        "fault": "unchecked", "person": "liveAgent", "trouble": "fault", "troubles": "faults",
    ]

    package static let settings = [
        "personJoined": "liveAgentJoined", "personLeft": "liveAgentLeft", "personMessage": "liveAgentMessage",
        "personTyping": "liveAgentTyping", "watchesLaws": "checksProtocol",
    ]

    /// Values of `--as` and of the control API's `as` member.
    package static let speakers = ["person": "live-agent"]

    /// Members in bodies of the control API.
    package static let members = [
        "breaches": "violations", "chair": "takeover", "floor": "currentSpeaker", "held": "intercepted",
        "hold": "intercept", "holds": "intercepts", "lastStrike": "lastFired", "law": "protocolRule",
        "laws": "protocolRules", "person": "liveAgent", "profiles": "presets", "quiet": "idle",
        "standard": "default", "strikes": "fired", "told": "sent", "troubles": "faults",
        "untilQuiet": "untilIdle",
    ]

    package static let topics = ["held": "intercepted", "laws": "violations", "troubles": "faults"]

    package static let lines = ["person": "live agent"]

    package static let triggers = ["person joins": "live agent joins"]

    package static let placeholders = ["person.name": "liveAgent.name"]

    package static let findings = [
        "unheard-suggestion": "unmatched-suggestion", "unknown-trouble": "unknown-fault",
    ]

    /// Kinds, states and flags of timeline rows, in imported files and in filters.
    package static let rows = ["held": "intercepted", "law": "violation"]

    package static func former(ofMember name: String) -> String? {
        members.first { $0.value == name }?.key
    }

    /// Returns `"troubles" is called "faults" now.`
    package static func sentence(_ former: String, _ now: String) -> String {
        "\"\(former)\" is called \"\(now)\" now."
    }

    /// Returns the arguments of a command with former names replaced.
    package static func command(_ arguments: [String]) -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") else { return arguments }
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

    /// Replaces a former name in a word after a verb.
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

    /// Replaces former names in a control API path, such as `["_mock", "faults", "3"]`.
    package static func path(_ former: [String]) -> [String] {
        former.indices.map { place in
            let isNamed = place == 1 || place == 3 && former[1] == "sessions"
            return isNamed ? segments[former[place]] ?? former[place] : former[place]
        }
    }
}
