package import Clocks
package import SocketTransport
package import WebSocketCore

/// Client for unencrypted HTTP and WebSocket servers, without redirects and proxies. Each request has its own
/// connection.
package final class HTTPClient: Sendable {
    package struct Traffic: Equatable, Sendable {
        package var sockets: [SocketTraffic]
        package var dialled: Set<UInt16>
        /// Number of open sockets of requests, including those that are closing.
        package var connectionCount: Int
    }

    private let loop: Loop<HTTPClientState>
    private let nextNumber = Locked(0)

    /// Creates a client. `seed` determines handshake and masking keys, and must be random outside tests (RFC 6455
    /// §10.3). A connection with more than `unsentBytes` of waiting output is closed.
    package init(label: String, clock: any EventClock, seed: UInt64, unsentBytes: Int) {
        loop = Loop(label: label) { _ in
            HTTPClientState(clock: clock, seed: seed, unsentBytes: unsentBytes)
        }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.start(on: queue) { [weak loop] in
                loop?.assumeInside { $0.drain() }
            } submit: { [weak loop] action in
                loop?.submit { action($0) }
            }
        }
    }

    /// Starts a request and returns at once. `report` is called on the loop, for each event in order.
    @discardableResult
    package func send(
        _ request: Request, report: @escaping @Sendable (Report) -> Void
    ) -> Connection {
        let number = nextNumber.withLock { number in
            number += 1
            return number
        }
        let backlog = (request.streamedBytes ?? request.webSocket?.unhandledBytes).map {
            Backlog(limitBytes: $0)
        }
        loop.submit { $0.begin(number, request, backlog: backlog, report: report) }
        return Connection(loop: loop, number: number, backlog: backlog)
    }

    /// Closes all connections. Returns after all descriptors are closed.
    package func close() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.shutDown { continuation.resume() } }
        }
    }

    /// Returns the traffic of each connection, after reading the bytes that have already arrived.
    package func traffic() async -> Traffic {
        await loop.run { $0.traffic() }
    }

    /// Returns the result of ``traffic()``, but blocks the calling thread.
    package func trafficHere() -> Traffic {
        loop.runHere { $0.traffic() }
    }
}

extension HTTPClient {
    package final class Connection: Sendable {
        private let loop: Loop<HTTPClientState>
        private let number: Int
        private let backlog: Backlog?

        fileprivate init(loop: Loop<HTTPClientState>, number: Int, backlog: Backlog?) {
            self.loop = loop
            self.number = number
            self.backlog = backlog
        }

        /// Acknowledges a reported message of `byteCount` bytes. Messages may be acknowledged in any order. Reading
        /// pauses while too many bytes are unacknowledged.
        package func taken(_ byteCount: Int) {
            guard backlog?.remove(byteCount) == true else { return }
            let number = number
            loop.submit { $0.readOn(number) }
        }

        /// Sends one message. Messages are sent in the order of the calls. Unless the WebSocket is open, the message is
        /// dropped.
        package func send(_ opcode: Opcode, _ payload: [UInt8]) {
            let number = number
            loop.submit { $0.send(opcode, payload, on: number) }
        }

        /// Closes the WebSocket after earlier output, or ends the request if the WebSocket is not open yet. A `code`
        /// that no frame may contain becomes ``CloseCode/normal``.
        package func close(_ code: CloseCode, reason: String) {
            let number = number
            loop.submit { $0.close(number, code, reason: reason) }
        }

        /// Closes the connection at once, without a close frame. Nothing more is reported.
        package func cut() {
            let number = number
            loop.submit { $0.cut(number) }
        }
    }
}

final class HTTPClientState {
    typealias Submit = @Sendable (@escaping @Sendable (HTTPClientState) -> Void) -> Void

    private let clock: any EventClock
    private let pool: SocketPool?
    private let poolFailure: SocketError?
    private var generator: SeededGenerator
    private var connections: [Int: ConnectionState] = [:]
    private var owners: [SocketID: Int] = [:]
    private var submit: Submit = { _ in }
    private var dialledPorts: Set<UInt16> = []

    init(clock: any EventClock, seed: UInt64, unsentBytes: Int) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
        var limits = SocketLimits()
        limits.writeBufferBytes = unsentBytes
        do throws(SocketError) {
            (pool, poolFailure) = (try SocketPool(limits: limits), nil)
        } catch {
            (pool, poolFailure) = (nil, error)
        }
    }

    func start(on queue: LoopQueue, onReady: @escaping @Sendable () -> Void, submit: @escaping Submit) {
        self.submit = submit
        pool?.start(on: queue, onReady: onReady)
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        for connection in connections.values { finish(connection, .shutDown) }
        guard let pool else { return completion() }
        pool.shutDown(completion)
    }

    // MARK: - Requests

    func begin(
        _ number: Int, _ request: HTTPClient.Request, backlog: Backlog?,
        report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) {
        let submit = submit
        let connection = ConnectionState(
            number: number, request, Exchange(request, &generator), backlog: backlog, at: clock.now,
            lastFailure: poolFailure ?? SocketError(.resolve(host: request.endpoint.host), .notAnAddress),
            timer: clock.makeTimer { submit { $0.timerFired(number) } }, report: report)
        connections[number] = connection
        if pool?.isShutDown == true { return finish(connection, .shutDown) }
        if request.endpoint.isEncrypted { return finish(connection, .encryptionUnavailable) }
        connection.armTimer()
        let (host, port) = (request.endpoint.host, request.endpoint.port)
        if let address = SocketAddress(host: host, port: port) { return start(connection, [address]) }
        Task {
            let result: Result<[SocketAddress], SocketError>
            do throws(SocketError) {
                result = .success(try await Resolver.resolve(host: host, port: port))
            } catch {
                result = .failure(error)
            }
            submit { $0.resolved(number, result) }
        }
    }

    func send(_ opcode: Opcode, _ payload: [UInt8], on number: Int) {
        guard let connection = connections[number], let socket = connection.socket,
            let frame = connection.exchange?.message(opcode, payload), !frame.isEmpty
        else { return }
        pool?.write(socket, frame)
        pool?.flush()
    }

    func readOn(_ number: Int) {
        guard let socket = connections[number]?.socket else { return }
        pool?.resumeReading(socket)
    }

    func close(_ number: Int, _ code: CloseCode, reason: String) {
        guard let connection = connections[number],
            let outputs = connection.exchange?.close(code, reason: reason)
        else { return }
        connection.deadline = clock.now + ClientLimits.closeHandshake
        execute(outputs, connection)
        connection.armTimer()
        pool?.flush()
    }

    func cut(_ number: Int) {
        if let connection = connections[number] { drop(connection) }
    }

    // MARK: - Dialling

    private func resolved(_ number: Int, _ result: Result<[SocketAddress], SocketError>) {
        guard let connection = connections[number] else { return }
        switch result {
        case .success(let addresses): start(connection, addresses)
        case .failure(let error): finish(connection, .unreachable(error))
        }
    }

    private func start(_ connection: ConnectionState, _ addresses: [SocketAddress]) {
        connection.race = AddressRace(addresses)
        dialNext(connection)
        pool?.flush()
    }

    private func dialNext(_ connection: ConnectionState) {
        connection.nextTry = nil
        while let pool, let address = connection.race.next() {
            do throws(SocketError) {
                let socket = try pool.connect(to: address)
                owners[socket] = connection.number
                connection.dialling.append(socket)
                if !connection.race.isEmpty { connection.nextTry = clock.now + ClientLimits.addressStagger }
                return connection.armTimer()
            } catch {
                connection.lastFailure = error
            }
        }
        if connection.dialling.isEmpty { finish(connection, .unreachable(connection.lastFailure)) }
    }

    private func connected(_ socket: SocketID) {
        guard let connection = owner(of: socket), connection.socket == nil else {
            pool?.abort(socket)
            return
        }
        connection.socket = socket
        connection.nextTry = nil
        for other in connection.dialling where other != socket { release(other) }
        connection.dialling = []
        if let exchange = connection.exchange { pool?.write(socket, exchange.opening) }
        connection.armTimer()
        sendBody(connection)
    }

    /// Sends the body until the output buffer is full or the body ends.
    private func sendBody(_ connection: ConnectionState) {
        guard let pool, let socket = connection.socket else { return }
        while connection.body != nil, connection.exchange != nil,
            pool.pendingBytes(socket) <= ClientLimits.fileBytes - ClientLimits.filePiece
        {
            guard let piece = connection.body?.next(atMost: ClientLimits.filePiece) else {
                connection.body = nil
                return finish(connection, .badFile)
            }
            if piece.isEmpty { connection.body = nil } else { pool.write(socket, piece) }
        }
        guard connection.exchange != nil, let total = connection.bodyBytes else { return }
        let sent = total - (connection.body?.missing ?? 0) - pool.pendingBytes(socket)
        guard sent > connection.sentBytes else { return }
        connection.sentBytes = sent
        connection.report(.sent(sent))
    }

    // MARK: - Events

    func traffic() -> HTTPClient.Traffic {
        drain()
        let sockets = pool?.traffic ?? []
        dialledPorts.formUnion(sockets.map(\.localPort))
        return HTTPClient.Traffic(sockets: sockets, dialled: dialledPorts, connectionCount: owners.count)
    }

    func drain() {
        pool?.drain { handle($0) }
    }

    private func handle(_ event: SocketEvent) {
        switch event {
        case .connected(let socket): connected(socket)
        case .received(let socket, let bytes):
            guard let connection = owner(of: socket) else { return }
            execute(connection.exchange?.receive(bytes) ?? [], connection)
        case .inputClosed(let socket):
            guard let connection = owner(of: socket) else { return }
            execute(connection.exchange?.inputClosed() ?? [], connection)
            pool?.close(socket, afterFlush: true)
        case .closed(let socket, let error):
            guard let connection = owner(of: socket) else { return }
            owners[socket] = nil
            if connection.socket == socket {
                execute(connection.exchange?.inputClosed(because: error) ?? [], connection)
                remove(connection)
            } else {
                connection.dialling.removeAll { $0 == socket }
                if let error { connection.lastFailure = error }
                dialNext(connection)
            }
        case .writable(let socket): if let connection = owner(of: socket) { sendBody(connection) }
        case .accepted, .congested, .acceptPaused: break
        }
    }

    private func execute(_ outputs: [Exchange.Output], _ connection: ConnectionState) {
        for output in outputs {
            switch output {
            case .write(let bytes): if let socket = connection.socket { pool?.write(socket, bytes) }
            case .report(let news):
                // Counts the bytes first: the receiver may acknowledge them at once, on another thread.
                if let size = news.byteCount, connection.backlog?.add(size) == true,
                    let socket = connection.socket
                {
                    pool?.pauseReading(socket)
                }
                connection.report(news)
                switch news {
                case .opened: connection.deadline = nil
                case .began: connection.deadline = connection.silence.map { clock.now + $0 }
                case .part:
                    guard let silence = connection.silence else { continue }
                    connection.deadline = clock.now + silence
                default: continue
                }
                connection.armTimer()
            case .leave: closeInOrder(connection)
            }
        }
    }

    /// Closes the connection after all output is sent, or after a timeout.
    private func closeInOrder(_ connection: ConnectionState) {
        (connection.exchange, connection.body) = (nil, nil)
        guard let socket = connection.socket else { return drop(connection) }
        connection.deadline = clock.now + ClientLimits.closeHandshake
        connection.armTimer()
        pool?.close(socket, afterFlush: true)
    }

    private func timerFired(_ number: Int) {
        guard let connection = connections[number] else { return }
        let now = clock.now
        if let deadline = connection.deadline, deadline <= now { return timedOut(connection) }
        if let nextTry = connection.nextTry, nextTry <= now { dialNext(connection) }
        connection.armTimer()
        pool?.flush()
    }

    private func timedOut(_ connection: ConnectionState) {
        if connection.exchange?.hasBeenOpen == true { return finish(connection, .closeUnanswered) }
        finish(
            connection, .timedOut(host: connection.host, seconds: connection.timeout?.seconds ?? 0))
    }

    // MARK: - Endings

    /// Reports the failure, unless the end was already reported. Closes the connection at once.
    private func finish(_ connection: ConnectionState, _ failure: HTTPClient.Failure) {
        if connection.exchange != nil { connection.report(.failed(failure)) }
        drop(connection)
    }

    private func drop(_ connection: ConnectionState) {
        for socket in connection.dialling { release(socket) }
        connection.dialling = []
        if let socket = connection.socket { release(socket) }
        remove(connection)
    }

    private func release(_ socket: SocketID) {
        owners[socket] = nil
        pool?.abort(socket)
    }

    private func remove(_ connection: ConnectionState) {
        connection.exchange = nil
        connection.socket = nil
        connection.deadline = nil
        connection.nextTry = nil
        connection.armTimer()
        connections[connection.number] = nil
    }

    private func owner(of socket: SocketID) -> ConnectionState? {
        owners[socket].flatMap { connections[$0] }
    }
}
