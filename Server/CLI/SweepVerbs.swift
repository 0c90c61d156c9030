import Clocks
import FixtureTools
import MockKit
import Texts

/// Parsed command line of `polymock sweep`, `replay`, `record` or `compare`.
enum SweepVerb: Equatable {
    case sweep([Sweep], junit: String?)
    case replay(Replay)
    case serve(TalkServer)
    case record(RunRecorder)
    case compare(TalkCheck, junit: String?)

    static let commands = [
        Command(
            "sweep", "cut the connection after every event; nothing may be lost", takesTimeLimit: true,
            help: Help.sweep
        ) { given throws(Misuse) in .sweeping(try sweep(given.words)) },
        Command(
            "replay", "play a scenario, or serve a recording",
            takesTimeLimit: true,
            help: Help.replay
        ) { given throws(Misuse) in .sweeping(try replay(given.words)) },
        Command(
            "record", "make a fixture of a recording",
            takesTimeLimit: true,
            help: Help.record
        ) { given throws(Misuse) in .sweeping(try record(given.words, given.limit)) },
        Command(
            "compare", "where a mock differs from a recording", takesTimeLimit: true,
            help: Help.compare
        ) { given throws(Misuse) in .sweeping(try compare(given.words)) },
    ]

    func run() async -> Int32 {
        switch self {
        case .sweep(let sweeps, let junit):
            var code: Int32 = 0
            var report = JUnitReport("sweep")
            for sweep in sweeps {
                let answer = await Self.answer { try await sweep.run().answer }
                Console.show(answer)
                report.add(sweep.fixture, answer)
                code = max(code, answer.code)
            }
            guard let fault = junit.flatMap({ report.write(to: $0) }) else { return code }
            return await Self.show { .misuse(fault) }
        case .replay(let replay): return await Self.show { try await replay.run() }
        case .serve(let server): return await Self.show { try await server.run() }
        case .compare(let check, let junit):
            if let token = check.token { Console.hideArgument(token) }
            return await Self.show { try await check.run().reported("compare", check.file, in: junit) }
        case .record(let recorder):
            for secret in recorder.secrets { Console.hideArgument(secret) }
            return await Self.show { await recorder.run() }
        }
    }

    private static func show(_ body: () async throws -> ToolAnswer) async -> Int32 {
        let answer = await answer(body)
        Console.show(answer)
        return answer.code
    }

    private static func answer(_ body: () async throws -> ToolAnswer) async -> ToolAnswer {
        do { return try await body() } catch { return .misuse("\(error)") }
    }

    // MARK: - Words

    private static func sweep(_ words: ArraySlice<String>) throws(Misuse) -> SweepVerb {
        let flags = try FlagReader(
            words, verb: "sweep", switches: ["--connect", "--pairs"],
            valued: [
                "--example", "--lines", "--say", "--streaming", "--seed", "--fixtures", "--junit",
            ] + faultFlags)
        let folder = try flags.fixturesFolder()
        let names = flags.rest.isEmpty ? FixtureSource.names(in: folder) : flags.rest
        if flags.rest.count != 1, !flags.values.isEmpty, flags.values.keys.contains(where: isAboutOne) {
            throw Misuse(sentence: "--example, --lines, --say and the faults take one fixture, by name")
        }
        if flags.values["--example"] != nil, flags.values["--say"] != nil {
            throw Misuse(sentence: "--say takes the place of --example; choose one")
        }
        var cuts: [Interruption] = []
        for kind in Interruption.Kind.allCases {
            for value in flags.all["--\(kind.rawValue)"] ?? [] {
                guard kind.isForContacts || !flags.set.contains("--connect") else {
                    throw Misuse(
                        sentence: "--\(kind.rawValue) is for the Messaging API; contacts have no sequences")
                }
                cuts.append(Interruption(at: try whole(value, "--\(kind.rawValue)", from: 1) ?? 1, kind))
            }
        }
        var sweeps: [Sweep] = []
        for name in names {
            var sweep = Sweep(name)
            sweep.fixturesFolder = folder
            sweep.example = flags.values["--example"]
            sweep.lineCount = try whole(flags.values["--lines"], "--lines", from: 0)
            sweep.says = flags.all["--say"]
            sweep.client = flags.set.contains("--connect") ? .connect : .messaging
            sweep.withPairs = flags.set.contains("--pairs")
            sweep.streaming = try choice(flags, Sweep.Streaming.self, "--streaming") ?? .both
            sweep.seed = try whole(flags.values["--seed"], "--seed", from: 0) ?? sweep.seed
            sweep.cuts = cuts.sorted()
            sweeps.append(sweep)
        }
        return .sweep(sweeps, junit: flags.values["--junit"])
    }

    private static func isAboutOne(_ flag: String) -> Bool {
        ["--example", "--lines", "--say"].contains(flag) || faultFlags.contains(flag)
    }

    private static let faultFlags = Interruption.Kind.allCases.map { "--\($0.rawValue)" }

    private static func replay(_ words: ArraySlice<String>) throws(Misuse) -> SweepVerb {
        let flags = try FlagReader(
            words, verb: "replay", switches: ["--json"],
            valued: ["--say", "--example", "--until", "--streaming", "--fixtures", "--port", "--session"])
        let what = try flags.only(
            "\"polymock replay\" takes a scenario such as 'mock:booking@seed=7', or a recorded file")
        if what.hasSuffix(".jsonl") || what.hasSuffix(".har") { return try serve(what, flags) }
        try flags.without(
            ["--port", "--session"], "is for recorded files, whose names end with .jsonl or .har")
        if flags.values["--example"] != nil, flags.values["--say"] != nil {
            throw Misuse(sentence: "--say takes the place of --example; choose one")
        }
        var replay = Replay(what)
        replay.fixturesFolder = try flags.fixturesFolder()
        replay.says = flags.all["--say"]
        replay.example = flags.values["--example"]
        replay.until = try whole(flags.values["--until"], "--until", from: 1)
        replay.isJSON = flags.set.contains("--json")
        switch try choice(flags, Sweep.Streaming.self, "--streaming") {
        case .off: replay.isStreaming = false
        case .on, nil: break
        case .both: throw Misuse(sentence: "--streaming is on or off here; one talk is played")
        }
        return .replay(replay)
    }

    private static func serve(_ file: String, _ flags: FlagReader) throws(Misuse) -> SweepVerb {
        try flags.without(
            ["--say", "--example", "--until", "--streaming", "--fixtures", "--json"],
            "is for scenarios; a recorded file takes --port and --session")
        var server = TalkServer(file: file)
        if let port = flags.values["--port"] {
            guard let number = UInt16(port) else {
                throw Misuse(sentence: "--port \(port) is not a port; use 0 to 65535")
            }
            server.port = number
        }
        server.session = flags.values["--session"]
        return .serve(server)
    }

    private static func compare(_ words: ArraySlice<String>) throws(Misuse) -> SweepVerb {
        let flags = try FlagReader(
            words, verb: "compare", switches: ["--json"],
            valued: ["--session", "--against", "--yes-i-own", "--token", "--junit"])
        var check = TalkCheck(
            try flags.only("\"polymock compare\" takes one recorded file, such as talk.har"))
        check.session = flags.values["--session"]
        check.isJSON = flags.set.contains("--json")
        (check.address, check.ownHost) = (flags.values["--against"], flags.values["--yes-i-own"])
        check.token = flags.values["--token"]
        if check.address == nil {
            try flags.without(["--yes-i-own", "--token"], "goes with --against and the address of a server")
        }
        return .compare(check, junit: flags.values["--junit"])
    }

    private static func record(
        _ words: ArraySlice<String>, _ timeout: Interval?
    ) throws(Misuse) -> SweepVerb {
        let flags = try FlagReader(
            words, verb: "record", switches: ["--lines", "--exact", "--cuts"],
            valued: ["--say", "--name", "--header", "--body", "--session"])
        let what = try flags.only(
            "\"polymock record\" takes one recording: a file, - for standard input, or the address "
                + "of an agent such as http://127.0.0.1:8787/ag-ui/weather")
        let isAgent = what.contains("://")
        var recorder = RunRecorder(isAgent ? .agent(what) : what == "-" ? .standardInput : .file(what))
        if !isAgent {
            try flags.without(
                ["--header", "--body"], "is for agents that are asked; a recording has been sent already")
        }
        if flags.values["--body"] != nil, flags.values["--say"] != nil {
            throw Misuse(sentence: "--body takes the place of --say; choose one")
        }
        recorder.timeout = timeout
        recorder.says = flags.values["--say"]
        recorder.name = flags.values["--name"]
        recorder.fields = flags.all["--header"] ?? []
        recorder.body = flags.values["--body"]
        recorder.session = flags.values["--session"]
        recorder.keepsCuts = flags.set.contains("--cuts")
        recorder.isLines = flags.set.contains("--lines")
        recorder.isExact = flags.set.contains("--exact")
        return .record(recorder)
    }

    private static func whole<Number: FixedWidthInteger>(
        _ text: String?, _ flag: String, from least: Number
    ) throws(Misuse) -> Number? {
        guard let text else { return nil }
        guard let number = Number(text), number >= least else {
            throw Misuse(sentence: "\(flag) \(text) is not a whole number from \(least)")
        }
        return number
    }

    private static func choice<Choice: CaseIterable & RawRepresentable>(
        _ flags: FlagReader, _: Choice.Type, _ flag: String
    ) throws(Misuse) -> Choice? where Choice.RawValue == String {
        guard let text = flags.values[flag] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Misuse(sentence: "\(flag) \(text) is not understood; there are \(all)")
        }
        return choice
    }
}
