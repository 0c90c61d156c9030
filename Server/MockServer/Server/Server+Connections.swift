import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

extension Server {
    func accept(_ socket: SocketID, from peer: SocketAddress, open: Int) {
        let limits = configuration.limits
        let isBounded = (limits.socketsPerAddress != nil || !peer.isLoopback) && !trusts(peer)
        guard !isStopping else { return outputs.append(.abort(socket)) }
        let (verdict, admission) = limiter.enter(from: peer.with(port: 0), isBounded: isBounded, open: open)
        guard verdict != .cut else { return outputs.append(.abort(socket)) }
        let slot = Int(socket.slot)
        while connections.count <= slot { connections.append(nil) }
        connectionCount &+= 1
        record(.accepted)
        let now = clock.now
        let connection = Connection(
            socket: socket, number: connectionCount, peer: peer,
            exchange: HTTPExchange(limits: Configuration.requestLimits, at: now), admission: admission)
        connections[slot] = connection
        let patience =
            verdict == .admit ? limits.handshakeTime : min(limits.handshakeTime, limits.closeTime)
        setDeadline(now + patience, of: connection)
    }

    /// Closes the connection once all output is sent.
    func close(_ connection: Connection) {
        detach(connection)
        outputs.append(.close(connection))
        setDeadline(clock.now + configuration.limits.closeTime, of: connection)
    }

    /// Closes and removes the connection at once.
    func abort(_ connection: Connection) {
        outputs.append(.abort(connection.socket))
        forget(connection)
    }

    func lose(_ connection: Connection, _ error: SocketError?) {
        if let error { remark("connection lost", "\(error)", connection) }
        recordDrop(connection, .lost)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        detach(connection)
        let slot = Int(connection.socket.slot)
        expect(connections[slot] === connection, "a connection is forgotten once")
        timers.forget(Int32(slot))
        connections[slot] = nil
        limiter.leave(connection.admission, from: connection.remote.with(port: 0))
    }

    // MARK: - In sessions

    /// Adds the connection to the session, or closes the connection and returns false.
    func attach(
        _ connection: Connection, as stage: Connection.Stage, to handle: SessionHandle, cursor: UInt64
    ) -> Bool {
        connection.stage = stage
        let isAttached = withEngine { engine, effects in
            engine.attach(
                connection.id, to: handle, cursor: cursor, firstFrameAt: .distantFuture, at: now,
                into: &effects)
        }
        guard isAttached else {
            connection.stage = .closing
            close(connection)
            return false
        }
        if controls.holds[handle] != nil { connection.withChannel { $0.waitForPerson(true) } }
        record(.connected(link(of: connection), cursor: cursor))
        return true
    }

    /// Lets an attached connection send and receive. Its history is sent after `delay`. Returns false if the connection
    /// no longer belongs to the session.
    @discardableResult
    func open(_ connection: Connection, _ carrier: Carrier, of party: Int = 0, after delay: Interval) -> Bool
    {
        guard let outbox = outbox(of: connection) else { return false }
        let now = now
        withEncoder(of: outbox) { $0.attach(connection.id, carrier, of: party, at: now, into: &$1) }
        return withEngine {
            $0.expectHistory(of: connection.id, in: outbox.handle, due: now + delay, at: now, into: &$1)
        }
    }

    /// Releases the connection's place in its session, its work, runs and memory.
    func detach(_ connection: Connection) {
        if case .working(_, let pipelined?) = connection.stage {
            pipelined.cancellation.cancel()
            // Resumes reading, to discard the rest of the input.
            outputs.append(.resumeReading(connection.socket))
        }
        if let handle = connection.session {
            record(.disconnected(link(of: connection)))
            engine.detach(connection.id, from: handle)
            outbox(of: handle)?.encoder.detach(connection.id)
            if connection.stream != nil {
                withEngine { $0.abandonRuns(of: connection.id, in: handle, at: now, into: &$1) }
            }
        }
        releaseRequest(of: connection)
        hold(0, for: connection)
        if connection.webSocket != nil { openWebSockets -= 1 }
        timers.holds.remove(Int32(connection.socket.slot))
        connection.stage = .closing
    }

    // MARK: - WebSockets and event streams

    func complete(_ handshake: Connection.Handshake, on connection: Connection) {
        let handle = handshake.channel.handle
        let webSocket = open(connection, for: .session(handshake.channel), handshake.deflate)
        write(handshake.response.serialized(to: nil, closing: false, date: nil), on: connection)
        let delay = historyDelay(of: handle)
        guard open(connection, .webSocket, of: handshake.party, after: delay) else {
            let lives = engine.hasEnded(handle) == false
            return end(connection, lives ? .goingAway : .normal, lives ? "connection idle" : "session ended")
        }
        read(handshake.early, of: webSocket, on: connection)
    }

    func accept(
        _ head: RequestHead, _ response: Response, for purpose: Connection.OpenWebSocket.Purpose,
        early: [UInt8], on connection: Connection
    ) {
        let (response, deflate) = response.agreeing(to: head, deflate)
        let webSocket = open(connection, for: purpose, deflate)
        write(response.serialized(to: nil, closing: false, date: nil), on: connection)
        read(early, of: webSocket, on: connection)
    }

    private func open(
        _ connection: Connection, for purpose: Connection.OpenWebSocket.Purpose, _ deflate: DeflateCodec?
    ) -> Connection.OpenWebSocket {
        let isEcho = if case .echo = purpose { true } else { false }
        let limits = configuration.messageLimits(ofEcho: isEcho)
        let webSocket = Connection.OpenWebSocket(
            WebSocketConnection(role: .server, limits: limits), deflate: deflate, for: purpose)
        connection.stage = .webSocket(webSocket)
        releaseRequest(of: connection)
        setDeadline(nil, of: connection)
        openWebSockets += 1
        return webSocket
    }

    func read(_ early: [UInt8], of webSocket: Connection.OpenWebSocket, on connection: Connection) {
        guard !early.isEmpty else { return }
        early.withUnsafeBytes { receiveFrames($0, of: webSocket, on: connection) }
    }

    func beginClosing(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        if let webSocket = connection.webSocket {
            return beginClosing(webSocket, code, reason, on: connection)
        }
        guard let stream = connection.stream else { return expect(false, "nothing carries it") }
        recordDrop(connection, .server(code: code.rawValue))
        // Only a chunked body can end before its connection.
        if stream.framing == .chunked { write(TransferChunk.last, on: connection) }
        guard let exchange = stream.pipelined, !isStopping else { return close(connection) }
        detach(connection)
        connection.stage = .http(exchange)
        updateDeadline(of: connection)
    }

    private func beginClosing(
        _ webSocket: Connection.OpenWebSocket, _ code: CloseCode, _ reason: String, on connection: Connection
    ) {
        recordFrame(.close, isInbound: false, code: Int(code.rawValue), on: connection)
        recordDrop(connection, .server(code: code.rawValue))
        handle(webSocket.core.close(code, reason: reason), of: webSocket, on: connection)
        guard case .webSocket = connection.stage else { return }
        // The unfinished message is dropped.
        charge(webSocket.core.bufferedBytes, ofMessageOn: connection)
        // The peer's Close must still be read.
        if webSocket.isPaused {
            webSocket.isPaused = false
            outputs.append(.resumeReading(connection.socket))
            inflateOn()
        }
        let answer = connection.channel?.arrival(of: clock.now) ?? clock.now
        setDeadline(answer + configuration.limits.closeTime, of: connection)
    }

    // MARK: - The end

    func stop() {
        isStopping = true
        for connection in connections.compactMap({ $0 }) {
            switch connection.stage {
            case .webSocket, .stream:
                connection.withChannel { $0.letGo(of: nil) }
                release(connection)
                end(connection, .goingAway, "server stopping")
            case .http, .handshake, .held, .waiting, .working: close(connection)
            case .closing: break
            }
        }
    }

    /// Forgets all connections.
    func shutDown() {
        isStopping = true
        connections = []
        (outputs, crowded) = ([], [])
        // A timer that still fires must find no deadlines.
        timers.deadlines = DeadlineHeap()
        timers.holds = DeadlineHeap()
        timers.stalls = DeadlineHeap()
        openWebSockets = 0
    }
}

extension Response {
    /// Negotiates compression (RFC 7692 §5.1). Without agreement, the response is unchanged.
    func agreeing(to head: RequestHead, _ deflate: DeflateService?) -> (Response, DeflateCodec?) {
        guard let deflate, let terms = ServerHandshake.deflateTerms(for: head),
            let codec = deflate.codec(for: terms)
        else { return (self, nil) }
        var response = self
        response.headers.append("Sec-WebSocket-Extensions", terms.answer)
        return (response, codec)
    }
}
