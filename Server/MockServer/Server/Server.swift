import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
package import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// The running server but for its sockets and timers: sessions, their clients, answers of requests, messages for clients,
/// troubles, and what is remembered. It is a machine without sockets: bytes and time in, ``ServerOutput`` out, in one
/// buffer that is used again and again (decision record 0023). Sockets, queues and timers are ``ServerLoop``'s.
///
/// Effects are done in the order in which the engine gave them, at the end of the call that led to them, also those that
/// come up meanwhile: what comes of a request is sent before the request is answered. A client receives the history after
/// its cursor, then what came meanwhile, then what is live.
package final class Server {
    let configuration: Configuration
    let clock: any SteerableClock
    /// Real time, whatever the server's clock shows.
    let wallClock: any EventClock
    let seed: UInt64
    let instance: String
    let startedAt: Instant
    let dialects: [any Dialect]
    /// Every route that is served, those of the control API left out (``ControlRoute/all``).
    package let routes: RouteTable
    /// The target that was looked up last: that of a request is looked up before its body comes, and after it.
    private var lastTarget: (text: String, destination: RouteTable.Destination)?
    /// Destinations of paths with neither a named segment nor a query: most requests ask for one of them.
    private var destinations: [String: RouteTable.Destination] = [:]
    let pages: WebPages
    var chronicle: EventFanOut
    var fixtures: FixtureStore
    var engine: ConversationEngine
    var outboxes: [DeliveryLog?] = []
    /// Bytes held for clients, and the limits on these bytes.
    var ledger: MemoryLedger
    /// Default memory limits.
    let shares: MemoryShares
    /// By the slots of their sockets.
    var connections: [Connection?] = []
    package var openWebSockets = 0
    /// The session that was opened last.
    var newestSession: SessionHandle?
    private var newestUserAgent = ""
    var buckets = TokenBuckets<BucketName>()
    let proxies: ProxyTrust<SocketAddress>
    /// Ignored fields of proxies that the log has named.
    var toldOfFields: Set<String> = []
    var identities: SeededGenerator
    var bearers = TokenCache()
    /// Files of sessions.
    var shelf: AttachmentStore
    var desk: FaultRegistry
    /// Effects of the engine, to be performed.
    var effects: [Effect] = []
    var isPerforming = false
    /// Room for effects being performed.
    var performed: [Effect] = []
    /// Troubles that act on the next entry of their session.
    var nextStrikes: [(session: SessionHandle, strike: Strike)] = []
    /// The reused buffer for the output of encoders.
    var scratch = EncoderOutput()
    /// Messages that are being put together, by number.
    var making: [UInt64: (MadeMessages, ConnectionID)] = [:]
    var makings: UInt64 = 0
    /// Takes the texts that sessions would send; see ``Server/replaceTexts(_:)``.
    var diversion: (@Sendable (_ session: String, _ connection: ConnectionID) -> Void)?
    /// Texts longer than this are kept by senders as they are, and so have no spare room.
    let sharedBytes: Int
    /// Outputs for the loop to perform.
    var outputs: [ServerOutput] = []
    /// Bytes of ``outputs`` for clients.
    var outputBytes = 0
    /// Connections that seem to have no room, to be looked at when the outputs are done.
    var crowded: [(connection: Connection, isReader: Bool)] = []
    /// More than this waits for a peer that reads too slowly.
    let highWaterBytes: Int
    /// Of the sockets, as the loop last noted.
    var sockets = SocketCounts()
    var timers = LoopTimers(spacing: .microseconds(ServerLimits.turnSpacingMicroseconds))
    let turnWatch: SlowTurnMonitor
    /// Nil while nothing is compressed.
    let deflate: DeflateService?
    var inflation = InflationQueue()
    var doorway: ConnectionLimiter<SocketAddress>
    var connectionCount: UInt32 = 0
    /// Room for what a WebSocket has read.
    var frames: [WebSocketConnection.Output] = []
    private var date = HTTPDate()
    var httpDate: String { date.text(at: clock.now.secondsSince1970) }
    var isStopping = false
    /// State of the control API.
    var controls: ControlAPI.State
    let reloading = FixtureReloading()
    /// Changes found in fixture files, for feeds that are served next.
    var fixtureNews: [FixtureStore.News] = []
    /// The port that the server listens on; 0 until it does.
    var port: UInt16 = 0
    /// The clock is being moved, so no client can be expected to have been in time.
    var isSteered = false
    /// The server's clock is real time.
    var isOnWallTime: Bool

    init(_ parts: ServerDependencies) {
        configuration = parts.configuration
        clock = parts.clock
        wallClock = parts.wallClock
        seed = parts.seed
        instance = parts.instance
        startedAt = parts.clock.now
        proxies = ProxyTrust(
            parts.configuration.trustedProxies.compactMap { SocketAddress(host: $0, port: 0) })
        dialects = parts.dialects
        routes = RouteTable(parts)
        pages = WebPages(parts.configuration)
        chronicle = EventFanOut(parts)
        fixtures = parts.fixtures
        engine = ConversationEngine(options: parts.engineOptions, seed: parts.seed)
        identities = SeededGenerator(seed: parts.seed).stream("server")
        desk = FaultRegistry(seed: parts.seed)
        shelf = AttachmentStore(
            key: parts.key.derived(for: "links to files"),
            limits: parts.configuration.shelfLimits(parts.shares))
        ledger = parts.configuration.ledger(parts.shares)
        shares = parts.shares
        isOnWallTime = parts.clock.mode == .real
        let socketLimits = parts.configuration.socketLimits(parts.shares)
        (sharedBytes, highWaterBytes) = (socketLimits.sharedPayloadBytes, socketLimits.highWaterBytes)
        turnWatch = SlowTurnMonitor(clock: parts.wallClock) { [log = chronicle.log] in
            log.tell(.remarked("slow turn", $0, peer: nil, session: nil), tellsUnheard: false)
        }
        deflate = parts.configuration.deflateService(parts.shares)
        doorway = ConnectionLimiter(parts.configuration.limits)
        controls = ControlAPI.State(seed: parts.seed)
    }

    var now: Instant { clock.now }

    /// The program that a request comes from, as it names itself. Most clients are alike, so that many sessions and
    /// connections share one text.
    func userAgent(of head: RequestHead?) -> String? {
        guard let name = head?.headers["User-Agent"], !name.isEmpty else { return nil }
        if name != newestUserAgent { newestUserAgent = Logger.clip(name) }
        return newestUserAgent
    }

    /// The destination of a request for `target`, as the request line spells it.
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

    /// The published SDKs renew a token that has 300 seconds left or less before they connect, and a session is bound
    /// to its token.
    func noteShortTokens() {
        let life = configuration.tokens.life
        guard life <= .seconds(ServerLimits.renewalSeconds), configuration.tokens.binding != .off else {
            return
        }
        remark(
            "note",
            "access tokens live for \(life) (tokens.life, --expires-in): the published SDKs renew them before they "
                + "connect, are refused with 401 and give up; use more than \(ServerLimits.renewalSeconds) seconds, "
                + "or tokens.binding \"off\"")
    }

    /// Connections are accepted from now on; `address` is what `host` stands for.
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

    /// The connection that rows and the log call `number`.
    func connection(number: UInt32) -> Connection? {
        connections.first { $0?.number == number } ?? nil
    }

    func connection(of id: ConnectionID) -> Connection? {
        let slot = Int(id.rawValue >> 32)
        guard slot < connections.count, let connection = connections[slot], connection.id == id else {
            return nil
        }
        return connection
    }

    func connection(of socket: SocketID) -> Connection? {
        let slot = Int(socket.slot)
        guard slot < connections.count, let connection = connections[slot], connection.socket == socket else {
            return nil
        }
        return connection
    }

    /// The waiting times that make a fast server look like the service; none while somebody holds the clock, or
    /// no client could connect.
    func entryDelay(_ delay: Interval) -> Interval {
        clock.isStopped ? .zero : delay
    }

    /// How long a new connection waits for its history. Where an encoder remembers the session, nothing does: of what a
    /// client asks at once, some is answered by way of the engine, which waits, and some is not.
    func historyDelay(of handle: SessionHandle) -> Interval {
        outbox(of: handle)?.encoder.memory != nil
            ? .zero : entryDelay(configuration.connections.firstFrameDelay)
    }
}

/// Numbers of all sockets together.
struct SocketCounts {
    var open = 0
    var unsent = 0
    var received: UInt64 = 0
    var sent: UInt64 = 0
}
