import Clocks
import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

/// The event loop of the running ``Server``. Passes input of sockets, queues and timers to it, and executes its outputs
/// (decision record 0001).
final class ServerLoop {
    let server: Server
    let sockets: SocketPool
    var listener: ListenerID?
    var onEmpty: [@Sendable () -> Void] = []
    var timer: (any EventTimer)?
    /// A real-time timer for the control API.
    var realTimer: (any EventTimer)?
    var realArmed: Instant?
    var resume: (@Sendable (@escaping @Sendable (ServerLoop) -> Void) -> Void)?
    var queues: [WorkLane: WorkQueue] = [:]
    /// Whether a pause in accepting was logged.
    private var hasLoggedPause = false
    @exclusivity(unchecked) private var frameHeader: [UInt8] = []
    @exclusivity(unchecked) private var isExecuting = false
    /// Reused buffers for outputs being executed, and for their frames.
    @exclusivity(unchecked) private var spare: [ServerOutput] = []
    @exclusivity(unchecked) private var spareFramed: [UInt8] = []

    var configuration: Configuration { server.configuration }
    var clock: any SteerableClock { server.clock }

    init(_ parts: ServerDependencies) throws(ServerError) {
        server = Server(parts)
        do {
            sockets = try SocketPool(limits: parts.configuration.socketLimits(parts.shares))
        } catch {
            throw .cannotListen("\(error)")
        }
        // Not within an execution, whose later outputs would be overtaken.
        server.sendOutputs = { [unowned self] in if !isExecuting { executeBatch() } }
    }

    // MARK: - Input

    func handle(_ event: SocketEvent) {
        switch event {
        case .accepted(let socket, let peer, _):
            hasLoggedPause = false
            server.accept(socket, from: peer, open: sockets.openSockets)
        case .received(let socket, let bytes):
            guard let connection = server.connection(of: socket) else { return }
            // Updates the socket counts first, because the request may read them.
            if connection.exchange != nil { noteSockets() }
            server.receive(bytes, on: connection)
        case .inputClosed(let socket):
            if let connection = server.connection(of: socket) { server.inputClosed(connection) }
        case .closed(let socket, let error):
            if let connection = server.connection(of: socket) { server.lose(connection, error) }
        case .acceptPaused(let error):
            if server.timers.acceptAgainAt == nil, !hasLoggedPause {
                server.remark("accept paused", "\(error)")
            }
            hasLoggedPause = true
            server.timers.acceptAgain(at: clock.now + .milliseconds(ServerLimits.acceptRetryMilliseconds))
        case .congested(let socket):
            if let connection = server.connection(of: socket) { watchOutput(of: connection) }
        case .writable(let socket):
            guard let connection = server.connection(of: socket) else { return }
            endOutputWatch(of: connection)
            noteOutput(of: connection, isReader: false)
        case .connected: break
        }
        execute()
    }

    func noteSockets() {
        let totals = sockets.totals
        server.sockets = SocketCounts(
            open: sockets.openSockets, unsent: sockets.unsentBytes, received: totals.received,
            sent: totals.sent)
    }

    func noteOutput(of connection: Connection, isReader: Bool) {
        server.noteOutput(sockets.pendingBytes(connection.socket), of: connection, isReader: isReader)
    }

    // MARK: - Turns

    /// Handles ready sockets. If `stays` is false, returns without busy-polling.
    func drain(stays: Bool = true) {
        handleSockets()
        endTurn(stays: stays)
    }

    /// Runs deadlines that have passed. `stays` is as in ``drain(stays:)``.
    func fire(stays: Bool = true) {
        server.timers.fired()
        runDue(at: clock.now)
        endTurn(stays: stays)
    }

    private func endTurn(stays: Bool) {
        if stays { stayWhileBusy() }
        rearm()
        server.turnWatch.leave()
    }

    private func handleSockets() {
        server.turnWatch.enter(.sockets)
        server.deflate?.allowance = ServerLimits.inflatedBytes
        server.controls.steps.renew()
        sockets.drain { [self] event in handle(event) }
        server.turnWatch.enter(.watchers)
        server.serveWatchers()
        execute()
        sockets.flush()
        checkEmpty()
    }

    /// Busy-polls for sockets and deadlines (``BusyPoll``).
    private func stayWhileBusy() {
        guard clock.mode == .real, !server.isSteered, BusyPollSlot.acquire() else { return }
        defer { BusyPollSlot.release() }
        let stay = BusyPoll(
            from: clock.now, most: .milliseconds(ServerLimits.stayMilliseconds),
            linger: .microseconds(ServerLimits.lingerMicroseconds))
        // Checks these conditions each time, because a request may stop the clock.
        while !server.isStopping, clock.mode == .real, !server.isSteered {
            let now = clock.now
            guard let step = stay.step(at: now, due: server.nextTurn) else { return }
            if step.runsDue { runDue(at: now) }
            guard let isReady = sockets.linger(for: step.wait), isReady || !step.isLast else { return }
            if isReady { handleSockets() }
        }
    }

    private func runDue(at now: Instant) {
        server.runDue(at: now)
        execute()
        server.turnWatch.enter(.output)
        sockets.flush()
        checkEmpty()
    }

    /// Runs `body`, then executes the server's outputs.
    func input<Result>(_ body: (Server) -> Result) -> Result {
        noteSockets()
        let result = body(server)
        server.executeEffects()
        server.serveWatchers()
        execute()
        sockets.flush()
        rearm()
        return result
    }

    private func rearm() {
        if let turn = server.timers.arm(for: server.nextTurn) { timer?.arm(at: turn) }
        guard let due = server.controls.realDeadline, due != realArmed else { return }
        realArmed = due
        if realTimer == nil, let resume {
            realTimer = server.wallClock.makeTimer { resume { $0.wakeWatchers() } }
        }
        realTimer?.arm(at: due)
    }

    private func wakeWatchers() {
        realArmed = nil
        input { $0.control.wakeWatchers() }
    }

    // MARK: - Outputs

    func execute() {
        while !server.outputs.isEmpty || !server.crowded.isEmpty {
            executeBatch()
            guard !server.crowded.isEmpty else { continue }
            let crowded = server.crowded
            server.crowded = []
            for (connection, isReader) in crowded { noteOutput(of: connection, isReader: isReader) }
        }
    }

    private func executeBatch() {
        isExecuting = true
        defer { isExecuting = false }
        // By swapping, since a copy would retain the buffer.
        var (batch, framed): ([ServerOutput], [UInt8]) = ([], [])
        swap(&batch, &spare)
        swap(&batch, &server.outputs)
        swap(&framed, &spareFramed)
        swap(&framed, &server.framed)
        server.outputBytes = 0
        // Reads each output in place, because a copy would retain all references in it.
        batch.withUnsafeBufferPointer { batch in
            for index in batch.indices { execute(batch[index], framed) }
        }
        // One by one, since `removeAll` costs 90 instructions for the one output of most turns.
        if batch.count <= ServerLimits.keptOutputs { while batch.popLast() != nil {} } else { batch = [] }
        framed.removeAll(keepingCapacity: framed.count <= ServerLimits.scratchBytes)
        swap(&batch, &spare)
        swap(&framed, &spareFramed)
    }

    private func execute(_ output: ServerOutput, _ framed: [UInt8]) {
        switch output {
        case .frame(let socket, let range):
            framed.withUnsafeBytes {
                sockets.write(
                    socket,
                    UnsafeRawBufferPointer(rebasing: $0[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
        case .message(let socket, let opcode, let payload):
            frameHeader.removeAll(keepingCapacity: true)
            FrameWriter.appendHeader(opcode: opcode, length: payload.count, fin: true, to: &frameHeader)
            sockets.write(socket, frameHeader, payload)
        case .compressed(let socket, let opcode, let packed):
            frameHeader.removeAll(keepingCapacity: true)
            FrameWriter.appendCompressedHeader(opcode: opcode, length: packed.count, to: &frameHeader)
            sockets.write(socket, frameHeader, packed)
        case .chunk(let socket, let bytes):
            sockets.write(socket, reserving: bytes.count + TransferChunk.frameBytes) {
                TransferChunk.append(bytes, into: &$0)
            }
        case .write(let socket, let bytes): sockets.write(socket, bytes)
        case .flush(let socket): sockets.flush(socket)
        case .pauseReading(let socket): sockets.pauseReading(socket)
        case .resumeReading(let socket): sockets.resumeReading(socket)
        case .close(let connection):
            sockets.close(connection.socket, afterFlush: true)
            noteTaken(of: connection)
        case .abort(let socket): sockets.abort(socket)
        case .overflow(let connection):
            guard server.connection(of: connection.socket) === connection else { return }
            sockets.abort(connection.socket)
            let limit = server.ledger.limits.held
            server.lose(connection, SocketError(.write, .tooMuchOutputOfAll(limitBytes: limit)))
        case .endOverdue(let connection):
            guard server.connection(of: connection.socket) === connection else { return }
            if !waitsForOutput(connection) { server.abort(connection) }
        case .lookAtOutput(let slot): lookAtOutput(of: slot)
        case .resumeAccepting: sockets.resumeAccepting()
        case .work(let away): start(away)
        case .again(let turn): resume? { loop in loop.input { turn($0) } }
        }
    }

    private func start(_ away: AwayWork) {
        guard let resume else { return }
        let queue = queue(for: away.lane)
        let run = away.run
        queue.async {
            guard let result = run() else { return }
            resume { loop in
                loop.input { result.proceed($0) }
                queue.async { result.drop() }
            }
        }
    }

    func queue(for lane: WorkLane) -> WorkQueue {
        if let queue = queues[lane] { return queue }
        let queue = WorkQueue(label: lane.rawValue, isUrgent: lane == .medium)
        queues[lane] = queue
        return queue
    }

    // MARK: - Output that waits for peers

    /// Starts to watch a peer with much unsent output.
    func watchOutput(of connection: Connection) {
        guard connection.costs.stall == nil else { return }
        noteTaken(of: connection)
        server.timers.stalls.note(
            clock.now + configuration.limits.stallTime, for: Int32(connection.socket.slot))
    }

    func endOutputWatch(of connection: Connection) {
        connection.costs.stall = nil
        server.timers.stalls.remove(Int32(connection.socket.slot))
    }

    /// Disconnects a stalled peer, or schedules another check.
    func lookAtOutput(of slot: Int32) {
        guard let connection = server.connections[Int(slot)] else { return }
        let now = clock.now
        if isStalled(connection, at: now) {
            cutStalled(connection)
        } else {
            server.timers.stalls.note(
                (connection.costs.stall?.since ?? now) + configuration.limits.stallTime, for: slot)
        }
    }

    /// Returns false if a closing connection can end now.
    func waitsForOutput(_ connection: Connection) -> Bool {
        let now = clock.now
        guard sockets.pendingBytes(connection.socket) > 0 else {
            // The last bytes may still be in transit.
            guard connection.costs.stall != nil else { return false }
            endOutputWatch(of: connection)
            server.setDeadline(now + configuration.limits.closeTime, of: connection)
            return true
        }
        if connection.costs.stall == nil { noteTaken(of: connection) }
        if isStalled(connection, at: now) {
            cutStalled(connection)
        } else {
            server.setDeadline(now + configuration.limits.closeTime, of: connection)
        }
        return true
    }

    /// Records the bytes that the peer has acknowledged so far.
    func noteTaken(of connection: Connection) {
        guard connection.costs.stall == nil, sockets.pendingBytes(connection.socket) > 0 else { return }
        connection.costs.stall = Connection.Stall(
            sent: sockets.acknowledgedBytes(connection.socket), since: clock.now)
    }

    private func isStalled(_ connection: Connection, at now: Instant) -> Bool {
        connection.isStalled(
            sent: sockets.acknowledgedBytes(connection.socket), for: configuration.limits.stallTime, at: now)
    }

    private func cutStalled(_ connection: Connection) {
        let time = configuration.limits.stallTime
        server.remark("connection cut", "the peer read nothing for \(time) (limits.stallTime)", connection)
        server.recordDrop(connection, .lost)
        server.abort(connection)
    }

    // MARK: - Starting and stopping

    func listen(on host: String, port: UInt16) -> Result<UInt16, ServerError> {
        do throws(SocketError) {
            let (id, address) = try sockets.listen(host: host, port: port)
            listener = id
            guard sockets.hasSpareDescriptors(ServerLimits.leastDescriptors) else {
                sockets.stopListening(id)
                return .failure(
                    .cannotListen(
                        "the system lets this program open too few files at once (ulimit -n); allow 64 or "
                            + "more, and one for each connection"))
            }
            server.listens(on: host, address)
            return .success(address.port)
        } catch {
            return .failure(.cannotListen("\(error)"))
        }
    }

    /// Starts the sockets. `timer` must call ``fire(stays:)`` on the loop.
    func start(timer: any EventTimer, on queue: LoopQueue, onReady: @escaping @Sendable () -> Void) {
        self.timer = timer
        sockets.start(on: queue, onReady: onReady)
        server.noteShortTokens()
    }

    /// Stops accepting and closes connections. Returns true if sockets are still open.
    func beginStop() -> Bool {
        guard !server.isStopping else { return sockets.openSockets > 0 }
        if let listener { sockets.stopListening(listener) }
        server.stop()
        execute()
        sockets.flush()
        return sockets.openSockets > 0
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        server.shutDown()
        timer?.disarm()
        timer = nil
        realTimer?.disarm()
        sockets.shutDown(completion)
        checkEmpty()
    }

    func checkEmpty() {
        guard sockets.openSockets == 0, !onEmpty.isEmpty else { return }
        let waiting = onEmpty
        onEmpty = []
        for notify in waiting { notify() }
    }
}
