import Clocks
import LoadTest
import Texts

struct LoadOptions: Equatable {
    /// Servers to load. If empty, this command starts a polymock on a free port.
    var targets: [LoadTarget] = []
    var processes = 1
    /// Index of this child process, from 0; nil in the parent.
    var process: Int?
    /// Arguments for child processes. The connector token is passed in an environment variable.
    var wordsForOthers: [String] = []
    /// Fixture whose examples the load plays, unless `says` has the messages.
    var fixture: String?
    var fixturesFolder: String?
    var says: [String]?
    var pace: String?
    var token: String?
    var host: String?
    /// Plan of the load, without talks yet.
    var plan = LoadPlan(talks: [])
    var isJSON = false
    var isQuiet = false

    static let defaultFixture = "booking"

    init(
        _ words: ArraySlice<String>, environment: (String) -> String? = { _ in nil }
    ) throws(Misuse) {
        let flags = try FlagReader(
            words, verb: "load", switches: ["--echo-only", "--json", "--quiet"],
            valued: [
                "--url", "--yes-i-own", "--fixture", "--fixtures", "--pace", "--say", "--sessions", "--rate",
                "--ramp", "--duration", "--messages", "--patience", "--token", "--host", "--seed",
                "--processes",
            ])
        (isJSON, isQuiet) = (flags.set.contains("--json"), flags.set.contains("--quiet"))
        try readTargets(flags)
        try readTalk(flags)
        if !targets.isEmpty {
            token = token ?? environment("POLYMOCK_TOKEN").flatMap { $0.isEmpty ? nil : $0 }
            host = host ?? environment("POLYMOCK_HOST").flatMap { $0.isEmpty ? nil : $0 }
        }
        plan.isEchoEnough = flags.set.contains("--echo-only")
        plan.sessions = try flags.whole("--sessions", in: 1...LoadLimits.sessions) ?? plan.sessions
        plan.messages = try flags.whole("--messages", in: 1...LoadLimits.messages)
        plan.seed = UInt64(try flags.whole("--seed", in: 0...Int.max) ?? 1)
        plan.rate = try Self.rate(flags)
        plan.ramp = try Self.length(flags, "--ramp") ?? plan.ramp
        // With `--messages`, the default duration is the longest allowed.
        let fallback = plan.messages == nil ? LoadPlan(talks: []).duration : LoadLimits.length
        plan.duration = try Self.length(flags, "--duration") ?? fallback
        plan.patience = try Self.length(flags, "--patience") ?? plan.patience
        if plan.ramp > plan.duration {
            throw Misuse(sentence: "--ramp is longer than --duration, of which it is the beginning")
        }
        processes = try flags.whole("--processes", in: 1...LoadLimits.processes) ?? 1
        if processes > 1, let number = environment(Self.variable).flatMap(Int.init),
            (0..<processes).contains(number)
        {
            process = number
        }
        for (name, number) in [("--sessions", plan.sessions), ("--messages", plan.messages ?? .max)]
        where number < shares.count {
            throw Misuse(
                sentence: "\(name) \(number) is too few: \(Counted.text(shares.servers, "server")) and "
                    + "\(Counted.text(processes, "process", plural: "processes")) need \(shares.count)")
        }
        let own = ["--token", "--pace", "--json", "--processes"]
        wordsForOthers =
            flags.flags.filter { !own.contains($0.name) }.flatMap {
                [$0.name] + ($0.value.map { [$0] } ?? [])
            }
            + ["--processes", "\(processes)"] + flags.rest
    }

    static let variable = "POLYMOCK_LOAD_PROCESS"

    var shares: LoadShares { LoadShares(servers: max(1, targets.count), processes: processes) }

    var connectorToken: String {
        if let token { return token }
        guard let fixture else { return targets.isEmpty ? "mock:" + ownFixtureName + paceWord : "demo" }
        return "mock:" + Self.name(of: fixture) + paceWord
    }

    var ownFixture: String { fixture ?? "webchat" }

    private var ownFixtureName: String { Self.name(of: ownFixture) }
    private var paceWord: String { pace.map { "@pace=\($0)" } ?? "" }

    private static func name(of fixture: String) -> String {
        guard fixture.hasSuffix(".json5") else { return fixture }
        return String((fixture.split(separator: "/").last ?? "").dropLast(".json5".count))
    }

    // MARK: - Targets and talk

    private mutating func readTargets(_ flags: FlagReader) throws(Misuse) {
        let addresses = (flags.all["--url"] ?? []) + flags.rest
        let owned = flags.all["--yes-i-own"] ?? []
        guard addresses.count <= LoadLimits.servers else {
            throw Misuse(
                sentence: "\(addresses.count) servers are too many; there may be \(LoadLimits.servers)")
        }
        guard !addresses.isEmpty || owned.isEmpty else {
            throw Misuse(sentence: "--yes-i-own goes with the address of a server")
        }
        for address in addresses {
            let target: LoadTarget
            do throws(LoadTarget.Problem) {
                // The scheme may be left out, as for the other verbs.
                let text = address.contains("://") ? address : "http://" + address
                target = try LoadTarget(text, ownedHosts: owned)
            } catch {
                throw Misuse(sentence: Self.sentence(error, address))
            }
            guard !targets.contains(target) else {
                throw Misuse(sentence: "\(address) is there twice; name each server once")
            }
            targets.append(target)
        }
        #if !canImport(Darwin)
            if targets.contains(where: \.address.isEncrypted) {
                throw Misuse(
                    sentence: "https needs URLSession, which this platform lacks; use http, "
                        + "or a local proxy that encrypts")
            }
        #endif
    }

    private static func sentence(_ problem: LoadTarget.Problem, _ address: String) -> String {
        switch problem {
        case .notAnAddress:
            "\"\(address)\" is no address of a server; use one such as http://127.0.0.1:8787"
        case .hasUser:
            "an address with a user in it is refused, since what is before the @ looks like the host"
        case .notLoopback(let host):
            "\(host) is not this machine; to put load on a server of yours, add --yes-i-own \(host)"
        case .otherHost(let host, let named):
            "--yes-i-own names \(named), but the host of the address is \(host)"
        }
    }

    private mutating func readTalk(_ flags: FlagReader) throws(Misuse) {
        says = flags.all["--say"]
        fixture = flags.values["--fixture"]
        pace = flags.values["--pace"]
        token = flags.values["--token"]
        host = flags.values["--host"]
        fixturesFolder = try flags.fixturesFolder()
        if says?.contains(where: { $0.allSatisfy(\.isWhitespace) }) == true {
            throw Misuse(sentence: "--say takes a text with something in it")
        }
        if !targets.isEmpty, fixture == nil, says == nil {
            throw Misuse(
                sentence:
                    "nothing to say: add --say \"hello\", or --fixture booking for the lines of its examples")
        }
        if token != nil, pace != nil {
            throw Misuse(sentence: "--pace is a part of the token; with --token, write @pace= into it")
        }
        if !targets.isEmpty, fixture == nil, pace != nil {
            throw Misuse(sentence: "--pace goes with --fixture, for a polymock")
        }
        if fixture == nil, says == nil { fixture = Self.defaultFixture }
    }

    // MARK: - Numbers

    private static func rate(_ flags: FlagReader) throws(Misuse) -> Double? {
        guard let text = flags.values["--rate"] else { return nil }
        guard let rate = Double(text), rate.isFinite, rate >= 0.001, rate <= LoadLimits.rate else {
            throw Misuse(sentence: "--rate \(text) is not a number of messages per second, up to 1000000")
        }
        return rate
    }

    private static func length(_ flags: FlagReader, _ name: String) throws(Misuse) -> Interval? {
        guard let text = flags.values[name] else { return nil }
        guard let length = TimeLimit.length(text, needsUnit: true), length <= LoadLimits.length else {
            throw .length(name, text, suchAs: "500ms, 10s or 5m")
        }
        return length
    }
}
