import Clocks
import Patterns
import PolyMessaging
import SocketTransport
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Command `polymock chat`, a terminal client that uses the SDKs.
package enum TerminalChat {
    package struct Outcome: Equatable, Sendable {
        package var code: Int32
        package var sessions: [String]

        package init(code: Int32, sessions: [String] = []) {
            self.code = code
            self.sessions = sessions
        }
    }

    /// Returns whether the server's script has more messages for a session.
    package typealias RestQuestion = @Sendable (_ session: String) async -> Bool

    /// Runs the chat. `news`: lines for the author of the fixtures. `isRestDue`: whether more messages follow, for line
    /// mode.
    package static func run(
        _ options: ChatOptions, news: AsyncStream<String>? = nil, isRestDue: RestQuestion? = nil
    ) async -> Outcome {
        Terminal.hideArgument(options.token)
        Terminal.reportBrokenPipes()
        for step in options.steps {
            if case .expect(let pattern) = step, let problem = problem(of: pattern) { return misuse(problem) }
            if case .file(let path) = step, path != "-", !canRead(path) {
                return misuse("--file \(path) cannot be read")
            }
        }
        guard let address = try? ServerAddress(options.url, needsScheme: false),
            let environment = address.environment
        else { return misuse("--url is no address") }
        let surroundings = Surroundings(options)
        if options.connects { return await connect(options, address, surroundings, news, isRestDue) }
        var configuration = Configuration(
            connectorToken: options.token, environment: environment,
            hostIdentifier: options.host ?? address.origin, streamingEnabled: options.streams,
            logLevel: options.verbose ? .info : .none)
        configuration.logsSecrets = false
        var dependencies = Dependencies.standard()
        // Sessions are stored in a file, on macOS too: the keychain would ask for permission after each build.
        dependencies.store = FileSessionStore.usual
        if !(options.resumes ?? surroundings.isFullScreen) {
            if surroundings.isFullScreen {
                _ = dependencies.store.save(nil, StoreNamespace.name(for: options.token))
            } else {
                dependencies.store = MemorySessionStore()
            }
        }
        let client = PolyMessagingClient(configuration, dependencies)
        return await run(
            MessagingService(client), options, address, surroundings, news, isRestDue,
            clock: dependencies.clock)
    }

    private static func connect(
        _ options: ChatOptions, _ address: ServerAddress, _ surroundings: Surroundings,
        _ news: AsyncStream<String>?, _ isRestDue: RestQuestion?
    ) async -> Outcome {
        guard let endpoint = URL(string: address.origin + address.path) else {
            return misuse("--url is no address")
        }
        return await run(
            ContactService(endpoint, flow: options.token, isStreaming: options.streams), options, address,
            surroundings, news, isRestDue, clock: SystemClock())
    }

    private static func run(
        _ service: some ChatService, _ options: ChatOptions, _ address: ServerAddress,
        _ surroundings: Surroundings, _ news: AsyncStream<String>?, _ isRestDue: RestQuestion?,
        clock: any EventClock
    ) async -> Outcome {
        let now = clock.now
        if surroundings.isFullScreen, Terminal.enterRawMode(restoring: ScreenControl.leave) {
            let shell = ChatShell(service: service, clock: clock, farewell: ScreenControl.leave, news: news)
            return await shell.run(ScreenChat(surroundings.setup(options, address), at: now))
        }
        let script = Script(options.steps, lines: lines)
        let shell = ChatShell(service: service, clock: clock, news: news, isRestDue: isRestDue)
        return await shell.run(
            LineChat(
                options, script: script, style: surroundings.style, asks: isRestDue != nil, at: now))
    }

    private static func problem(of pattern: String) -> String? {
        do throws(PatternError) {
            _ = try RegularExpression(pattern, .expectation)
            return nil
        } catch {
            return "--expect takes a regular expression, not \"\(pattern)\": \(error.message)"
        }
    }

    private static func misuse(_ sentence: String) -> Outcome {
        _ = Terminal.write(Array("polymock chat: \(sentence)\n".utf8), to: .standardError)
        return Outcome(code: ExitCode.usage)
    }

    private static func canRead(_ path: String) -> Bool {
        Files.read(path, atMost: TerminalLimits.scriptFile).map { $0.count <= TerminalLimits.scriptFile }
            ?? false
    }

    private static func lines(_ path: String) -> [String] {
        guard path != "-", let bytes = Files.read(path, atMost: TerminalLimits.scriptFile) else { return [] }
        var splitter = LineCutter(limit: TerminalLimits.scriptLine)
        return splitter.add(bytes) + splitter.add([])
    }
}

struct Surroundings {
    var isFullScreen: Bool
    var hasColor: Bool
    var style: LineChat.Style

    init(_ options: ChatOptions) {
        let isDumb = Terminal.environment("TERM") == "dumb"
        let isShown = Terminal.isTerminal(.standardOutput)
        isFullScreen =
            isShown && Terminal.readsTerminal && !isDumb && !options.plain && !options.json
            && !options.isScripted
        hasColor =
            switch options.color {
            case .always: true
            case .never: false
            // A non-empty `NO_COLOR` turns colours off (https://no-color.org).
            case .auto: isShown && !isDumb && (Terminal.environment("NO_COLOR") ?? "").isEmpty
            }
        if options.json {
            style = .json(JSONRenderer(showsChunks: options.progressive ?? false))
        } else {
            style = .text(
                LineRenderer(
                    isForPerson: isShown && Terminal.readsTerminal && !options.isScripted,
                    hasColor: hasColor, isQuiet: options.quiet, isVerbose: options.verbose))
        }
    }

    func setup(_ options: ChatOptions, _ address: ServerAddress) -> ScreenChat.Setup {
        ScreenChat.Setup(
            server: address.origin, hasColor: hasColor, isASCII: options.ascii,
            isProgressive: options.progressive ?? true, isStill: !hasColor || options.hidesProgress,
            width: options.width, endsOnLeaving: options.ends,
            timeOffset: Int64(TimeZone.current.secondsFromGMT()))
    }
}

enum ExitCode {
    static let done: Int32 = 0
    static let usage: Int32 = 2
    static let output: Int32 = 1
    static let connection: Int32 = 1
    static let expectation: Int32 = 3
    static let timeout: Int32 = 4
    static let interrupted: Int32 = 130
}
