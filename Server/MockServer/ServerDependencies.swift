import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport

/// The parts of a server, created before it starts.
struct ServerDependencies: Sendable {
    let configuration: Configuration
    let clock: any SteerableClock
    let wallClock: any EventClock = SystemClock()
    let seed: UInt64
    let instance: String
    /// Defaults for memory limits.
    let shares: MemoryShares
    let dialects: [any Dialect]
    let fixtures: FixtureStore
    let engineOptions: EngineOptions
    let key: SigningKey

    init(_ configuration: Configuration) throws(ServerError) {
        try configuration.check()
        self.configuration = configuration
        shares = MemoryShares(memory: MemoryLimit.bytes)
        clock = configuration.clock ?? DrivenClock(SystemClock())
        var system = SystemRandomNumberGenerator()
        // 32 bits: short to type, and exact in JSON readers that store numbers as doubles.
        seed = configuration.seed ?? system.next() >> 32
        let drawn = String(system.next() as UInt64, radix: 16)
        instance = String(repeating: "0", count: 16 - drawn.count) + drawn
        // The key is not derived from the seed, because the seed is printed.
        let key = SigningKey(
            try configuration.signingBytes()
                ?? (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &system) })
        self.key = key
        let site = DialectSite(key: key, shard: configuration.shard)
        dialects = configuration.dialects.compactMap { $0.dialect(site) }
        fixtures = try FixtureStore(configuration, dialects: dialects)
        var options = configuration.engineOptions
        options.transientRawTypes = dialects.reduce(into: []) { $0.formUnion($1.transientTypes) }
        engineOptions = options
    }
}

extension Configuration {
    /// The protocols of a server.
    var dialects: [any DialectOptions] { [poly, connect, agentRuns] + furtherDialects }

    /// Protocols without a property of their own in ``Configuration``.
    static let furtherDialects: [any DialectOptions] = []
}
