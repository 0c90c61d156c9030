import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// Everything the running server owns. Lives on one loop and is touched nowhere else; a message runs from
/// socket to socket in one call chain (decision record 0001).
final class ServerLoop {
    let configuration: Configuration
    let clock: any SteerableClock
    let seed: UInt64
    let startedAt: Instant
    let dialects: [any Dialect]
    let routes: RouteTable
    var chronicle: Chronicle
    var fixtures: FixtureShelf
    let sockets: SocketPool
    /// Nil while nothing is compressed.
    let deflate: DeflateService?
    var engine: ConversationEngine
    var outboxes: [SessionOutbox?] = []
    var connections: [Connection?] = []
    /// Takes the texts that sessions would send; see ``ServerInspection/replaceTexts(_:)``.
    var diversion: (@Sendable (_ session: String, _ connection: ConnectionID) -> Void)?
    var openWebSockets = 0
    var buckets = TokenBuckets()
    var identities: SeededGenerator
    var listener: ListenerID?
    /// How many sockets each address has, as far as that is bounded.
    var socketsOfAddress: [SocketAddress: Int] = [:]
    /// Sockets that are only told that there are too many.
    var turnedAwayCount = 0
    /// Where fixtures are compiled again.
    let fixtureQueue = LoopQueue(label: "polymock.fixtures")
    var isReloading = false
    var reloadsAgain = false
    var isStopping = false
    /// Called once when the last socket has gone.
    var onEmpty: [@Sendable () -> Void] = []
    /// By the slot of the connection.
    var deadlines = DeadlineHeap()
    /// When the projections of sessions next want their turn, by the slot of the session.
    var projections = DeadlineHeap()
    /// Files of sessions.
    var shelf: Shelf
    /// When troubles next let go of what they hold back, by the slot of the connection.
    var valves = DeadlineHeap()
    var desk: TroubleDesk
    let wallClock = SystemClock()
    #if DEBUG
        let turnWatch: TurnWatch
    #endif
    /// The clock is being moved, so no client can be expected to have been in time.
    var isSteered = false
    let controlState: ControlState
    /// The session that was opened last.
    var newestSession: SessionHandle?
    /// The server's clock is real time.
    var isOnWallTime: Bool
    /// Troubles that act on the entry told next.
    private var strikes: [Strike] = []
    private var connectionCount: UInt32 = 0

    var timer: (any EventTimer)?
    var armedFor: Instant?
    /// When deadlines were last looked at.
    var lastRun: Instant?
    /// When to accept again after the system ran out of descriptors.
    var acceptAgainAt: Instant?
    /// The log has said so, and nothing was accepted since.
    private var hasToldPause = false
    var effects: [Effect] = []
    private var isPerforming = false
    /// Room for those being performed.
    private var performed: [Effect] = []
    var outputs: [WebSocketConnection.Output] = []
    var frameHeader: [UInt8] = []
    /// Where events are put together.
    var encoded: [UInt8] = []

    init(_ parts: ServerParts) throws(ServerError) {
        configuration = parts.configuration
        clock = parts.clock
        seed = parts.seed
        startedAt = parts.clock.now
        dialects = parts.dialects
        routes = RouteTable(parts)
        let chronicle = Chronicle(parts, routes)
        self.chronicle = chronicle
        #if DEBUG
            let log = chronicle.log
            turnWatch = TurnWatch(clock: wallClock) {
                log.tell(.remarked("slow turn", $0, peer: nil, session: nil), tellsUnheard: false)
            }
        #endif
        fixtures = parts.fixtures
        engine = ConversationEngine(options: parts.engineOptions, seed: parts.seed)
        identities = SeededGenerator(seed: parts.seed).stream("server")
        desk = TroubleDesk(seed: parts.seed)
        shelf = Shelf(key: parts.key)
        isOnWallTime = parts.clock.mode == .real
        controlState = ControlState(seed: parts.seed)
        deflate = parts.configuration.deflate ? DeflateService() : nil
        do {
            var limits = SocketTransport.Limits()
            limits.writeBufferBytes = parts.configuration.limits.writeBufferBytes
            // Who has to be slowed down is slowed down before it would be cut off.
            limits.highWaterBytes = min(limits.highWaterBytes, limits.writeBufferBytes / 2)
            limits.lowWaterBytes = min(limits.lowWaterBytes, limits.highWaterBytes / 4)
            limits.sockets = max(
                limits.sockets, parts.configuration.limits.sockets + ServerLimits.socketsTurnedAway + 1)
            sockets = try SocketPool(limits: limits)
        } catch {
            throw .cannotListen("\(error)")
        }
    }

    /// Made when it is needed: it holds the loop.
    var control: Control { Control(server: ServerInspection(loop: self)) }

    // MARK: - Sockets

    func handle(_ event: SocketEvent) {
        switch event {
        case .accepted(let socket, let peer, _):
            hasToldPause = false
            accept(socket, from: peer)
        case .received(let socket, let bytes):
            guard let connection = connection(of: socket) else { return }
            receive(bytes, on: connection)
        case .inputClosed(let socket):
            guard let connection = connection(of: socket) else { return }
            inputClosed(connection)
        case .closed(let socket, let error):
            guard let connection = connection(of: socket) else { return }
            if let error { remark("connection lost", "\(error)", connection) }
            tellDropped(connection, .lost)
            forget(connection)
        case .acceptPaused(let error):
            if acceptAgainAt == nil, !hasToldPause { remark("accept paused", "\(error)") }
            hasToldPause = true
            resumeAcceptingSoon()
        case .writable(let socket):
            guard let connection = connection(of: socket) else { return }
            continueHistory(of: connection)
            control.continueFeed(of: connection)
            continueAnswer(of: connection)
            release(connection)
            readOn(connection)
        case .connected:
            break
        }
    }

    private func connection(of socket: SocketID) -> Connection? {
        let slot = Int(socket.slot)
        guard slot < connections.count, let connection = connections[slot], connection.socket == socket else {
            return nil
        }
        return connection
    }

    private func accept(_ socket: SocketID, from peer: SocketAddress) {
        let mostSockets = configuration.limits.sockets
        let isOneTooMany = sockets.openSockets - turnedAwayCount > mostSockets
        guard !isStopping, !isOneTooMany || turnedAwayCount < ServerLimits.socketsTurnedAway else {
            return sockets.abort(socket)
        }
        let slot = Int(socket.slot)
        while connections.count <= slot { connections.append(nil) }
        var limits = HTTPCore.Limits()
        // Each request's own limit is looked at with its head.
        limits.bodyBytes =
            configuration.control.isOn
            ? max(configuration.limits.bodyBytes, ServerLimits.Control.importBytes)
            : configuration.limits.bodyBytes
        connectionCount &+= 1
        tell(.accepted)
        let now = clock.now
        let connection = Connection(
            socket: socket, number: connectionCount, peer: peer,
            exchange: HTTPExchange(limits: limits, at: now))
        connections[slot] = connection
        if isOneTooMany { return turnAway(connection, .server) }
        guard count(connection) else {
            return turnedAwayCount < ServerLimits.socketsTurnedAway
                ? turnAway(connection, .address) : abort(connection)
        }
        setDeadline(now + configuration.limits.handshakeTime, of: connection)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            receive(bytes, in: exchange, on: connection)
        case .handshake(var handshake):
            guard handshake.early.count + bytes.count <= configuration.limits.messageBytes else {
                return abort(connection)
            }
            handshake.early += bytes
            connection.stage = .handshake(handshake)
        case .webSocket(let webSocket):
            if !connection.isPlain, hearsLater(.bytes(Array(bytes)), from: connection) { return }
            receiveFrames(bytes, of: webSocket, on: connection)
        case .held, .waiting, .working, .sending, .closing, .stream:
            break
        }
    }

    private func inputClosed(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            inputClosed(of: exchange, on: connection)
        case .webSocket(let webSocket):
            if hearsLater(.end, from: connection) { return }
            act(on: webSocket.core.inputClosed(), of: webSocket, on: connection)
        case .handshake, .held, .waiting, .stream:
            close(connection)
        case .sending, .working:
            // It may have ended its own direction and still read.
            break
        case .closing:
            break
        }
    }

    func timeOut(_ connection: Connection) {
        guard connection.pause == nil else { return timeOutPause(connection) }
        switch connection.stage {
        case .http(let exchange): timeOut(exchange, on: connection)
        case .handshake(let handshake): complete(handshake, on: connection)
        case .held(let answer):
            sockets.write(connection.socket, answer.bytes)
            close(connection)
        case .waiting: control.timeOutWait(connection)
        case .webSocket, .stream, .working, .sending, .closing: abort(connection)
        }
    }

    /// Closes once everything written has left; the peer has a while to read it.
    func close(_ connection: Connection) {
        detach(connection)
        connection.stage = .closing
        valves.remove(Int32(connection.socket.slot))
        sockets.close(connection.socket, afterFlush: true)
        setDeadline(clock.now + configuration.limits.closeTime, of: connection)
    }

    /// Closes now. No event follows, so this is also where the connection is forgotten.
    func abort(_ connection: Connection) {
        sockets.abort(connection.socket)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        detach(connection)
        setDeadline(nil, of: connection)
        valves.remove(Int32(connection.socket.slot))
        connections[Int(connection.socket.slot)] = nil
        uncount(connection)
    }

    private func detach(_ connection: Connection) {
        if let handle = connection.session {
            tell(.disconnected(link(of: connection)))
            engine.detach(connection.id, from: handle)
            outbox(of: handle)?.projection?.detach(connection.id)
        }
        if connection.webSocket != nil { openWebSockets -= 1 }
        connection.stage = .closing
    }

    private func resumeAcceptingSoon() {
        acceptAgainAt = clock.now + .milliseconds(ServerLimits.acceptRetryMilliseconds)
    }

    // MARK: - Effects

    func performEffects() {
        // What comes up meanwhile stands behind what is being done: entries are told in their order.
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !effects.isEmpty {
            // Performing may lead to more effects, which come behind these.
            var batch = performed
            swap(&batch, &effects)
            performed = []
            // By reference: a copy of each would count up and down everything it holds.
            batch.withUnsafeBufferPointer { batch in
                for index in batch.indices { perform(batch[index]) }
            }
            batch.removeAll(keepingCapacity: true)
            performed = batch
        }
    }

    /// Changes the engine and performs what comes of it.
    func withEngine<Result>(
        _ body: (inout ConversationEngine, inout [Effect]) -> Result
    ) -> Result {
        let result = body(&engine, &effects)
        performEffects()
        return result
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .tell(let handle, let entry, let audience):
            if !strikes.isEmpty { mark(audience, in: handle) }
            tell(entry, of: handle, to: audience)
        case .replay(let handle, let connection, let cursor, let includesStart):
            if !strikes.isEmpty { mark(.one(connection), in: handle) }
            replay(handle, to: connection, after: cursor, includesStart: includesStart)
        case .strike(let handle, let strike):
            tell(.struck(strike.name, session: nil))
            if strike.effect == .expire { expireToken(of: handle) }
            strikes.append(strike)
        case .close(let id, let cause):
            guard let connection = connection(of: id) else { return }
            let (code, reason) = cause.onTheWire
            end(connection, code, reason)
        case .forgotten(let handle):
            guard let outbox = outbox(of: handle) else { return }
            tell(.forgotten(session: outbox.id))
            shelf.drop(session: outbox.id)
            projections.remove(handle.slot)
            outboxes[Int(handle.slot)] = nil
        case .note(let handle, let note):
            guard let outbox = outbox(of: handle) else { return }
            var reasons: UnheardReasons?
            if case .unheard(let unheard) = note {
                reasons = UnheardReasons { [self] in engine.with(handle) { $0.report(on: unheard) } }
            }
            if case .heard(_, let rule, _, _) = note { outbox.rule = rule }
            tell(.noted(note, of: outbox, reasons))
        }
    }

    /// Has the troubles that just struck act on what these connections are told next.
    private func mark(_ audience: Audience, in handle: SessionHandle) {
        let ids: [ConnectionID] =
            switch audience {
            case .nobody: []
            case .one(let id): [id]
            case .many(let ids): ids
            }
        for strike in strikes {
            noteStrike(strike, in: handle)
            for id in ids where strike.connection == nil || strike.connection == id {
                connection(of: id)?.withChannel { $0.strike(strike) }
            }
        }
        strikes.removeAll(keepingCapacity: true)
    }

    /// Opens a session whose clients hear `dialect`; nil when no more are held.
    func openSession(_ opening: ConversationEngine.Opening, dialect: Int) -> String? {
        guard let session = engine.open(opening, at: clock.now, into: &effects) else { return nil }
        let slot = Int(session.handle.slot)
        while outboxes.count <= slot { outboxes.append(nil) }
        outboxes[slot] = SessionOutbox(
            handle: session.handle, id: session.id, dialect: dialect, file: opening.script.file)
        outboxes[slot]?.projection = view(of: session.handle).flatMap { dialects[dialect].projection(of: $0) }
        tell(.opened(session: session.id, opening.script))
        newestSession = session.handle
        armTroubles(in: session.handle)
        performEffects()
        return session.id
    }

    func sendText(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        switch connection.stage {
        case .webSocket(let webSocket) where webSocket.isOpen:
            if let diversion { return diversion(context.session, connection.id) }
            guard connection.isPlain else { return sendHeld(bytes, context, to: connection) }
            send(bytes, as: .text, of: webSocket, on: connection)
        case .stream:
            if let diversion { return diversion(context.session, connection.id) }
            guard connection.isPlain else { return sendHeld(bytes, context, to: connection) }
            put(bytes, on: connection)
        default: return
        }
        tellSent(bytes, context, on: connection, at: context.time)
    }

    /// What is kept for a session; nil when it is forgotten.
    func outbox(of handle: SessionHandle) -> SessionOutbox? {
        let slot = Int(handle.slot)
        guard slot < outboxes.count, let outbox = outboxes[slot], outbox.handle == handle else { return nil }
        return outbox
    }

    /// The same of the session that the connection belongs to.
    func outbox(of connection: Connection) -> SessionOutbox? {
        connection.session.flatMap { outbox(of: $0) }
    }

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
}
