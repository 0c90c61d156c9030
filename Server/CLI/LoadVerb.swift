import Clocks
import ControlClient
import FixtureTools
import Fixtures
import LoadTest
import MockServer
import SocketTransport
import Texts

enum LoadVerb {
    static func run(_ options: LoadOptions) async -> Int32 {
        if let token = options.token { Terminal.hideArgument(token) }
        Terminal.reportBrokenPipes()
        DescriptorLimit.raise()
        if options.process != nil { ProgramCopy.watchStarter { Console.exit(1) } }
        var server: MockServer?
        do {
            var plan = options.plan
            plan.talks = try talks(options)
            var targets = options.targets
            if options.process == nil, let sentence = await clash(targets) {
                throw Misuse(sentence: sentence)
            }
            if targets.isEmpty {
                let started = try await MockServer.start(configuration(options))
                server = started
                targets = [try LoadTarget(started.url)]
            }
            if !options.isQuiet, options.process == nil { announce(plan, targets, options) }
            let parts =
                options.processes > 1 && options.process == nil
                ? try await LoadProcesses(options: options, plan: plan, targets: targets).run()
                : try await finish(LoadParts(options, plan, targets))
            await server?.stop()
            if options.process != nil {
                Console.print(String(decoding: JSONWriter.bytes(LoadProcesses.parcel(parts)), as: UTF8.self))
                return 0
            }
            let report = LoadReport(parts.map { (targets[$0.server].address.origin, $0.summary) })
            print(report, options)
            return report.passes ? 0 : 1
        } catch {
            await server?.stop()
            Console.show("polymock: \((error as? Misuse)?.sentence ?? "\(error)")", to: .error)
            return 2
        }
    }

    /// Returns why the servers cannot be loaded together, or nil.
    static func clash(_ targets: [LoadTarget]) async -> String? {
        guard targets.count > 1 else { return nil }
        let members = await withTaskGroup(of: (Int, MergedAnswer.Member).self) { group in
            for (place, target) in targets.enumerated() {
                group.addTask {
                    let url = target.address.origin
                    let client = try? ControlClient(url: url, token: nil)
                    let health = try? await client?.call(
                        "GET", "health", patience: VerbLimits.healthPatience)
                    return (place, MergedAnswer.Member(url, health?.json))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        return MergedAnswer.clash(members.sorted { $0.key < $1.key }.map(\.value))
    }

    static func talks(_ options: LoadOptions) throws -> [LoadTalk] {
        // A server of `--url` may play a fixture that this machine does not have, so no fixture is read here.
        let hasOwnServer = options.targets.isEmpty
        if let says = options.says, !hasOwnServer || options.pace == nil { return [LoadTalk(saying: says)] }
        let compiled = try FixtureSource.find(options.ownFixture, folder: options.fixturesFolder)
        guard let script = compiled.script else {
            throw Misuse(sentence: "\(compiled.fileName) has errors; \"polymock check\" lists them")
        }
        if let pace = options.pace {
            var line = ScenarioLine(fixture: options.ownFixture)
            line.pace = pace
            do throws(ScenarioProblem) {
                _ = try Scenario(line, playing: script)
            } catch {
                throw Misuse(sentence: error.sentence)
            }
        }
        if let says = options.says { return [LoadTalk(saying: says)] }
        // All sessions share one token, clock and memory.
        let usual = compiled.examples.filter { $0.now == nil && $0.memory.isEmpty }
        let talks = usual.compactMap { UserLines($0, of: script) }
        guard !talks.isEmpty else {
            throw Misuse(
                sentence: "\(compiled.fileName) has no example in which a user is answered; use --say")
        }
        return talks.map { talk in
            LoadTalk(
                opening: .replies(talk.greetings),
                lines: talk.lines.map { LoadLine($0.text, replies: $0.replies, ends: $0.ends) },
                repeats: false)
        }
    }

    static func configuration(_ options: LoadOptions) -> Configuration {
        var configuration = Configuration()
        configuration.fixture = options.ownFixture
        configuration.fixturesFolder = options.fixturesFolder
        configuration.watchesFixtures = false
        configuration.seed = options.plan.seed
        configuration.unmatched = .pass
        // The load needs no pauses of the server.
        configuration.connections.handshakeDelay = .zero
        configuration.connections.firstFrameDelay = .zero
        // Three sockets per session, because creating a session may need three connections.
        configuration.limits.sockets = max(configuration.limits.sockets, 3 * options.plan.sessions)
        return configuration
    }

    /// Runs the load to its end or an interrupt.
    private static func finish(_ parts: LoadParts) async throws -> [LoadParts.Outcome] {
        let watcher = interrupting(of: parts.process, parts.interrupt)
        defer { watcher.cancel() }
        return try await parts.run()
    }

    /// Watches for signals: the first calls `interrupt`, the second calls `leave` and exits.
    static func interrupting(
        of process: Int?, leaving leave: @escaping @Sendable () -> Void = {},
        _ interrupt: @escaping @Sendable () -> Void
    ) -> SignalWatcher {
        let isSecond = Locked(false)
        return SignalWatcher(process == nil ? SignalWatcher.Signal.endings : [.terminate]) { _ in
            let isAgain = isSecond.withLock { flag in
                defer { flag = true }
                return flag
            }
            if isAgain {
                leave()
                Console.exit(130)
            }
            interrupt()
        }
    }

    private static func announce(_ plan: LoadPlan, _ targets: [LoadTarget], _ options: LoadOptions) {
        let whose = options.targets.isEmpty ? ", a polymock of this command" : ""
        let what = options.says == nil ? "the examples of \(options.ownFixture)" : "given lines"
        let who = targets.map(\.address.origin).joined(separator: ", ")
        let how = options.processes > 1 ? ", from \(options.processes) processes" : ""
        Console.show("\(plan.sessions) sessions, \(what), against \(who)\(whose)\(how)", to: .error)
    }

    private static func print(_ report: LoadReport, _ options: LoadOptions) {
        let text =
            options.isJSON
            ? String(decoding: JSONWriter.bytes(report.json), as: UTF8.self)
            : report.lines.joined(separator: "\n")
        Console.show(text)
    }
}

/// Progress output: one overwritten line on a terminal, otherwise a line at intervals.
struct LoadDisplay {
    private let isLive: Bool
    private let isQuiet: Bool

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        isLive = Terminal.isTerminal(.standardError)
    }

    var progress: LoadRun.Progress? {
        if isQuiet { return nil }
        guard isLive else {
            return LoadRun.Progress(every: LoadLimits.loggedProgress) { snapshot in
                Console.show(snapshot.line, to: .error)
            }
        }
        return LoadRun.Progress(every: LoadLimits.liveProgress) { snapshot in
            // Cuts the line to the terminal's width, because a wrapped line could not be overwritten.
            let columns = max(20, (Terminal.size?.columns ?? 80) - 1)
            let line = ForeignText.marked(String(snapshot.line.prefix(columns)))
            // `ESC [ K` erases to the end of the line (ECMA-48 §8.3.41).
            _ = Terminal.write(Array("\r\(line)\u{1B}[K".utf8), to: .standardError)
        }
    }

    func end() {
        if isLive, !isQuiet { _ = Terminal.write(Array("\r\u{1B}[K".utf8), to: .standardError) }
    }
}
