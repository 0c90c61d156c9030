import Clocks
import Matching
import ServerCore
package import SocketTransport

/// A mock messaging server in this process.
///
/// ```swift
/// let server = try await MockServer.start()      // port 0: any free one
/// // point the SDK at server.url + "/api/v1" and server.webSocketURL
/// await server.stop()
/// ```
///
/// Servers share no state, so a test can start any number of them in parallel.
public final class MockServer: Sendable {
    /// The port that the server listens on.
    public let port: UInt16
    /// The configuration passed to ``start(_:)``.
    public let configuration: Configuration
    /// The seed in use. With the same seed and the same client behaviour, conversations are the same.
    public let seed: UInt64

    let loop: Loop<ServerLoop>
    private let watch: FixtureWatch?

    private init(
        configuration: Configuration, port: UInt16, seed: UInt64, loop: Loop<ServerLoop>, watch: FixtureWatch?
    ) {
        self.watch = watch
        self.configuration = configuration
        self.port = port
        self.seed = seed
        self.loop = loop
    }

    /// The base of all URLs, such as `http://127.0.0.1:8787`. No slash at the end.
    public var url: String { "http://\(authority)" }
    /// The URL for WebSockets, such as `ws://127.0.0.1:8787/ws`.
    public var webSocketURL: String { "ws://\(authority)/ws" }

    private var authority: String {
        switch configuration.host {
        case "0.0.0.0": "127.0.0.1:\(port)"
        case "::", "::1": "[::1]:\(port)"
        case let host where host.contains(":"): "[\(host)]:\(port)"
        case let host: "\(host):\(port)"
        }
    }

    /// Starts a server, which is listening when the function returns.
    ///
    /// - Parameter configuration: the server's settings; by default a free port of 127.0.0.1.
    /// - Returns: the running server. Call ``stop()`` when it is no longer needed.
    /// - Throws: ``ServerError`` if the server cannot listen, the fixture is missing or has mistakes, or a setting is
    /// invalid.
    public static func start(_ configuration: Configuration = Configuration()) async throws(ServerError)
        -> MockServer
    {
        let configuration = configuration.withPlainHost
        let parts = try ServerDependencies(configuration)
        let loop = try Loop(label: "polymock") { (_) throws(ServerError) in try ServerLoop(parts) }
        let listening = await loop.run { state in
            state.listen(on: configuration.host, port: configuration.port)
        }
        switch listening {
        case .failure(let error):
            await shutDown(loop)
            throw error
        case .success(let port):
            let queue = loop.queue
            loop.submit { state in
                let timer = parts.clock.makeTimer { [weak loop] in loop?.submit { $0.fire() } }
                state.resume = { [weak loop] body in loop?.submit { body($0) } }
                state.start(timer: timer, on: queue) { [weak loop] in loop?.assumeInside { $0.drain() } }
            }
            let paths = configuration.watchesFixtures ? parts.fixtures.watchedPaths : []
            let watch =
                paths.isEmpty
                ? nil : FixtureWatch(paths) { [weak loop] in loop.map(Self.reloadFixtures) }
            return MockServer(
                configuration: configuration, port: port, seed: parts.seed, loop: loop, watch: watch)
        }
    }

    /// A server without a listening socket, for tools. Its port is 0.
    package static func notListening(_ configuration: Configuration) throws(ServerError) -> MockServer {
        let parts = try ServerDependencies(configuration)
        let loop = try Loop(label: "polymock") { (_) throws(ServerError) in try ServerLoop(parts) }
        return MockServer(configuration: configuration, port: 0, seed: parts.seed, loop: loop, watch: nil)
    }

    /// Closes all connections, WebSockets with code 1001, and frees the port. Returns when all sockets are closed.
    public func stop() async {
        let hasPeers = await loop.run { state in state.beginStop() }
        if hasPeers { await GracefulStop(loop: loop).wait() }
        await watch?.cancel()
        await Self.shutDown(loop)
    }

    /// The newest unmatched messages and requests, one line each with the reason. At least 1,000 are kept. Empty if
    /// ``Configuration/unmatched`` is `pass`.
    public var unmatched: [String] {
        get async {
            await loop.run { state in
                state.server.events.unmatched.items.map { item in
                    let place = item.place.line > 0 ? " \(item.file):\(item.place.line)" : ""
                    let reason = item.report.split(separator: "\n").first.map(String.init) ?? ""
                    return item.kind == .request ? reason : "\(reason)\(place)"
                }
            }
        }
    }

    private static func reloadFixtures(_ loop: Loop<ServerLoop>) {
        let adopt: @Sendable (FixtureStore, [FixtureStore.News]) -> Void = { [weak loop] shelf, news in
            loop?.submit { [weak loop] state in
                let isDue = state.input { $0.reloading.adopt(shelf, news, into: $0) }
                if isDue { loop.map(reloadFixtures) }
            }
        }
        loop.submit { state in
            let server = state.server
            if !server.isStopping { server.reloading.begin(server.fixtures, adopt) }
        }
    }

    private static func shutDown(_ loop: Loop<ServerLoop>) async {
        await withCheckedContinuation { continuation in
            loop.submit { state in state.shutDown { continuation.resume() } }
        }
    }

    /// Runs `body` on the server's loop, then executes its outputs; for tests and tools of this package.
    package func inspect<Result: Sendable>(_ body: @escaping @Sendable (Server) -> Result) async -> Result {
        await loop.run { $0.input(body) }
    }

    /// Runs `body` like ``inspect(_:)``, but blocks the caller's thread meanwhile.
    package func inspectHere<Result: Sendable>(_ body: @Sendable (Server) -> Result) -> Result {
        loop.runHere { $0.input(body) }
    }

    /// Runs everything that is due, without waiting for the timer.
    package func catchUp() async { await loop.run { $0.fire(stays: false) } }

    /// Reads the bytes that have arrived, then returns each connection's traffic. Blocks the caller's thread.
    package func traffic() -> [SocketTraffic] {
        loop.runHere { loop in
            loop.drain(stays: false)
            return loop.sockets.traffic
        }
    }
}

extension MockServer {
    /// The version of this package.
    public static var version: String { "0.1.0" }
}

extension Configuration {
    /// Copy whose host has no brackets: `::1` instead of `[::1]`.
    fileprivate var withPlainHost: Configuration {
        var plain = self
        plain.host = SocketAddress.withoutBrackets(host)
        return plain
    }

    /// Reads settings from a JSON5 file. The file's values replace the current ones.
    ///
    /// - Parameter file: the path of the file.
    /// - Throws: ``ServerError`` if the file cannot be read, or with file, line and column of its first mistake.
    public mutating func apply(file: String) throws(ServerError) {
        try ConfigurationFile.read(file, into: &self)
    }
}
