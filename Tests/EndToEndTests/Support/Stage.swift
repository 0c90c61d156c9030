import Clocks
import Foundation
import HTTPClient
import MockKit
import MockServer
import PolyMessaging
import SocketTransport
import TestSupport

/// A server and any number of clients in one process, on one clock that stands still.
final class Stage: Sendable {
    struct Stuck: Error, CustomStringConvertible {
        var description: String
    }

    let clock = VirtualClock()
    let network: HTTPClient
    let tap: WebTap
    let store = MemorySessionStore()
    let monitor = ManualNetworkMonitor()
    let lifecycle = ManualLifecycleMonitor()
    /// What the SDK had to say.
    let log = Gathering<String>()
    /// What the server had to say.
    let serverLog = Gathering<String>()
    private let configure: @Sendable (inout ServerConfiguration) -> Void
    private let running: Locked<MockServer?>
    private let clients = Locked<[ClientDriver]>([])
    /// How much has happened to each client of another protocol; each has nothing more to do.
    private let others = Locked<[@Sendable () -> Int?]>([])
    private let count = Locked((starts: 0, clients: 0))

    private init(_ configure: @escaping @Sendable (inout ServerConfiguration) -> Void) {
        self.configure = configure
        network = HTTPClient(label: "test.stage", clock: clock, seed: 7, unsentBytes: 4 << 20)
        tap = WebTap(network)
        running = Locked(nil)
    }

    /// Runs `body` with a server that is gone afterwards. Nothing is delayed but by the fixture.
    static func run<Result: Sendable>(
        fixture: String? = nil,
        _ configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Result
    ) async throws -> Result {
        let stage = Stage { configuration in
            configuration.fixtureText = fixture
            configure(&configuration)
        }
        try await stage.startServer()
        do {
            let result = try await body(stage)
            await stage.end()
            return result
        } catch {
            await stage.end()
            throw error
        }
    }

    // MARK: Server

    var server: MockServer {
        get throws {
            guard let server = running.withLock({ $0 }) else { throw Stuck(description: "no server runs") }
            return server
        }
    }

    func startServer(port: UInt16 = 0) async throws {
        // A server with the same seed would make the same sessions again.
        let starts = count.withLock { count in
            count.starts += 1
            return count.starts
        }
        var configuration = ServerConfiguration()
        configuration.clock = clock
        configuration.seed = 42 + UInt64(starts)
        configuration.port = port
        configuration.connections.handshakeDelay = .zero
        configuration.connections.firstFrameDelay = .zero
        configuration.connections.firstLiveEventDelay = .zero
        configuration.log = .text { [serverLog] in serverLog.append($0) }
        configure(&configuration)
        let server = try await MockServer.start(configuration)
        running.withLock { $0 = server }
    }

    /// The server goes away and takes everything it knew with it.
    func stopServer() async throws {
        let server = try server
        // The farewell is over when the clients have answered it, or when time has passed.
        await server.stop()
        running.withLock { $0 = nil }
    }

    // MARK: Clients

    func configuration(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws
        -> ClientConfiguration
    {
        let server = try server
        guard let rest = URL(string: server.url + "/api/v1"), let socket = URL(string: server.webSocketURL)
        else {
            throw Stuck(description: "the server has no address")
        }
        var configuration = ClientConfiguration(
            connectorToken: "connector-token", environment: .custom(restBaseURL: rest, wsBaseURL: socket),
            hostIdentifier: "com.example.app", streamingEnabled: false, logLevel: .debug)
        change(&configuration)
        return configuration
    }

    /// A client that has started. Without a store of its own it shares that of the stage.
    func client(
        store: (any SessionStore)? = nil, tap: WebTap? = nil,
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> PolyMessagingClient {
        let number = count.withLock { count in
            count.clients += 1
            return count.clients
        }
        let dependencies = Dependencies(
            clock: clock, http: tap ?? self.tap, store: store ?? self.store, network: monitor,
            lifecycle: lifecycle, seed: UInt64(number), logger: GatheringLogger(log: log))
        let client = PolyMessagingClient(try configuration(change), dependencies)
        clients.withLock { $0.append(client.driver) }
        return client
    }

    /// A client of another protocol is waited for, too.
    func keep(_ settleHere: @escaping @Sendable () -> Int?) { others.withLock { $0.append(settleHere) } }

    @MainActor
    func chat(
        progressively: Bool = false, store: (any SessionStore)? = nil,
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> ChatSession {
        let client = try client(store: store) { configuration in
            configuration.streamingEnabled = progressively
            change(&configuration)
        }
        return ChatSession(client: client, progressiveStreaming: progressively)
    }

    // MARK: Time

    /// Returns when nothing is under way: what is still to come takes time.
    func settle() async throws {
        let isStill = await Quiescence.reached(
            server: { running.withLock { $0 } }, network: network,
            drivers: { clients.withLock { $0 } },
            others: {
                let counts = others.withLock { $0 }.map { $0() }
                return counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
            })
        if isStill { return }
        throw Stuck(description: "the stage never comes to rest")
    }

    /// Lets time pass, each deadline at its own instant.
    func pass(_ interval: Interval) async throws {
        try await settle()
        let target = clock.now + interval
        while let next = clock.nextDeadline, next <= target {
            clock.advance(to: next)
            try await settle()
        }
        clock.advance(to: target)
        try await settle()
    }

    /// Lets time pass in steps: coarser than deadline by deadline, and faster with many clients.
    func stride(_ interval: Interval, by step: Interval) async throws {
        let target = clock.now + interval
        while clock.now < target {
            clock.advance(to: min(target, clock.now + step))
            try await settle()
        }
    }

    /// Lets time pass, deadline by deadline, until `condition` holds.
    func play(
        _ wanted: String = "something", within interval: Interval = .minutes(10),
        isolation: isolated (any Actor)? = #isolation, until condition: () async -> Bool
    ) async throws {
        let end = clock.now + interval
        while true {
            try await settle()
            if await condition() { return }
            guard let next = clock.nextDeadline, next <= end else {
                throw Stuck(description: "\(wanted) did not come; the log says \(log.all.suffix(12))")
            }
            clock.advance(to: next)
        }
    }

    private func end() async {
        for client in clients.withLock({ $0 }) { client.submit(.shutdown) }
        try? await settle()
        try? await stopServer()
        await network.close()
    }
}

/// Keeps the lines of every level.
struct GatheringLogger: PolyLogger {
    let log: Gathering<String>

    func debug(_ message: String, metadata: [String: any Sendable]?) { log.append("debug: " + message) }
    func info(_ message: String, metadata: [String: any Sendable]?) { log.append("info: " + message) }
    func warn(_ message: String, metadata: [String: any Sendable]?) { log.append("warn: " + message) }
    func error(_ message: String, metadata: [String: any Sendable]?) { log.append("error: " + message) }
}

/// A fixture of one stage. Replies come at once unless `pace` says otherwise.
func fixture(_ rules: String, rest: String = "", pace: String = #"{ think: "0ms", every: "0ms" }"#) -> String
{
    """
    {
      fixture: 1, name: "Test", agent: { name: "Ada", avatar: "https://example.com/ada.png" },
      pace: "p", paces: { p: \(pace) },
      greeting: [ { say: "Welcome.", suggest: ["Hello"] } ],
      stages: { start: [ \(rules) ] },
      otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
      \(rest)
    }
    """
}

extension [ChatMessage] {
    /// What is said, who says it: "me: Hi", "poly: Hello", "live: Hello", "* queueStatus …".
    var lines: [String] {
        map { message in
            switch message {
            case .user(let message):
                "me: \(message.text)\(message.delivery == .sent ? "" : " (\(message.delivery))")"
            case .agent(let message): "\(message.agentKind): \(message.text)"
            case .system(let message): "* \(message.event)"
            }
        }
    }
}
