import Clocks
import ConversationEngine
import Deflate
import ServerCore
import SocketTransport

/// The turns of the loop: sockets and deadlines.
extension ServerLoop {
    /// Sockets are ready. With `stays` false the queue is free again at once, for a look into the server.
    func drain(stays: Bool = true) {
        handleSockets()
        endTurn(stays: stays)
    }

    /// A deadline may have passed; `stays` as in ``drain(stays:)``.
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
        perform()
        sockets.flush()
        checkEmpty()
    }

    /// A busy loop waits for sockets and deadlines where it is. Only when nothing happens for a while, or others
    /// have work for it, does it go back to Dispatch.
    private func stayWhileBusy() {
        guard clock.mode == .real, !server.isSteered, BusyPollSlot.take() else { return }
        defer { BusyPollSlot.giveBack() }
        let stay = BusyPoll(
            from: clock.now, most: .milliseconds(ServerLimits.stayMilliseconds),
            linger: .microseconds(ServerLimits.lingerMicroseconds))
        // Asked again each time: a request may have stopped the clock.
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
        perform()
        server.turnWatch.enter(.output)
        sockets.flush()
        checkEmpty()
    }

    /// Input from outside of the sockets: runs `body`, then sends and arms whatever came of it.
    func input<Result>(_ body: (Server) -> Result) -> Result {
        noteSockets()
        let result = body(server)
        server.performEffects()
        server.serveWatchers()
        perform()
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
}
