import Clocks
import ConversationEngine
import ServerCore

/// Time as tests and people move it.
extension ServerLoop {
    func sessionID(of connection: Connection) -> String {
        connection.session.map { sessionID(of: $0) } ?? ""
    }

    func sessionID(of handle: SessionHandle) -> String {
        outbox(of: handle)?.id ?? ""
    }

    /// The waiting times that make a fast server look like the service; none while somebody holds the clock, or
    /// nobody could connect.
    func entryDelay(_ delay: Interval) -> Interval {
        (clock as? DrivenClock)?.mode == .frozen ? .zero : delay
    }

    /// Moves time to `target`, each deadline at its own instant. What stays due at one moment, however often it is
    /// dealt with, is left for later.
    func advance(to target: Instant) {
        isSteered = true
        defer { isSteered = false }
        #if DEBUG
            // Part of the turn in which somebody asked for it.
            let outer = turnWatch.enter(.steering)
            defer { turnWatch.resume(outer) }
        #endif
        var budget = MomentBudget(rounds: ServerLimits.turnsAtOneMoment)
        while let next = nextDeadline, next <= target {
            guard budget.spend(at: max(next, clock.now)) else {
                remark("clock", "something stays due at one moment; time goes on without it")
                break
            }
            clock.advance(to: next)
            fireSteered()
        }
        clock.advance(to: target)
        fireSteered()
    }
}
