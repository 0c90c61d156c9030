import Clocks
import SocketTransport
import WebSocketCore

/// What the network loop owns: the sockets and what each is for.
final class PlainNetworkState {
    typealias Submit = @Sendable (@escaping @Sendable (PlainNetworkState) -> Void) -> Void

    let clock: any EventClock
    let pool: SocketPool?
    private var generator: SeededGenerator
    private(set) var lines: [Int: PlainLine] = [:]
    private(set) var owners: [SocketID: Int] = [:]
    private var submit: Submit = { _ in }
    private var dialledPorts: Set<UInt16> = []

    init(clock: any EventClock, seed: UInt64) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
        var limits = SocketTransport.Limits()
        limits.writeBufferBytes = Limits.unsentBytes
        pool = try? SocketPool(limits: limits)
    }

    func start(on queue: LoopQueue, onReady: @escaping @Sendable () -> Void, submit: @escaping Submit) {
        self.submit = submit
        pool?.start(on: queue, onReady: onReady)
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        for line in lines.values { finish(line, "The network was shut down.") }
        lines = [:]
        owners = [:]
        guard let pool else { return completion() }
        pool.shutDown(completion)
    }

    func makeNonce() -> [UInt8] {
        (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    func makeSeed() -> UInt64 { generator.next() }

    // MARK: - Wishes

    func begin(_ number: Int, _ target: PlainTarget, _ work: PlainLine.Work, backlog: Backlog? = nil) {
        let submit = submit
        let timer = clock.makeTimer { submit { $0.timerFired(number) } }
        let line = PlainLine(
            number: number, host: target.host, work: work, backlog: backlog,
            deadline: clock.now + Limits.exchangeTimeout, timer: timer)
        lines[number] = line
        line.armTimer()
        if let address = SocketAddress(host: target.host, port: target.port) {
            return start(line, [address])
        }
        Task {
            let result: Result<[SocketAddress], SocketError>
            do throws(SocketError) {
                result = .success(try await Resolver.resolve(host: target.host, port: target.port))
            } catch {
                result = .failure(error)
            }
            submit { $0.resolved(number, result) }
        }
    }

    func send(_ opcode: Opcode, _ payload: [UInt8], on number: Int) {
        guard let line = lines[number], let socket = line.socket,
            case .socket(var exchange, let report) = line.work
        else { return }
        line.work = .none
        let frame = exchange.message(opcode, payload)
        line.work = .socket(exchange, report: report)
        guard !frame.isEmpty else { return }
        pool?.write(socket, frame)
        pool?.flush()
    }

    /// The client has dealt with most of what was reported.
    func readOn(_ number: Int) {
        guard let socket = lines[number]?.socket else { return }
        pool?.resumeReading(socket)
    }

    func close(_ number: Int, code: Int, reason: String) {
        guard let line = lines[number], case .socket(var exchange, let report) = line.work else { return }
        guard code != ConnectionCloseEvent.abnormalCode else { return drop(line) }
        let outputs = exchange.close(code: code, reason: reason)
        line.work = .socket(exchange, report: report)
        line.deadline = clock.now + Limits.closeHandshake
        act(on: outputs, line, report)
        line.armTimer()
        pool?.flush()
    }

    // MARK: - Dialling

    private func resolved(_ number: Int, _ result: Result<[SocketAddress], SocketError>) {
        guard let line = lines[number] else { return }
        switch result {
        case .success(let addresses): start(line, addresses)
        case .failure(let error): finish(line, "\(error)")
        }
    }

    private func start(_ line: PlainLine, _ addresses: [SocketAddress]) {
        line.race = AddressRace(addresses)
        dialNext(line)
        pool?.flush()
    }

    private func dialNext(_ line: PlainLine) {
        line.nextTry = nil
        while let address = line.race.next() {
            guard let pool else { break }
            do throws(SocketError) {
                let socket = try pool.connect(to: address)
                owners[socket] = line.number
                line.dialling.append(socket)
                if !line.race.isEmpty { line.nextTry = clock.now + Limits.addressStagger }
                return line.armTimer()
            } catch {
                line.lastFailure = "\(error)"
            }
        }
        if line.dialling.isEmpty { finish(line, line.lastFailure ?? "\(line.host) has no address.") }
    }

    private func connected(_ socket: SocketID) {
        guard let line = line(of: socket), line.socket == nil else {
            pool?.abort(socket)
            return
        }
        line.socket = socket
        line.nextTry = nil
        for other in line.dialling where other != socket { release(other) }
        line.dialling = []
        pool?.write(socket, line.opening)
        line.armTimer()
    }

    // MARK: - Events

    /// Reads what has arrived, and tells what went through each connection.
    func traffic() -> PlainTraffic {
        drain()
        let sockets = pool?.traffic ?? []
        dialledPorts.formUnion(sockets.map(\.localPort))
        return PlainTraffic(sockets: sockets, dialled: dialledPorts, lineCount: owners.count)
    }

    func drain() {
        pool?.drain { handle($0) }
    }

    private func handle(_ event: SocketEvent) {
        switch event {
        case .connected(let socket): connected(socket)
        case .received(let socket, let bytes):
            if let line = line(of: socket) { received(bytes, line) }
        case .inputClosed(let socket):
            guard let line = line(of: socket) else { return }
            inputEnded(line, nil)
            pool?.close(socket, afterFlush: true)
        case .closed(let socket, let error):
            guard let line = line(of: socket) else { return }
            owners[socket] = nil
            if line.socket == socket {
                inputEnded(line, error.map { "\($0)" })
                remove(line)
            } else {
                line.dialling.removeAll { $0 == socket }
                if let error { line.lastFailure = "\(error)" }
                dialNext(line)
            }
        case .accepted, .writable, .acceptPaused: break
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ line: PlainLine) {
        switch line.work {
        case .request(var exchange, let completion):
            line.work = .none
            exchange.receive(bytes)
            line.work = .request(exchange, completion: completion)
            tellReply(exchange, line, completion)
        case .socket(var exchange, let report):
            line.work = .none
            let outputs = exchange.receive(bytes)
            line.work = .socket(exchange, report: report)
            act(on: outputs, line, report)
        case .none: break
        }
    }

    private func inputEnded(_ line: PlainLine, _ reason: String?) {
        switch line.work {
        case .request(var exchange, let completion):
            exchange.inputClosed()
            line.work = .request(exchange, completion: completion)
            tellReply(exchange, line, completion)
        case .socket(var exchange, let report):
            let outputs = exchange.inputClosed(reason)
            line.work = .socket(exchange, report: report)
            act(on: outputs, line, report)
        case .none: break
        }
    }

    private func tellReply(
        _ exchange: RequestExchange, _ line: PlainLine, _ completion: @Sendable (RESTReply) -> Void
    ) {
        guard let reply = exchange.reply else { return }
        completion(reply)
        leave(line)
    }

    private func act(
        on outputs: [SocketExchange.Output], _ line: PlainLine, _ report: @Sendable (SocketReport) -> Void
    ) {
        for output in outputs {
            switch output {
            case .write(let bytes): if let socket = line.socket { pool?.write(socket, bytes) }
            case .report(let news):
                // Before the report: who deals with it may be faster than we are.
                if let size = news.byteCount, line.backlog?.add(size) == true, let socket = line.socket {
                    pool?.pauseReading(socket)
                }
                report(news)
                guard news == .opened else { continue }
                line.deadline = nil
                line.armTimer()
            case .leave: leave(line)
            }
        }
    }

    /// The outcome is told: what is left is to close in good order, within a deadline.
    private func leave(_ line: PlainLine) {
        line.work = .none
        guard let socket = line.socket else { return drop(line) }
        line.deadline = clock.now + Limits.closeHandshake
        line.armTimer()
        pool?.close(socket, afterFlush: true)
    }

    private func timerFired(_ number: Int) {
        guard let line = lines[number] else { return }
        let now = clock.now
        if let deadline = line.deadline, deadline <= now { return timedOut(line) }
        if let nextTry = line.nextTry, nextTry <= now { dialNext(line) }
        line.armTimer()
        pool?.flush()
    }

    private func timedOut(_ line: PlainLine) {
        if case .socket(let exchange, let report) = line.work, exchange.hasBeenOpen {
            report(
                .closed(
                    ConnectionCloseEvent(
                        code: ConnectionCloseEvent.abnormalCode,
                        reason: "The server did not answer the Close frame.", wasClean: false)))
            line.work = .none
        }
        finish(line, "\(line.host) did not answer in \(Limits.exchangeTimeout.seconds) seconds.")
    }

    // MARK: - Endings

    /// Tells that nothing came of it, unless the outcome has been told, and closes at once.
    private func finish(_ line: PlainLine, _ failure: String) {
        switch line.work {
        case .request(_, let completion): completion(.failed(.network(failure)))
        case .socket(_, let report): report(.failed(.network(failure)))
        case .none: break
        }
        drop(line)
    }

    /// Closes at once and tells nothing.
    private func drop(_ line: PlainLine) {
        line.work = .none
        for socket in line.dialling { release(socket) }
        line.dialling = []
        if let socket = line.socket { release(socket) }
        remove(line)
    }

    private func release(_ socket: SocketID) {
        owners[socket] = nil
        pool?.abort(socket)
    }

    private func remove(_ line: PlainLine) {
        line.work = .none
        line.socket = nil
        line.deadline = nil
        line.armTimer()
        lines[line.number] = nil
    }

    private func line(of socket: SocketID) -> PlainLine? {
        owners[socket].flatMap { lines[$0] }
    }
}

extension ConnectionCloseEvent {
    /// No Close frame may carry it: the connection ended without one (RFC 6455 §7.4.1).
    static let abnormalCode = CloseCode.abnormal.rawValue
}
