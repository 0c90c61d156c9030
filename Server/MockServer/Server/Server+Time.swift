import Clocks
import ConversationEngine
import Deflate
import ServerCore

extension Server {
    /// The time at which ``runDue(at:)`` must run next. It may be too early.
    var nextDeadline: Instant? {
        timers.next(sessions: engine.nextDeadline, protocolRules: nextProtocolRuleCheck)
    }

    var nextTurn: Instant? { timers.turn(for: nextDeadline, isSpaced: clock.mode == .real) }

    func runDue(at now: Instant) {
        if timers.run(at: now) { outputs.append(.resumeAccepting) }
        turnWatch.enter(.timeOuts)
        timeOutConnections(at: now)
        for due in timers.stalls.takeDue(by: now) { outputs.append(.lookAtOutput(slot: due.slot)) }
        turnWatch.enter(.held)
        for due in timers.holds.takeDue(by: now) {
            if let connection = connections[Int(due.slot)] { catchUp(connection) }
        }
        turnWatch.enter(.protocolRules)
        checkProtocolRules(at: now)
        turnWatch.enter(.sessions)
        if let due = engine.advance(to: now, into: &effects), isOnWallTime, !isSteered {
            timers.lateness.note(now - due)
        }
        turnWatch.enter(.effects)
        executeEffects()
        for due in timers.encoders.takeDue(by: now) { advanceEncoder(of: due.slot, to: now) }
        turnWatch.enter(.watchers)
        serveWatchers()
    }

    private func timeOutConnections(at now: Instant) {
        for due in timers.deadlines.takeDue(by: now) {
            // The connection in this slot may have got a new deadline, and is then not due.
            let isDue = timers.deadlines.deadline(of: due.slot) == nil
            if isDue, let connection = connections[Int(due.slot)] { timeOut(connection) }
        }
    }

    func serveWatchers() {
        if !controls.watching.isEmpty { control.serveWatchers() }
    }

    /// Runs what is due while the clock is moved, within the current turn.
    func fireSteered() {
        timers.fired()
        controls.steps.renew()
        // Each piece of delayed input is handled at its own instant, so inflation has no limit.
        deflate?.allowance = .max
        runDue(at: clock.now)
        deflate?.allowance = ServerLimits.inflatedBytes
    }
}
