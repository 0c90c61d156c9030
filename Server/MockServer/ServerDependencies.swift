import AGUIDialect
import Clocks
import ConnectDialect
import ConversationEngine
import DialectKit
import PolyDialect
import ServerCore
import SocketTransport

/// What a loop is put together from, checked before anything runs.
struct ServerDependencies: Sendable {
    let configuration: Configuration
    let clock: any SteerableClock
    /// Real time, for people and for what is done away from the loop.
    let wallClock: any EventClock = SystemClock()
    let seed: UInt64
    /// Which server this is, under whatever address it is reached: drawn at each start.
    let instance: String
    /// Default memory limits, as shares of the memory that the process may use.
    let shares: MemoryShares
    let dialects: [any Dialect]
    let fixtures: FixtureStore
    let engineOptions: EngineOptions
    /// Signs what the server hands out.
    let key: SigningKey

    init(_ configuration: Configuration) throws(ServerError) {
        try configuration.check()
        self.configuration = configuration
        shares = MemoryShares(memory: MemoryLimit.bytes)
        clock = configuration.clock ?? DrivenClock(SystemClock())
        var system = SystemRandomNumberGenerator()
        // At most 53 bits, so that the seed survives JSON readers that know only doubles.
        seed = configuration.seed ?? system.next() >> 32
        let drawn = String(system.next() as UInt64, radix: 16)
        instance = String(repeating: "0", count: 16 - drawn.count) + drawn
        // Secrets do not come from the seed: a seed is printed.
        let key = SigningKey(
            try configuration.signingBytes()
                ?? (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &system) })
        self.key = key
        var connect = configuration.connect
        connect.shard = configuration.shard
        var parts = try configuration.parts()
        dialects =
            [PolyDialect(options: parts.poly, key: key)]
            + (configuration.connect.isOn
                ? [ConnectDialect(options: connect, key: key.derived(for: "contacts"))] : [])
            + (configuration.agentRuns.isOn ? [AGUIDialect(options: parts.runs)] : [])
            + configuration.furtherDialects.map { $0(key) }
        fixtures = try FixtureStore(configuration, dialects: dialects)
        parts.engine.transientRawTypes = dialects.reduce(into: []) { $0.formUnion($1.transientTypes) }
        engineOptions = parts.engine
    }
}
