import Clocks
import ConversationEngine
import Deflate
import ServerCore
import SocketTransport

/// The turns of the loop: sockets and deadlines, in real time or as somebody moves the clock.
extension ServerLoop {
    /// Sockets are ready. With `stays` false the queue is free again at once, for a look into the server.
    func drain(stays: Bool = true) {
        handleSockets()
        endTurn(stays: stays)
    }

    /// A deadline may have passed; `stays` as in ``drain(stays:)``.
    func fire(stays: Bool = true) {
        timers.fired()
        runDue(at: clock.now)
        endTurn(stays: stays)
    }

    /// The same while the clock is moved, as part of the turn that is under way.
    func fireSteered() {
        timers.fired()
        server.controls.steps.renew()
        // Delayed input is handled at its own moment of the clock, so inflating it has no allowance here.
        deflate?.allowance = .max
        runDue(at: clock.now)
        deflate?.allowance = ServerLimits.inflatedBytes
        rearm()
    }

    private func endTurn(stays: Bool) {
        if stays { stayWhileBusy() }
        rearm()
        turnWatch.leave()
    }

    private func handleSockets() {
        turnWatch.enter(.sockets)
        deflate?.allowance = ServerLimits.inflatedBytes
        server.controls.steps.renew()
        sockets.drain { [self] event in handle(event) }
        turnWatch.enter(.watchers)
        serveWatchers()
        checkEmpty()
    }

    /// A busy loop waits for sockets and deadlines where it is. Only when nothing happens for a while, or others
    /// have work for it, does it go back to Dispatch.
    private func stayWhileBusy() {
        guard clock.mode == .real, !server.isSteered, StayPlace.take() else { return }
        defer { StayPlace.giveBack() }
        let stay = BusyStay(
            from: clock.now, most: .milliseconds(ServerLimits.stayMilliseconds),
            linger: .microseconds(ServerLimits.lingerMicroseconds))
        // Asked again each time: a request may have stopped the clock.
        while !isStopping, clock.mode == .real, !server.isSteered {
            let now = clock.now
            guard let step = stay.step(at: now, due: nextTurn) else { return }
            if step.runsDue { runDue(at: now) }
            guard let isReady = sockets.linger(for: step.wait), isReady || !step.isLast else { return }
            if isReady { handleSockets() }
        }
    }

    private func runDue(at now: Instant) {
        if timers.run(at: now) { sockets.resumeAccepting() }
        turnWatch.enter(.timeOuts)
        timeOutConnections(at: now)
        watchStalls(at: now)
        turnWatch.enter(.valves)
        for due in timers.valves.takeDue(by: now) {
            if let connection = server.connections[Int(due.slot)] { server.catchUp(connection) }
        }
        turnWatch.enter(.laws)
        server.checkLaws(at: now)
        turnWatch.enter(.sessions)
        server.engine.advance(to: now, into: &server.effects)
        turnWatch.enter(.effects)
        server.performEffects()
        for due in timers.encoders.takeDue(by: now) { server.advanceEncoder(of: due.slot, to: now) }
        turnWatch.enter(.watchers)
        serveWatchers()
        turnWatch.enter(.output)
        sockets.flush()
        checkEmpty()
    }

    private func timeOutConnections(at now: Instant) {
        for due in timers.deadlines.takeDue(by: now) {
            // Another one in the same place, or the same one, may have a new deadline meanwhile.
            let isDue = timers.deadlines.deadline(of: due.slot) == nil
            if isDue, let connection = server.connections[Int(due.slot)] { timeOut(connection) }
        }
    }

    /// Shows new rows to everyone who watches; costs nothing while nobody does.
    private func serveWatchers() {
        if !server.controls.watching.isEmpty { control.serveWatchers() }
    }

    /// Work from outside the sockets: runs `body`, then sends and arms whatever came of it.
    func perform(_ body: (ServerLoop) -> Void) {
        body(self)
        server.performEffects()
        serveWatchers()
        sockets.flush()
        rearm()
    }

    /// When ``fire(stays:)`` is next wanted; may be early, never late.
    var nextDeadline: Instant? {
        timers.next(sessions: server.engine.nextDeadline, laws: server.nextLawCheck)
    }

    private var nextTurn: Instant? { timers.turn(for: nextDeadline, isSpaced: clock.mode == .real) }

    private func rearm() {
        if let turn = timers.arm(for: nextTurn) { timer?.arm(at: turn) }
    }

    /// Calls ``timeOut(_:)`` at `deadline`, in place of an earlier choice; nil means never.
    func setDeadline(_ deadline: Instant?, of connection: Connection) {
        timers.deadlines.note(deadline, for: Int32(connection.socket.slot))
    }

    func setValve(_ deadline: Instant?, of connection: Connection) {
        timers.valves.note(deadline, for: Int32(connection.socket.slot))
    }

    func setEncoder(_ deadline: Instant?, of slot: Int32) { timers.encoders.note(deadline, for: slot) }
}
