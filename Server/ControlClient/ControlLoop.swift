import Clocks
import SocketTransport

/// The sockets of a ``ControlClient`` and what each is for. Lives on one loop.
final class ControlLoop {
    private let clock: any EventClock
    private let pool: SocketPool?
    private var generator: SeededGenerator
    private var lines: [Int: ControlLine] = [:]
    private var owners: [SocketID: Int] = [:]
    private var submit: @Sendable (@escaping @Sendable (ControlLoop) -> Void) -> Void = { _ in }

    init(clock: any EventClock, seed: UInt64) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
        var limits = SocketTransport.Limits()
        limits.writeBufferBytes = ControlLimits.unsentBytes
        pool = try? SocketPool(limits: limits)
    }

    func start(
        on queue: LoopQueue, onReady: @escaping @Sendable () -> Void,
        submit: @escaping @Sendable (@escaping @Sendable (ControlLoop) -> Void) -> Void
    ) {
        self.submit = submit
        pool?.start(on: queue, onReady: onReady)
    }

    func makeNonce() -> [UInt8] {
        (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    func makeSeed() -> UInt64 { generator.next() }

    // MARK: - Beginning

    func begin(
        _ number: Int, _ address: ControlAddress, opening: [UInt8], patience: Interval?,
        _ work: ControlLine.Work
    ) {
        let submit = submit
        let timer = clock.makeTimer { submit { $0.timerFired(number) } }
        let line = ControlLine(
            number: number, url: address.url, opening: opening, work: work, patience: patience, timer: timer)
        lines[number] = line
        if let patience { timer.arm(at: clock.now + patience) }
        Task {
            let result: Result<[SocketAddress], SocketError>
            do throws(SocketError) {
                result = .success(try await Resolver.resolve(host: address.host, port: address.port))
            } catch {
                result = .failure(error)
            }
            submit { $0.resolved(number, result) }
        }
    }

    private func resolved(_ number: Int, _ result: Result<[SocketAddress], SocketError>) {
        guard let line = lines[number] else { return }
        switch result {
        case .success(let addresses):
            line.addresses = addresses[...]
            dial(line, nil)
            pool?.flush()
        case .failure(let error): finish(line, .unreachable(url: line.url, reason: error.description))
        }
    }

    /// Tries the next address; `last` is why the one before failed.
    private func dial(_ line: ControlLine, _ last: SocketError?) {
        var last = last
        while let pool, let address = line.addresses.popFirst() {
            do throws(SocketError) {
                let socket = try pool.connect(to: address)
                owners[socket] = line.number
                line.socket = socket
                pool.write(socket, line.opening)
                return
            } catch {
                last = error
            }
        }
        guard let last else {
            return finish(line, .unreachable(url: line.url, reason: "the system gave no descriptor"))
        }
        finish(
            line,
            last.isRefused
                ? .nothingAnswers(url: line.url) : .unreachable(url: line.url, reason: last.description))
    }

    // MARK: - Events

    func drain() {
        pool?.drain { handle($0) }
    }

    private func handle(_ event: SocketEvent) {
        switch event {
        case .received(let socket, let bytes):
            guard let line = line(of: socket) else { return }
            received(bytes, line)
        case .inputClosed(let socket):
            guard let line = line(of: socket) else { return }
            inputEnded(line, nil)
            drop(line)
        case .closed(let socket, let error):
            guard let number = owners.removeValue(forKey: socket), let line = lines[number] else { return }
            line.socket = nil
            if case .connect = error?.attempt { return dial(line, error) }
            inputEnded(line, error?.description)
            drop(line)
        case .connected, .accepted, .writable, .acceptPaused: break
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ line: ControlLine) {
        switch line.work {
        case .call(var exchange, let completion):
            line.work = .none
            exchange.receive(bytes)
            line.work = .call(exchange, completion: completion)
            tell(exchange, line, completion)
        case .feed(var exchange, let report):
            line.work = .none
            let outputs = exchange.receive(bytes)
            line.work = .feed(exchange, report: report)
            act(on: outputs, line, report)
        case .none: break
        }
    }

    private func inputEnded(_ line: ControlLine, _ reason: String?) {
        switch line.work {
        case .call(var exchange, let completion):
            if let reason { exchange.fail(reason) } else { exchange.inputClosed() }
            tell(exchange, line, completion)
        case .feed(var exchange, let report): act(on: exchange.inputClosed(reason), line, report)
        case .none: break
        }
    }

    private func tell(
        _ exchange: CallExchange, _ line: ControlLine,
        _ completion: @Sendable (Result<ControlAnswer, ControlError>) -> Void
    ) {
        guard let outcome = exchange.outcome else { return }
        line.work = .none
        drop(line)
        completion(outcome)
    }

    private func act(
        on outputs: [FeedExchange.Output], _ line: ControlLine,
        _ report: @Sendable (FeedExchange.Output) -> Void
    ) {
        for output in outputs {
            switch output {
            case .write(let bytes): if let socket = line.socket { pool?.write(socket, bytes) }
            case .text: report(output)
            case .ended:
                line.work = .none
                line.timer.disarm()
                // The answer to a Close leaves before the socket does.
                if let socket = line.socket { pool?.close(socket, afterFlush: true) }
                report(output)
            }
        }
    }

    private func timerFired(_ number: Int) {
        guard let line = lines[number], let patience = line.patience else { return }
        finish(line, .tooLate(url: line.url, seconds: patience.seconds))
    }

    // MARK: - Ending

    /// Closes at once and tells nothing.
    func leave(_ number: Int) {
        guard let line = lines[number] else { return }
        line.work = .none
        drop(line)
    }

    private func finish(_ line: ControlLine, _ error: ControlError) {
        drop(line)
        line.fail(error)
    }

    private func drop(_ line: ControlLine) {
        if let socket = line.socket {
            owners[socket] = nil
            pool?.abort(socket)
        }
        line.socket = nil
        line.timer.disarm()
        lines[line.number] = nil
    }

    private func line(of socket: SocketID) -> ControlLine? {
        owners[socket].flatMap { lines[$0] }
    }
}
