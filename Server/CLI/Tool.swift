import FixtureTools
import MockServer
import SocketTransport
import TerminalChat

/// The program `polymock`: arguments in, exit code out (0 success, 1 failure, 2 misuse).
enum Tool {
    static func run(_ arguments: [String]) async -> Int32 { await run(Invocation(arguments)) }

    private static func run(_ invocation: Invocation) async -> Int32 {
        switch invocation {
        case .limited(let limit, let verb, let job):
            // `record` gets more time, because it writes a fixture after the limit.
            let patience = verb == "record" ? limit.patience : limit.length
            return await limit.run(verb, patience: patience) { await run(job) }
        case .help:
            Console.print(Help.text)
            return 0
        case .helpAbout(let verb):
            Console.print(Help.text(about: verb) ?? Help.text)
            return 0
        case .fixtures(let verb):
            let answer = verb.run()
            Console.show(answer)
            return answer.code
        case .chat(let options):
            let token = ControlOptions.token(Terminal.environment)
            // Looks for refused fixtures only for a user at a terminal.
            let isWatched = options.readsInput && !options.json && Terminal.isTerminal(.standardOutput)
            let outcome = await TerminalChat.run(
                options, news: isWatched ? RefusedFixtures.lines(url: options.url, token: token) : nil,
                isRestDue: options.isScripted ? ReplyRest.question(url: options.url, token: token) : nil)
            guard options.failsOnUnmatched else { return outcome.code }
            return await UnmatchedVerdict(url: options.url, token: token).code(after: outcome)
        case .control(let verb): return await ControlRun.run(verb)
        case .sweeping(let verb): return await verb.run()
        case .load(let options): return await LoadVerb.run(options)
        case .version:
            Console.print("polymock \(MockServer.version)")
            return 0
        case .completions(let shell):
            Console.print(shell.script)
            return 0
        case .misuse(let sentence):
            Console.show("polymock: \(sentence)", to: .error)
            return 2
        case .serve(let options):
            return await serve(options)
        }
    }

    private static func serve(_ options: ServeOptions) async -> Int32 {
        do throws(ServerError) {
            Console.returnsFreedMemory()
            Console.outlivesItsReaders()
            let configuration = try options.configuration()
            if let token = options.controlToken, token == configuration.control.token {
                Console.hideArgument(token)
            }
            let server = try await MockServer.start(configuration)
            // Prints the first line only after signals are watched: a program that reads this line may send a signal at
            // once.
            await Console.untilInterrupted {
                announce(server, options.log)
                if options.opens { open(server) }
            }
            if options.log == .text { Console.print("stopping", to: .error) }
            let unmatched = server.configuration.unmatched == .fail ? await server.unmatched : []
            await server.stop()
            for line in unmatched { Console.show("unmatched: " + line, to: .error) }
            return unmatched.isEmpty ? 0 : 1
        } catch {
            Console.show("polymock: \(error)", to: .error)
            return 2
        }
    }

    private static func open(_ server: MockServer) {
        let pages = server.configuration.control.isOn ? ["chat", "inspect"] : ["chat"]
        guard !Console.browse(pages.map { "\(server.url)/\($0)" }) else { return }
        Console.print(
            "polymock: --open finds no browser here (\(Console.browsers)); open \(server.url)/chat yourself",
            to: .error)
    }

    private static func inspector(_ server: MockServer) -> String {
        server.configuration.control.isOn ? "   inspector \(server.url)/inspect" : ""
    }

    /// Prints the URL as the first line of standard output.
    private static func announce(_ server: MockServer, _ log: ServeOptions.LogStyle) {
        switch log {
        case .json:
            let shard = server.configuration.shard.map { ",\"shard\":\"\($0)\"" } ?? ""
            Console.announce(
                "{\"event\":\"listening\",\"url\":\"\(server.url)\",\"seed\":\(server.seed)\(shard)}")
        case .quiet:
            Console.announce("polymock listening on \(server.url)")
        case .text:
            Console.announce("polymock listening on \(server.url)")
            Console.print(
                """
                chat \(server.url)/chat\(inspector(server))
                REST \(server.url)/api/v1   WebSocket \(server.webSocketURL)
                fixture \(server.configuration.fixture)   seed \(server.seed)   Ctrl-C stops
                """, to: .error)
            if let shard = server.configuration.shard {
                let digits = shard.digitNames
                Console.print(
                    "shard \(shard.number) of \(shard.count): ids end in \(digits.first) to \(digits.last)",
                    to: .error)
            }
        }
    }
}
