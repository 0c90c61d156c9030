import Clocks
import ConversationEngine
import SocketTransport

/// The turns of the loop: sockets and deadlines, in real time or as somebody moves the clock.
extension ServerLoop {
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
        handleSockets()
        stayWhileBusy()
        rearm()
        leaveTurn()
    }

    /// The same for whoever looks into the server, and must have the queue free again at once.
    func drainOnce() {
        handleSockets()
        rearm()
        leaveTurn()
    }

    /// A deadline may have passed.
    func fire() {
        armedFor = nil
        runDue(at: clock.now)
        stayWhileBusy()
        rearm()
        leaveTurn()
    }

    /// The same while the clock is moved, as part of the turn that is under way.
    func fireSteered() {
        armedFor = nil
        runDue(at: clock.now)
        rearm()
    }

    /// The same for whoever looks into the server.
    func fireOnce() {
        armedFor = nil
        runDue(at: clock.now)
        rearm()
        leaveTurn()
    }

    private func handleSockets() {
        enter(.sockets)
        sockets.drain { [self] event in handle(event) }
        enter(.watchers)
        serveWatchers()
        checkEmpty()
    }

    /// A busy loop waits for sockets and deadlines where it is. Only when nothing happens for a while, or others
    /// have work for it, does it go back to Dispatch.
    private func stayWhileBusy() {
        guard clock.mode == .real, !isSteered, Self.takePlace() else { return }
        defer { Self.givePlaceBack() }
        let end = clock.now + .milliseconds(ServerLimits.stayMilliseconds)
        // Asked again each time: a request may have stopped the clock.
        while !isStopping, clock.mode == .real, !isSteered {
            let now = clock.now
            guard now < end else { return }
            let idleEnd = now + .microseconds(ServerLimits.lingerMicroseconds)
            let due = nextTurn
            if let due, due <= now {
                runDue(at: now)
                // Whatever else there is, sockets come in between.
                guard let isReady = sockets.linger(for: .zero) else { return }
                if isReady { handleSockets() }
                continue
            }
            let wakeUp = min(due ?? idleEnd, idleEnd)
            guard let isReady = sockets.linger(for: wakeUp - now), isReady || wakeUp != idleEnd else {
                return
            }
            if isReady { handleSockets() }
        }
    }

    private func runDue(at now: Instant) {
        lastRun = now
        if let due = acceptAgainAt, due <= now {
            acceptAgainAt = nil
            sockets.resumeAccepting()
        }
        enter(.timeOuts)
        timeOutConnections(at: now)
        enter(.valves)
        releaseValves(at: now)
        enter(.laws)
        checkLaws(at: now)
        enter(.sessions)
        engine.advance(to: now, into: &effects)
        enter(.effects)
        performEffects()
        advanceProjections(at: now)
        enter(.watchers)
        serveWatchers()
        enter(.output)
        sockets.flush()
        checkEmpty()
    }

    private func timeOutConnections(at now: Instant) {
        for due in deadlines.takeDue(by: now) {
            guard let connection = connections[Int(due.slot)] else { continue }
            // Another one in the same place, or the same one, may have a new deadline meanwhile.
            guard deadlines.deadline(of: due.slot) == nil else { continue }
            timeOut(connection)
        }
    }

    /// Shows new rows to everyone who watches; costs nothing while nobody does.
    private func serveWatchers() {
        if !controlState.watching.isEmpty { control.serveWatchers() }
    }

    /// Work from outside the sockets: runs `body`, then sends and arms whatever came of it.
    func perform(_ body: (ServerLoop) -> Void) {
        body(self)
        performEffects()
        serveWatchers()
        sockets.flush()
        rearm()
    }

    /// When ``fire()`` is next wanted; may be early, never late.
    var nextDeadline: Instant? {
        var earliest = engine.nextDeadline
        if let acceptAgainAt { earliest = min(earliest ?? acceptAgainAt, acceptAgainAt) }
        if let first = deadlines.first { earliest = min(earliest ?? first.deadline, first.deadline) }
        if let first = valves.first { earliest = min(earliest ?? first.deadline, first.deadline) }
        if let first = projections.first { earliest = min(earliest ?? first.deadline, first.deadline) }
        if let check = nextLawCheck { earliest = min(earliest ?? check, check) }
        return earliest
    }

    /// When deadlines are looked at next. Many that are close together are done at once: each turn costs as much as
    /// sending several chunks.
    private var nextTurn: Instant? {
        guard let earliest = nextDeadline else { return nil }
        guard clock.mode == .real, let lastRun else { return earliest }
        return max(earliest, lastRun + .microseconds(ServerLimits.turnSpacingMicroseconds))
    }

    private func rearm() {
        guard let earliest = nextTurn else { return }
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

    // MARK: - One loop of a process at a time

    /// Dispatch gives a process as many threads as there are processors, and makes more only when it sees that they
    /// stand still: loops that waited side by side would take them from everything else.
    private static let isPlaceTaken = Locked(false)

    private static func takePlace() -> Bool {
        isPlaceTaken.withLock { isTaken in
            guard !isTaken else { return false }
            isTaken = true
            return true
        }
    }

    private static func givePlaceBack() {
        isPlaceTaken.withLock { $0 = false }
    }
}
