import Clocks
import ConversationEngine
import DialectKit
import PolyDialect
import SocketTransport

/// What a loop is put together from, checked before anything runs.
struct ServerParts: Sendable {
    let configuration: Configuration
    let clock: any SteerableClock
    let seed: UInt64
    let dialects: [any Dialect]
    let fixtures: FixtureShelf
    let engineOptions: EngineOptions
    /// Signs what the server hands out.
    let key: SigningKey

    init(_ configuration: Configuration) throws(ServerError) {
        try configuration.check()
        self.configuration = configuration
        clock = configuration.clock ?? DrivenClock(SystemClock())
        var system = SystemRandomNumberGenerator()
        // At most 53 bits, so that the seed survives JSON readers that know only doubles.
        seed = configuration.seed ?? system.next() >> 32
        fixtures = try FixtureShelf(configuration)
        // Secrets do not come from the seed: a seed is printed.
        let key = SigningKey((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &system) })
        self.key = key
        dialects =
            [PolyDialect(options: configuration.polyOptions, key: key)]
            + configuration.furtherDialects.map { $0(key) }
        engineOptions = try configuration.engineOptions(
            transientRawTypes: dialects.reduce(into: []) { $0.formUnion($1.transientTypes) })
    }
}

/// The dialect's word for it, where the configuration has one of its own.
private typealias KnownConnector = Connector

extension Configuration {
    var polyOptions: PolyOptions {
        var options = PolyOptions()
        if !connectors.isEmpty {
            options.connectors = .listed(
                connectors.map {
                    KnownConnector(
                        token: $0.token, id: $0.id, hosts: $0.hosts, sendsContextID: $0.sendsContextID)
                })
        }
        options.acceptsScenarios = tokens.acceptsScenarios
        options.accessTokenSeconds = tokens.life.seconds
        options.tokenBinding =
            switch tokens.binding {
            case .exactToken: .exactToken
            case .subject: .subject
            case .off: .off
            }
        let rate = rates.rest.map { RateLimit(burst: $0.burst, perSecond: $0.perSecond) }
        options.accessTokenRate = rate
        options.sessionRate = rate
        options.batchPayloadForm = connections.usesNamedPayloadsInBatches ? .oneof : .payload
        options.acceptsVoiceLink = replies.acceptsVoiceLink
        options.honorsGreetingMessage = replies.honorsGreetingMessage
        return options
    }
}
