import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import Testing

@testable import PolyMessaging

/// Answers requests at once and keeps them; its connections never open.
private final class Counter: WebTransport {
    private let kept = Locked<[HTTPClient.Request]>([])
    var calls: [HTTPClient.Request] { kept.withLock { $0 } }
    /// The bodies of the session calls.
    var sessionBodies: [String] {
        calls.filter { $0.target.hasSuffix("/sessions") }.map {
            String(decoding: $0.body, as: UTF8.self)
        }
    }

    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        guard request.webSocket == nil else { return NoExchange() }
        kept.withLock { $0.append(request) }
        let body =
            request.target.hasSuffix("/sessions")
            ? #"{"session_id":"s-1"}"# : #"{"access_token":"e30.e30.s","expires_in":3600}"#
        report(.answered(HTTPClient.Answer(status: 200, body: Array(body.utf8))))
        return NoExchange()
    }
}

struct SilentLogger: PolyLogger {
    func debug(_ message: String, metadata: [String: any Sendable]?) {}
    func info(_ message: String, metadata: [String: any Sendable]?) {}
    func warn(_ message: String, metadata: [String: any Sendable]?) {}
    func error(_ message: String, metadata: [String: any Sendable]?) {}
}

@Suite("The way in, without a network")
struct EntryTests {
    private let counter = Counter()
    private let clock = VirtualClock()
    private let store = MemorySessionStore()

    private var dependencies: Dependencies {
        Dependencies(
            clock: clock, http: counter, store: store, seed: 1, logger: SilentLogger())
    }

    @Test("CFG-1 `configure` returns a client that carries the token")
    func configure() async throws {
        let client = try PolyMessaging.$taskDependencies.withValue(dependencies) {
            try PolyMessaging.configure(Configuration(connectorToken: "facade", environment: .us))
        }
        #expect(client.config.connectorToken == "facade" && client.config.apiKey == "facade")
        await client.shutdown()
    }

    @Test(
        "`configure` makes a client and nothing else: the calls that follow use what `initialize` was given")
    func configureInitializesNothing() async throws {
        let first = Configuration(apiKey: "first")
        try await PolyMessaging.$taskConfiguration.withValue(first) {
            try await PolyMessaging.$taskDependencies.withValue(dependencies) {
                let client = try PolyMessaging.configure(Configuration(apiKey: "second"))
                let logging = try PolyMessaging.configure(
                    Configuration(apiKey: "third"), logger: SilentLogger())
                expectEqual(PolyMessaging.initialized, first)
                await client.shutdown()
                await logging.shutdown()
            }
        }
        await #expect(processExitsWith: .success) {
            PolyMessaging.initialize(Configuration(apiKey: "first"))
            _ = try PolyMessaging.configure(
                Configuration(
                    apiKey: "second",
                    environment: .custom(
                        restBaseURL: try #require(URL(string: "https://mock.test")),
                        wsBaseURL: try #require(URL(string: "wss://mock.test")))))
            expectEqual(PolyMessaging.initialized?.apiKey, "first")
        }
    }

    @Test("CFG-2 `configure` throws for an empty token and a cluster that is none; nothing is sent")
    func configureThrows() {
        PolyMessaging.$taskDependencies.withValue(dependencies) {
            for config in [
                Configuration(connectorToken: "", environment: .us), Configuration(apiKey: " \n"),
                Configuration(apiKey: "T", environment: .cluster("No Cluster")),
            ] {
                do {
                    try PolyMessaging.configure(config)
                    Issue.record("nothing was thrown")
                } catch PolyError.invalidConfiguration(let text) {
                    #expect(!text.isEmpty)
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        #expect(counter.calls.isEmpty)
    }

    @Test("CFG-9 Before `initialize` nothing can be resumed, and `chat()` says which call is missing")
    func beforeInitialize() async throws {
        await #expect(processExitsWith: .success) {
            expectEqual(PolyMessaging.initialized, nil)
            #expect(!PolyMessaging.hasResumableSession())
            PolyMessaging.clearResumableSession()
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = await PolyMessaging.chat()
        }
        let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(said.contains("PolyMessaging.initialize(_:) before chat()"))
    }

    @Test("A stored session can be resumed until it is cleared, by every spelling")
    func resumable() {
        let record = StoredSession(
            sessionID: "s-1", accessToken: "e30.e30.s", tokenIssuedAt: clock.now,
            tokenExpiresAt: clock.now + .hours(1), lastActivity: clock.now)
        PolyMessaging.$taskDependencies.withValue(dependencies) {
            PolyMessaging.$taskConfiguration.withValue(Configuration(apiKey: "T")) {
                #expect(!PolyMessaging.hasResumableSession())
                for clear in [
                    { PolyMessaging.clearResumableSession() },
                    { PolyMessaging.clearResumableSession(connectorToken: "T") },
                    { PolyMessaging.clearResumableSession(apiKey: "T") },
                ] {
                    _ = store.save(record, StoreNamespace.name(for: "T"))
                    #expect(PolyMessaging.hasResumableSession())
                    #expect(PolyMessaging.hasResumableSession(apiKey: "T"))
                    #expect(PolyMessaging.hasResumableSession(connectorToken: "T"))
                    #expect(!PolyMessaging.hasResumableSession(apiKey: "U"))
                    clear()
                    #expect(!PolyMessaging.hasResumableSession())
                }
            }
        }
    }

    @MainActor
    @Test("What a chat was asked about streaming is what the server is asked")
    func streamingPerChat() async throws {
        for (asked, expected) in [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)] {
            let config = Configuration(apiKey: "T\(asked as Any)", environment: .us)
            let before = counter.sessionBodies.count
            let chat = PolyMessaging.$taskDependencies.withValue(dependencies) {
                PolyMessaging.start(config, streamingEnabled: asked)
            }
            // Each answer is one more thing for the client to deal with.
            for _ in 0..<4 { await chat.client.driver.settle() }
            expectEqual(chat.client.config.streamingEnabled, expected)
            let body = try #require(counter.sessionBodies.dropFirst(before).first)
            #expect(body.contains(#""streaming_enabled":\#(expected)"#), "\(body)")
            await chat.client.shutdown()
        }
    }

    @Test("SESS-186 Both calls carry what the server wants to know of app and user")
    func headers() async throws {
        let client = PolyMessagingClient(
            Configuration(apiKey: "T", hostIdentifier: "com.example"), dependencies)
        for _ in 0..<4 { await client.driver.settle() }
        expectEqual(counter.calls.map { $0.target.split(separator: "/").last }, ["access-token", "sessions"])
        expectEqual(counter.calls.first?.headers["X-Token"], "T")
        expectEqual(counter.calls.first?.headers["X-Host"], "com.example")
        expectEqual(counter.calls.last?.headers["Authorization"], "Bearer e30.e30.s")
        let body = try #require(counter.sessionBodies.first)
        #expect(body.contains(#""platform":"ios""#) && body.contains(#""device_type":"desktop""#))
        await client.shutdown()
    }
}
