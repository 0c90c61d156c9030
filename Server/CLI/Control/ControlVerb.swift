import Clocks
import ControlClient
import Fixtures
import Texts
import Timeline

struct ControlVerb: Equatable {
    enum Job: Equatable {
        case ask(ControlRequest, ControlDisplay)
        /// Calls the server. Fails unless the list `member` of the answer is empty.
        case judge(ControlRequest, ControlDisplay, member: String)
        case followWire(filter: String?, after: UInt64?)
        case followJournal(session: String, after: UInt64)
        case export(ControlRequest, file: String?)
        case importFile(String)
        case sendFixture(FixtureTask, name: String, file: String)
        case takeOver(session: String)
    }

    enum FixtureTask: Equatable {
        /// Adds the fixture to the running server.
        case add
        case check
        /// Saves the fixture in the server's folder. `isForced` overwrites an existing file.
        case save(isForced: Bool)
    }

    /// Verbs that can call several servers and merge their answers.
    static let forSeveral = [
        "sessions", "wire", "violations", "metrics", "clock", "fault", "reset", "health",
    ]

    var options: ControlOptions
    var job: Job
    /// Time to wait for a starting server. Nil makes only one attempt.
    var wait: Interval?

    init(
        _ verb: Verb, _ words: ArraySlice<String>, environment: (String) -> String?
    ) throws(Misuse) {
        let words = try ControlWords(verb, words)
        options = try ControlOptions(words.flags, environment: environment)
        guard options.urls.count == 1 || Self.forSeveral.contains(verb.name) else {
            throw Misuse(
                sentence: "\"polymock \(verb.name)\" takes one --url; several go with "
                    + ControlWords.choice(Self.forSeveral))
        }
        if options.urls.count > 1 { try Self.refuseOwnNames(words) }
        job = try verb.parse(words)
        wait = try Self.wait(words)
    }

    /// Refuses arguments whose meaning differs between servers, such as `last` and row numbers.
    private static func refuseOwnNames(_ words: ControlWords) throws(Misuse) {
        if words.verb == "wire" { return try refuseOwnRows(words) }
        guard words.verb == "fault" else { return }
        if words.rest.first == "remove" {
            throw Misuse(
                sentence: "\"polymock fault remove\" takes one --url: each server counts its own faults")
        }
        if words.value("--session") == "last" {
            throw Misuse(
                sentence: "--session last goes with one --url: each server has a newest session; write its id"
            )
        }
        if words.value("--connection") != nil {
            throw Misuse(
                sentence: "--connection goes with one --url: each server counts its own connections")
        }
    }

    private static func refuseOwnRows(_ words: ControlWords) throws(Misuse) {
        let filter = words.value("--filter").flatMap { try? RowFilter($0) }
        let last =
            words.rest.first == "last"
            ? "\"polymock wire last\"" : filter?.namesLastSession == true ? "session:last" : nil
        if let last {
            throw Misuse(
                sentence: "\(last) goes with one --url: each server has a newest session; write its id")
        }
        if words.value("--after") != nil {
            throw Misuse(sentence: "--after goes with one --url: each server counts its own rows")
        }
    }

    private static func wait(_ words: ControlWords) throws(Misuse) -> Interval? {
        guard let text = words.value("--wait") else { return nil }
        let length = FixtureLoader.interval(try words.length(text, "--wait"))
        guard let length, length <= VerbLimits.healthWait else {
            throw .length("--wait", text, suchAs: "30s, at most 1h")
        }
        return length
    }

    static func json(_ text: String) -> JSONValue? {
        do throws(JSONError) {
            return try JSONReader.read(Array(text.utf8))
        } catch {
            return nil
        }
    }
}

/// The arguments of one verb, with checks that throw ``Misuse``.
struct ControlWords {
    let verb: String
    let flags: FlagReader

    var rest: [String] { flags.rest }

    init(_ verb: Verb, _ words: ArraySlice<String>) throws(Misuse) {
        self.verb = verb.name
        flags = try FlagReader(
            words, verb: verb.name, switches: verb.switches + ControlOptions.switches,
            valued: verb.valued + ControlOptions.valued)
    }

    func has(_ flag: String) -> Bool { flags.set.contains(flag) }
    func value(_ flag: String) -> String? { flags.values[flag] }
    func string(_ flag: String) -> JSONValue? { value(flag).map { .string($0) } }

    func each<Part>(_ flag: String, _ wanted: String, _ read: (String) -> Part?) throws(Misuse) -> [Part] {
        var parts: [Part] = []
        for text in flags.all[flag] ?? [] {
            guard let part = read(text) else {
                throw Misuse(sentence: "\(flag) takes \(wanted), not \"\(text)\"")
            }
            parts.append(part)
        }
        return parts
    }

    func parameters(_ names: String...) -> [ControlRequest.Parameter] {
        names.compactMap { name in value("--" + name).map { .init(name, $0) } }
    }

    func nothing() throws(Misuse) {
        if let word = rest.first {
            throw Misuse(
                sentence: "\"\(word)\" is not understood here; \"polymock help \(verb)\" explains it")
        }
    }

    func alone(_ task: String) throws(Misuse) { _ = try upTo(1, "nothing after \"\(task)\"") }

    func upTo(_ count: Int, _ wanted: String) throws(Misuse) -> [String] {
        guard rest.count <= count else {
            throw Misuse(sentence: "\"polymock \(verb)\" takes \(wanted)")
        }
        return rest
    }

    func exactly(_ count: Int, _ wanted: String) throws(Misuse) -> [String] {
        guard rest.count == count, rest.allSatisfy({ !$0.isEmpty }) else {
            throw Misuse(sentence: "\"polymock \(verb)\" takes \(wanted)")
        }
        return rest
    }

    func session() throws(Misuse) -> String {
        try exactly(1, "one session: an id, the beginning of one, or \"last\" for the newest")[0]
    }

    func atMostOneSession() throws(Misuse) -> String? {
        guard let word = try upTo(1, "one session at most: an id, the beginning of one, or \"last\"").first
        else { return nil }
        guard !word.isEmpty else { return try session() }
        guard !word.contains(":") else {
            throw Misuse(sentence: "a filter stands after its flag: --filter \"\(word)\"")
        }
        return word
    }

    func number(_ flag: String, atLeast least: UInt64 = 0) throws(Misuse) -> UInt64? {
        guard let text = value(flag) else { return nil }
        // JSON integers have 64 bits, with a sign.
        guard let number = UInt64(text), number >= least, number <= UInt64(Int64.max) else {
            let bound = least == 0 ? "" : " from \(least) on"
            throw Misuse(sentence: "\(flag) takes a whole number\(bound), not \"\(text)\"")
        }
        return number
    }

    func oneOf(_ flag: String, _ names: [String]) throws(Misuse) -> String? {
        guard let name = value(flag) else { return nil }
        guard names.contains(name) else {
            throw Misuse(sentence: "\(flag) takes \(Self.choice(names)), not \"\(name)\"")
        }
        return name
    }

    /// Returns the subcommand, by default the first of `names`. `owned`: the flags that only one subcommand takes, by
    /// its name.
    func task(
        _ names: [String], owned: KeyValuePairs<String, [String]> = [:]
    ) throws(Misuse) -> String {
        let task = rest.first ?? names[0]
        guard names.contains(task) else {
            if let meant = NearestName.suggestion(for: task, among: names) {
                throw Misuse(
                    sentence: "there is no \"polymock \(verb) \(task)\"; did you mean \"\(meant)\"?")
            }
            throw Misuse(sentence: "\"polymock \(verb)\" takes \(Self.choice(names)), not \"\(task)\"")
        }
        for (owner, flags) in owned where owner != task {
            try self.flags.without(flags, "goes with \"polymock \(verb) \(owner)\" only")
        }
        return task
    }

    /// Checks the form of a duration.
    func length(_ text: String, _ place: String) throws(Misuse) -> String {
        guard let first = text.utf8.first, first >= 0x30, first <= 0x39, text.last?.isLetter == true else {
            throw .length(place, text, suchAs: "500ms, 10s, 10m or 2h")
        }
        return text
    }

    static func choice(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
