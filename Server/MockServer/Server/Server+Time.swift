import Clocks
import ConversationEngine
import Deflate
import ServerCore

/// Deadlines, in real time or as somebody moves the clock.
extension Server {
    /// When ``runDue(at:)`` is next wanted; may be early, never late.
    var nextDeadline: Instant? { timers.next(sessions: engine.nextDeadline, laws: nextLawCheck) }

    var nextTurn: Instant? { timers.turn(for: nextDeadline, isSpaced: clock.mode == .real) }

    /// Does what is due.
    func runDue(at now: Instant) {
        if timers.run(at: now) { outputs.append(.resumeAccepting) }
        turnWatch.enter(.timeOuts)
        timeOutConnections(at: now)
        for due in timers.stalls.takeDue(by: now) { outputs.append(.lookAtOutput(slot: due.slot)) }
        turnWatch.enter(.valves)
        for due in timers.valves.takeDue(by: now) {
            if let connection = connections[Int(due.slot)] { catchUp(connection) }
        }
        turnWatch.enter(.laws)
        checkLaws(at: now)
        turnWatch.enter(.sessions)
        engine.advance(to: now, into: &effects)
        turnWatch.enter(.effects)
        performEffects()
        for due in timers.encoders.takeDue(by: now) { advanceEncoder(of: due.slot, to: now) }
        turnWatch.enter(.watchers)
        serveWatchers()
    }

    private func timeOutConnections(at now: Instant) {
        for due in timers.deadlines.takeDue(by: now) {
            // Another one in the same place, or the same one, may have a new deadline meanwhile.
            let isDue = timers.deadlines.deadline(of: due.slot) == nil
            if isDue, let connection = connections[Int(due.slot)] { timeOut(connection) }
        }
    }

    /// Shows new rows to everyone who watches; costs nothing while nobody does.
    func serveWatchers() {
        if !controls.watching.isEmpty { control.serveWatchers() }
    }

    /// Does what is due while the clock is moved, as part of the turn under way.
    func fireSteered() {
        timers.fired()
        controls.steps.renew()
        // Delayed input is handled at its own moment of the clock, so inflating it has no allowance here.
        deflate?.allowance = .max
        runDue(at: clock.now)
        deflate?.allowance = ServerLimits.inflatedBytes
    }
}
