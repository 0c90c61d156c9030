import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import SocketTransport
import WebSocketCore

/// Everything the running server owns. Lives on one loop and is touched nowhere else; a message runs from
/// socket to socket in one call chain (decision record 0001).
final class ServerLoop {
    let configuration: Configuration
    let clock: any EventClock
    let seed: UInt64
    let startedAt: Instant
    let dialects: [any Dialect]
    let routes: RouteTable
    let log: Logger
    var fixtures: FixtureShelf
    let sockets: SocketPool
    var engine: ConversationEngine
    var wires: [SessionWire?] = []
    var connections: [Connection?] = []
    var openWebSockets = 0
    var buckets = TokenBuckets()
    var identities: SeededGenerator
    var listener: ListenerID?
    /// Where fixtures are compiled again.
    let fixtureQueue = LoopQueue(label: "polymock.fixtures")
    var isReloading = false
    var reloadsAgain = false
    var isStopping = false
    /// Called once when the last socket has gone.
    var onEmpty: [@Sendable () -> Void] = []
    /// By the slot of the connection.
    var deadlines = DeadlineHeap()

    private var timer: (any EventTimer)?
    private var armedFor: Instant?
    /// When to accept again after the system ran out of descriptors.
    private var acceptAgainAt: Instant?
    /// The log has said so, and nothing was accepted since.
    private var hasToldPause = false
    var effects: [Effect] = []
    private var outputs: [WebSocketConnection.Output] = []
    private var frameHeader: [UInt8] = []

    init(_ parts: ServerParts) throws(ServerError) {
        configuration = parts.configuration
        clock = parts.clock
        seed = parts.seed
        startedAt = parts.clock.now
        dialects = parts.dialects
        routes = RouteTable(dialects: parts.dialects, servesEcho: parts.configuration.servesEcho)
        log = Logger(parts.configuration.log)
        fixtures = parts.fixtures
        engine = ConversationEngine(options: parts.engineOptions, seed: parts.seed)
        identities = SeededGenerator(seed: parts.seed).stream("server")
        do {
            var limits = SocketTransport.Limits()
            limits.writeBufferBytes = parts.configuration.limits.writeBufferBytes
            sockets = try SocketPool(limits: limits)
        } catch {
            throw .cannotListen("\(error)")
        }
    }

    // MARK: - Running

    /// Gives the loop its timer; `fire` must bring ``fire()`` back onto the loop.
    func start(timer: any EventTimer) {
        self.timer = timer
    }

    func stopTimer() {
        timer?.disarm()
        timer = nil
    }

    /// Sockets are ready.
    func drain() {
        sockets.drain { [self] event in handle(event) }
        checkEmpty()
        rearm()
    }

    /// A deadline may have passed.
    func fire() {
        armedFor = nil
        let now = clock.now
        if let due = acceptAgainAt, due <= now {
            acceptAgainAt = nil
            sockets.resumeAccepting()
        }
        timeOutConnections(at: now)
        engine.advance(to: now, into: &effects)
        performEffects()
        sockets.flush()
        checkEmpty()
        rearm()
    }

    private func timeOutConnections(at now: Instant) {
        while let first = deadlines.first, first.deadline <= now {
            deadlines.remove(first.slot)
            if let connection = connections[Int(first.slot)] { timeOut(connection) }
        }
    }

    /// Work from outside the sockets: runs `body`, then sends and arms whatever came of it.
    func perform(_ body: (ServerLoop) -> Void) {
        body(self)
        performEffects()
        sockets.flush()
        rearm()
    }

    private func rearm() {
        var earliest = engine.nextDeadline
        if let acceptAgainAt { earliest = min(earliest ?? acceptAgainAt, acceptAgainAt) }
        if let first = deadlines.first { earliest = min(earliest ?? first.deadline, first.deadline) }
        guard let earliest else { return }
        if let armedFor, armedFor <= earliest { return }
        armedFor = earliest
        timer?.arm(at: earliest)
    }

    /// Calls ``timeOut(_:)`` at `deadline`, in place of an earlier choice; nil means never.
    func setDeadline(_ deadline: Instant?, of connection: Connection) {
        let slot = Int32(connection.socket.slot)
        if let deadline {
            deadlines.set(deadline, for: slot)
        } else {
            deadlines.remove(slot)
        }
    }

    // MARK: - Sockets

    private func handle(_ event: SocketEvent) {
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
            if let error { log.line("connection lost", peer: connection.peer, "\(error)") }
            forget(connection)
        case .acceptPaused(let error):
            if acceptAgainAt == nil, !hasToldPause { log.line("accept paused", "\(error)") }
            hasToldPause = true
            resumeAcceptingSoon()
        case .writable(let socket):
            guard let connection = connection(of: socket) else { return }
            continueHistory(of: connection)
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
        guard !isStopping, sockets.openSockets <= configuration.limits.sockets else {
            return sockets.abort(socket)
        }
        let slot = Int(socket.slot)
        while connections.count <= slot { connections.append(nil) }
        var limits = HTTPCore.Limits()
        limits.bodyBytes = configuration.limits.bodyBytes
        let connection = Connection(socket: socket, peer: peer, parser: RequestParser(limits: limits))
        connections[slot] = connection
        setDeadline(clock.now + Interval(configuration.limits.requestTime), of: connection)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        switch connection.stage {
        case .http:
            receiveHTTP(bytes, on: connection)
        case .handshake(let response, let early):
            guard early.count + bytes.count <= configuration.limits.messageBytes else {
                return abort(connection)
            }
            connection.stage = .handshake(response, early: early + bytes)
        case .webSocket:
            receiveFrames(bytes, on: connection)
        case .closing:
            break
        }
    }

    private func inputClosed(_ connection: Connection) {
        switch connection.stage {
        case .http:
            inputClosedHTTP(connection)
        case .webSocket:
            act(on: connection.webSocket?.inputClosed() ?? [], of: connection)
        case .handshake:
            close(connection)
        case .closing:
            break
        }
    }

    private func timeOut(_ connection: Connection) {
        switch connection.stage {
        case .http: timeOutHTTP(connection)
        case .handshake(let response, let early): completeHandshake(connection, response, early: early)
        case .webSocket, .closing: abort(connection)
        }
    }

    /// Closes once everything written has left; the peer has a while to read it.
    func close(_ connection: Connection) {
        detach(connection)
        connection.stage = .closing
        connection.parser = nil
        connection.webSocket = nil
        connection.body = []
        sockets.close(connection.socket, afterFlush: true)
        setDeadline(clock.now + Interval(configuration.limits.closeTime), of: connection)
    }

    /// Closes now. No event follows, so this is also where the connection is forgotten.
    private func abort(_ connection: Connection) {
        sockets.abort(connection.socket)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        detach(connection)
        setDeadline(nil, of: connection)
        connections[Int(connection.socket.slot)] = nil
    }

    private func detach(_ connection: Connection) {
        if case .session(let handle, _) = connection.purpose {
            engine.detach(connection.id, from: handle)
            connection.purpose = .echo
        }
        if connection.webSocket != nil {
            connection.webSocket = nil
            openWebSockets -= 1
        }
    }

    private func resumeAcceptingSoon() {
        acceptAgainAt = clock.now + .milliseconds(ServerLimits.acceptRetryMilliseconds)
    }

    // MARK: - WebSocket

    func completeHandshake(_ connection: Connection, _ response: Response, early: [UInt8]) {
        var limits = WebSocketCore.Limits()
        limits.messageBytes = configuration.limits.messageBytes
        if case .echo = connection.purpose { limits.messageBytes = ServerLimits.echoMessageBytes }
        connection.stage = .webSocket
        connection.parser = nil
        setDeadline(nil, of: connection)
        connection.webSocket = WebSocketConnection(role: .server, limits: limits)
        openWebSockets += 1
        sockets.write(connection.socket, response.serialized(to: nil, closing: false, date: nil))
        if case .session(let handle, _) = connection.purpose, !expectHistory(of: connection, handle) {
            let lives = engine[handle]?.hasEnded == false
            return closeWebSocket(
                connection, lives ? .goingAway : .normal, lives ? "connection idle" : "session ended")
        }
        if !early.isEmpty { early.withUnsafeBytes { receiveFrames($0, on: connection) } }
    }

    private func expectHistory(of connection: Connection, _ handle: SessionHandle) -> Bool {
        let now = clock.now
        let due = now + Interval(configuration.connections.firstFrameDelay)
        return withEngine { engine, effects in
            engine.expectHistory(of: connection.id, in: handle, due: due, at: now, into: &effects)
        }
    }

    private func receiveFrames(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        var outputs = self.outputs
        self.outputs = []
        connection.webSocket?.receive(bytes) { outputs.append($0) }
        act(on: outputs, of: connection)
        outputs.removeAll(keepingCapacity: true)
        self.outputs = outputs
    }

    private func act(on outputs: [WebSocketConnection.Output], of connection: Connection) {
        for output in outputs {
            guard case .webSocket = connection.stage else { return }
            switch output {
            case .write(let bytes): sockets.write(connection.socket, bytes)
            case .text(let text): receive(text, isText: true, on: connection)
            case .binary(let bytes): receive(bytes, isText: false, on: connection)
            case .ping, .pong:
                if case .session(let handle, _) = connection.purpose {
                    engine.touch(connection.id, of: handle, at: clock.now)
                }
            case .peerClosed(let code, _):
                log.line(
                    "client closed", peer: connection.peer, "code \(code.map { "\($0.rawValue)" } ?? "none")")
            case .finished: close(connection)
            }
        }
    }

    private func receive(_ bytes: [UInt8], isText: Bool, on connection: Connection) {
        switch connection.purpose {
        case .echo:
            send(bytes, as: isText ? .text : .binary, to: connection.socket)
        case .session(let handle, let dialect):
            if let limit = configuration.rates.webSocket, take(handle, limit) != nil {
                // Not heard, but a sign of life (poly-messaging 5.8, 5.13).
                log.line("dropped event", peer: connection.peer, "too many messages")
                return engine.touch(connection.id, of: handle, at: clock.now)
            }
            let decoded = isText ? dialects[dialect].decode(text: bytes) : dialects[dialect].decodeBinary()
            if let note = decoded.note { log.line("note", peer: connection.peer, note) }
            if case .refused(let problem, let detail) = decoded.input.word {
                let detail = detail.map { ": \($0)" } ?? ""
                log.line("refused event", peer: connection.peer, problem.rawValue + detail)
            }
            engine.handle(decoded.input, from: connection.id, in: handle, at: clock.now, into: &effects)
            performEffects()
        }
    }

    private func take(_ handle: SessionHandle, _ limit: Configuration.Rates.Bucket) -> Interval? {
        buckets.take(
            from: "session \(handle.slot).\(handle.generation)",
            limit: RateLimit(burst: limit.burst, perSecond: limit.perSecond), at: clock.now)
    }

    private func send(_ payload: [UInt8], as opcode: Opcode, to socket: SocketID) {
        frameHeader.removeAll(keepingCapacity: true)
        FrameWriter.appendHeader(opcode: opcode, length: payload.count, fin: true, to: &frameHeader)
        sockets.write(socket, frameHeader, payload)
    }

    /// Starts the close handshake of an open WebSocket.
    func closeWebSocket(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        guard case .webSocket = connection.stage else { return }
        act(on: connection.webSocket?.close(code, reason: reason) ?? [], of: connection)
        guard case .webSocket = connection.stage else { return }
        setDeadline(clock.now + Interval(configuration.limits.closeTime), of: connection)
    }

    // MARK: - Effects

    func performEffects() {
        var index = 0
        while index < effects.count {
            perform(effects[index])
            index += 1
        }
        effects.removeAll(keepingCapacity: true)
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
        case .tell(let handle, let entry, let audience): tell(entry, of: handle, to: audience)
        case .replay(let handle, let connection, let cursor, let includesStart):
            replay(handle, to: connection, after: cursor, includesStart: includesStart)
        case .close(let id, let cause):
            guard let connection = connection(of: id) else { return }
            let (code, reason) = cause.onTheWire
            closeWebSocket(connection, code, reason)
        case .forgotten(let handle):
            if wires[Int(handle.slot)]?.handle == handle { wires[Int(handle.slot)] = nil }
        case .note(let handle, .unheard(let unheard)):
            log.unheard(session: engine[handle]?.id ?? "") { engine[handle]?.report(on: unheard) }
        case .note(let handle, let note):
            guard !log.isQuiet, let wire = wires[Int(handle.slot)] else { return }
            log.note(note, session: wire.id)
        }
    }

    /// Opens a session whose clients hear `dialect`; nil when no more are held.
    func openSession(_ opening: ConversationEngine.Opening, dialect: Int) -> String? {
        guard let session = engine.open(opening, at: clock.now, into: &effects) else { return nil }
        let slot = Int(session.handle.slot)
        while wires.count <= slot { wires.append(nil) }
        wires[slot] = SessionWire(handle: session.handle, id: session.id, dialect: dialect)
        performEffects()
        log.session("session", session.id, "opened with \(opening.script.name)")
        return session.id
    }

    func sendText(_ bytes: [UInt8], to id: ConnectionID) {
        guard let connection = connection(of: id), connection.webSocket?.state == .open else { return }
        send(bytes, as: .text, to: connection.socket)
    }

    func connection(of id: ConnectionID) -> Connection? {
        let slot = Int(id.rawValue >> 32)
        guard slot < connections.count, let connection = connections[slot], connection.id == id else {
            return nil
        }
        return connection
    }
}
