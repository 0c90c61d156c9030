import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
package import ServerCore
import SocketTransport
import WebSocketCore

/// State machine of the running server. Its input is bytes and time, its output ``ServerOutput`` (decision record
/// 0023).
package final class Server {
    let configuration: Configuration
    let clock: any SteerableClock
    let wallClock: any EventClock
    let seed: UInt64
    let instance: String
    /// Start time by the real clock.
    let startedAt: Instant
    let dialects: [any Dialect]
    /// All routes except those of the control API (``ControlRoute/all``).
    package let routes: RouteTable
    /// The last lookup of a target.
    @exclusivity(unchecked) private var lastTarget: (text: String, destination: RouteTable.Destination)?
    /// Cache of paths without a variable segment and without a query.
    private var destinations: [String: RouteTable.Destination] = [:]
    let pages: WebPages
    @exclusivity(unchecked) var events: EventFanOut
    @exclusivity(unchecked) var fixtures: FixtureStore
    @exclusivity(unchecked) var engine: ConversationEngine
    @exclusivity(unchecked) var outboxes: [DeliveryLog?] = []
    @exclusivity(unchecked) var ledger: MemoryLedger
    let shares: MemoryShares
    @exclusivity(unchecked) var connections: [Connection?] = []
    package var openWebSockets = 0
    var newestSession: SessionHandle?
    private var newestUserAgent = ""
    var buckets = TokenBuckets<BucketName>()
    let proxies: ProxyTrust<SocketAddress>
    var reportedFields: Set<String> = []
    @exclusivity(unchecked) var identities: SeededGenerator
    @exclusivity(unchecked) var tokens = TokenCache()
    var shelf: AttachmentStore
    @exclusivity(unchecked) var faults: FaultRegistry
    @exclusivity(unchecked) var effects: [Effect] = []
    @exclusivity(unchecked) var isExecuting = false
    /// Reused buffer for effects being executed.
    @exclusivity(unchecked) var spare: [Effect] = []
    @exclusivity(unchecked) var nextFirings: [(session: SessionHandle, firing: FiredFault)] = []
    /// Reused buffer for the output of encoders.
    @exclusivity(unchecked) var scratch = EncoderOutput()
    /// Messages that a queue is encoding, by number.
    var making: [UInt64: (MadeMessages, ConnectionID)] = [:]
    var makings: UInt64 = 0
    /// Minimum bytes of a text that connections share without a copy. Such a text must not have spare capacity.
    let sharedBytes: Int
    /// The context of the last message. Reused for the next message, unless something else still refers to it.
    @exclusivity(unchecked) var lastContext: OutboundContext?
    @exclusivity(unchecked) var outputs: [ServerOutput] = []
    /// Short uncompressed frames of ``outputs``. One buffer for all saves an allocation per message.
    @exclusivity(unchecked) var framed: [UInt8] = []
    /// Executes ``outputs`` before the turn ends.
    var sendOutputs: () -> Void = {}
    /// Bytes of ``outputs`` for clients.
    @exclusivity(unchecked) var outputBytes = 0
    /// Connections whose recorded unsent bytes exceed the limit.
    @exclusivity(unchecked) var crowded: [(connection: Connection, isReader: Bool)] = []
    /// Unsent bytes above which a peer reads too slowly.
    let highWaterBytes: Int
    var sockets = SocketCounts()
    var timers = LoopTimers(spacing: .microseconds(ServerLimits.turnSpacingMicroseconds))
    let turnWatch: SlowTurnMonitor
    let deflate: DeflateService?
    var inflation = InflationQueue()
    var limiter: ConnectionLimiter<SocketAddress>
    var connectionCount: UInt32 = 0
    @exclusivity(unchecked) var frames: [WebSocketConnection.Output] = []
    /// Reused buffer for a message that arrives in one frame.
    @exclusivity(unchecked) var room: [UInt8] = []
    private var date = HTTPDate()
    func httpDate(at now: Instant) -> String { date.text(at: now.secondsSince1970) }
    var isStopping = false

    var controls: ControlAPI.State
    let reloading = FixtureReloading()
    /// Changes of fixtures that are not yet sent to feeds.
    var fixtureNews: [FixtureStore.News] = []
    /// 0 until the server listens.
    var port: UInt16 = 0
    /// Whether the clock is being moved.
    @exclusivity(unchecked) var isSteered = false
    /// Whether the server's clock shows real time.
    @exclusivity(unchecked) var isOnWallTime: Bool

    init(_ parts: ServerDependencies) {
        configuration = parts.configuration
        clock = parts.clock
        wallClock = parts.wallClock
        seed = parts.seed
        instance = parts.instance
        startedAt = parts.wallClock.now
        proxies = ProxyTrust(
            parts.configuration.trustedProxies.compactMap { SocketAddress(host: $0, port: 0) })
        dialects = parts.dialects
        routes = RouteTable(parts)
        pages = WebPages(parts.configuration)
        events = EventFanOut(parts)
        fixtures = parts.fixtures
        engine = ConversationEngine(options: parts.engineOptions, seed: parts.seed)
        identities = SeededGenerator(seed: parts.seed).stream("server")
        faults = FaultRegistry(seed: parts.seed)
        shelf = AttachmentStore(
            key: parts.key.derived(for: "links to files"),
            limits: parts.configuration.shelfLimits(parts.shares))
        ledger = parts.configuration.ledger(parts.shares)
        shares = parts.shares
        isOnWallTime = parts.clock.mode == .real
        let socketLimits = parts.configuration.socketLimits(parts.shares)
        (sharedBytes, highWaterBytes) = (socketLimits.sharedPayloadBytes, socketLimits.highWaterBytes)
        turnWatch = SlowTurnMonitor(clock: parts.wallClock) { [log = events.log] in
            log.log(.remarked("slow turn", $0, peer: nil, session: nil), reportsUnmatched: false)
        }
        deflate = parts.configuration.deflateService(parts.shares)
        limiter = ConnectionLimiter(parts.configuration.limits)
        controls = ControlAPI.State(seed: parts.seed)
    }

    var now: Instant { clock.now }

    /// Returns the user agent.
    func userAgent(of head: RequestHead?) -> String? {
        guard let name = head?.headers["User-Agent"], !name.isEmpty else { return nil }
        if name != newestUserAgent { newestUserAgent = Logger.clip(name) }
        return newestUserAgent
    }

    func destination(of target: String) -> RouteTable.Destination {
        if let last = lastTarget, last.text == target { return last.destination }
        let known = destinations[target]
        let destination = known ?? routes.destination(of: target)
        lastTarget = (target, destination)
        if known == nil, destination.isPlainPath {
            if destinations.count >= ServerLimits.keptDestinations { destinations = [:] }
            destinations[target] = destination
        }
        return destination
    }

    // MARK: - Starting

    /// Warns if the life of tokens is too short for clients that renew them before they connect.
    func noteShortTokens() {
        let life = configuration.poly.tokens.life
        guard life <= .seconds(ServerLimits.renewalSeconds), configuration.poly.tokens.binding != .off else {
            return
        }
        remark(
            "note",
            "access tokens live for \(life) (tokens.life, --expires-in): the published SDKs renew them before they "
                + "connect, are refused with 401 and give up; use more than \(ServerLimits.renewalSeconds) seconds, "
                + "or tokens.binding \"off\"")
    }

    /// `address` is the resolved `host`.
    func listens(on host: String, _ address: SocketAddress) {
        if !address.isLoopback, configuration.control.isOn, configuration.control.token == nil {
            remark(
                "warning",
                "anyone who reaches \(host) may steer this server under /_mock/; set a control token "
                    + "(--control-token), or switch the control API off (--no-control)")
        }
        port = address.port
    }

    // MARK: - Connections

    func connection(number: UInt32) -> Connection? { connections.first { $0?.number == number } ?? nil }

    func connection(of id: ConnectionID) -> Connection? {
        let slot = Int(id.rawValue >> 32)
        guard slot < connections.count, let connection = connections[slot],
            connection.id.rawValue == id.rawValue
        else { return nil }
        return connection
    }

    func connection(of socket: SocketID) -> Connection? {
        let slot = Int(socket.slot)
        guard slot < connections.count, let connection = connections[slot], connection.socket == socket else {
            return nil
        }
        return connection
    }

    /// A delay that imitates the real service. Zero while the clock stands still: the delay would never end.
    func entryDelay(_ delay: Interval) -> Interval { clock.isStopped ? .zero : delay }

    /// Returns the delay of a history; zero for an encoder with state.
    func historyDelay(of handle: SessionHandle) -> Interval {
        outbox(of: handle)?.encoder.memory != nil
            ? .zero : entryDelay(configuration.poly.connections.firstFrameDelay)
    }
}

struct SocketCounts {
    var open = 0
    var unsent = 0
    var received: UInt64 = 0
    var sent: UInt64 = 0
}
