package import Clocks
import PolyMessaging
package import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package struct ChatOptions: Equatable, Sendable {
    /// Step of the script. Steps are in the order of their flags.
    package enum Step: Equatable, Sendable {
        case say(String)
        /// Send every line of a file. The name `-` means standard input.
        case file(String)
        case expect(String)
    }

    package enum Until: String, CaseIterable, Sendable {
        case done
        case reply, idle, ended
    }

    package enum Color: String, CaseIterable, Sendable {
        case auto, always, never
    }

    package static let defaultURL = "http://127.0.0.1:8787"
    package static let defaultToken = "demo"

    package var url = defaultURL
    package var token = defaultToken
    package var host: String?
    package var connects = false
    /// Whether to resume the last session. Nil: only the full-screen chat resumes it.
    package var resumes: Bool?
    package var steps: [Step] = []
    package var waits = true
    package var ends = false
    package var until = Until.done
    package var timeout: Interval?
    package var expectTimeout = TerminalLimits.replyPatience
    /// Whether to show replies while they are streamed. Nil: only the full-screen chat does so.
    package var progressive: Bool?
    package var streams = true
    package var json = false
    package var plain = false
    package var color = Color.auto
    package var ascii = false
    package var width: Int?
    package var hidesProgress = false
    package var quiet = false
    /// Whether an unmatched message makes the exit code a failure.
    package var failsOnUnmatched = false
    package var verbose = false

    /// Whether the steps contain messages or files.
    package var isScripted: Bool { steps.contains { if case .expect = $0 { false } else { true } } }

    package var readsInput: Bool { !isScripted || steps.contains(.file("-")) }

    package init() {}

    // MARK: Flags

    private static let setters: [(flag: String, set: @Sendable (inout ChatOptions) -> Void)] = [
        ("--new", { $0.resumes = false }), ("--resume", { $0.resumes = true }),
        ("--no-wait", { $0.waits = false }), ("--end", { $0.ends = true }),
        ("--progressive", { $0.progressive = true }), ("--no-progressive", { $0.progressive = false }),
        ("--stream", { $0.streams = true }), ("--no-stream", { $0.streams = false }),
        ("--json", { $0.json = true }), ("--plain", { $0.plain = true }), ("--ascii", { $0.ascii = true }),
        ("--no-progress", { $0.hidesProgress = true }), ("--quiet", { $0.quiet = true }),
        ("--verbose", { $0.verbose = true }), ("-v", { $0.verbose = true }),
        ("--fail-on-unmatched", { $0.failsOnUnmatched = true }), ("--connect", { $0.connects = true }),
    ]
    static var switches: [String] { setters.map(\.flag) }
    static let valued = [
        "--url", "--token", "--host", "--say", "--file", "--expect", "--expect-timeout", "--until",
        "--timeout", "--color", "--width",
    ]

    /// Parses the arguments `words`. Missing flags are read from `POLYMOCK_URL`, `POLYMOCK_TOKEN` or `POLYMOCK_HOST`.
    package init(
        _ words: some Sequence<String>, environment: (String) -> String? = { _ in nil }
    ) throws(Misuse) {
        func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        url = variable("POLYMOCK_URL") ?? url
        token = variable("POLYMOCK_TOKEN") ?? token
        let given = try FlagReader(
            words, verb: "chat", switches: Self.switches, valued: Self.valued, takesEmpty: true)
        if let word = given.rest.first {
            let isAddress = word.hasPrefix("http://") || word.hasPrefix("https://")
            throw Misuse(
                sentence: "\"\(word)\" is not understood here; "
                    + (isAddress ? "did you mean --url \(word)?" : "to say it: --say \"\(word)\""))
        }
        let names = Set(given.flags.map(\.name))
        if names.isSuperset(of: ["--new", "--resume"]) {
            throw Misuse(sentence: "--new and --resume exclude each other; choose one")
        }
        for flag in given.flags {
            if let value = flag.value { try set(flag.name, to: value) }
            for setter in Self.setters where setter.flag == flag.name { setter.set(&self) }
        }
        try check()
        host = host ?? variable("POLYMOCK_HOST")
    }

    private mutating func set(_ flag: String, to value: String) throws(Misuse) {
        switch flag {
        case "--url": url = value
        case "--token": token = value
        case "--host": host = value
        case "--say": steps.append(.say(value))
        case "--file": steps.append(.file(value))
        case "--expect": steps.append(.expect(value))
        case "--expect-timeout": expectTimeout = try Self.seconds(flag, value)
        case "--timeout": timeout = try Self.seconds(flag, value)
        case "--until": until = try Self.choice(flag, value)
        case "--color": color = try Self.choice(flag, value)
        default:
            guard let columns = Int(value), (20...1_000).contains(columns) else {
                throw Misuse(sentence: "--width takes columns from 20 to 1000, not \"\(value)\"")
            }
            width = columns
        }
    }

    private func check() throws(Misuse) {
        guard (try? ServerAddress(url, needsScheme: false))?.environment != nil else {
            throw Misuse(
                sentence: "--url takes an address such as \(Self.defaultURL), not \"\(url)\"")
        }
        guard token.contains(where: { !$0.isWhitespace }) else {
            throw Misuse(sentence: "the token is empty")
        }
        if connects, let flag = unfitForConnect {
            throw Misuse(sentence: "\(flag) does not go with --connect; leave one of them out")
        }
        let expects = steps.contains { if case .expect = $0 { true } else { false } }
        guard waits || !expects else {
            throw Misuse(
                sentence: "--expect needs the reply that --no-wait does not wait for; use one of them")
        }
    }

    /// The first given flag that cannot be combined with `--connect`.
    private var unfitForConnect: String? {
        if resumes == true { return "--resume" }
        return host != nil ? "--host" : nil
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ flag: String, _ value: String
    ) throws(Misuse) -> Choice {
        if let choice = Choice(rawValue: value) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Misuse(sentence: "\(flag) takes one of \(known), not \"\(value)\"")
    }

    private static func seconds(_ flag: String, _ value: String) throws(Misuse) -> Interval {
        guard let seconds = Double(value), seconds > 0, seconds <= 1_000_000 else {
            throw Misuse(sentence: "\(flag) takes seconds above 0, not \"\(value)\"")
        }
        return Interval(nanoseconds: Int64(seconds * 1_000_000_000))
    }
}

extension ServerAddress {
    var environment: Environment? {
        guard let rest = URL(string: restBase), let socket = URL(string: socketBase) else { return nil }
        return .custom(restBaseURL: rest, wsBaseURL: socket)
    }
}
