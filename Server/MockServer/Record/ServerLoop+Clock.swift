import Clocks
import ConversationEngine
import DialectKit
import LawBook
import ServerCore
import SocketTransport

/// Time as tests and people move it.
extension ServerLoop {
    /// Everything that will happen by itself, earliest first.
    func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        var timers = engine.pendingTimers(limit: limit).map(numbered)
        for case let outbox? in outboxes where outbox.projection != nil {
            guard let due = projections.deadline(of: outbox.handle.slot) else { continue }
            timers.append(
                PendingTimer(
                    name: "the protocol's own deadline", sessionID: outbox.id, deadline: due, isScript: false)
            )
        }
        for connection in connections.compactMap({ $0 }) {
            let slot = Int32(connection.socket.slot)
            if let due = valves.deadline(of: slot) {
                timers.append(
                    PendingTimer(
                        name: "trouble on connection \(connection.number) lets go",
                        sessionID: sessionID(of: connection), deadline: due, isScript: true))
            }
            guard let due = deadlines.deadline(of: slot), let (name, isScript) = timerName(connection) else {
                continue
            }
            timers.append(
                PendingTimer(
                    name: "\(name) on connection \(connection.number)", sessionID: sessionID(of: connection),
                    deadline: due, isScript: isScript))
        }
        return Array(timers.sorted { $0.deadline < $1.deadline }.prefix(limit))
    }

    private func timerName(_ connection: Connection) -> (String, isScript: Bool)? {
        switch connection.stage {
        case .http(let exchange):
            exchange.value.isBusy ? ("request limit", false) : ("keep-alive limit", false)
        case .handshake: ("handshake", !isEndless(connection))
        case .held: ("held answer", !isEndless(connection))
        case .sending: ("reading limit", false)
        case .stream: ("close limit", false)
        case .waiting: ("wait for rows", false)
        case .working: ("answer in the making", false)
        case .webSocket(let webSocket):
            (webSocket.pause == nil ? "close limit" : "reading limit", false)
        case .closing: nil
        }
    }

    /// The engine knows connections by ids of its own; people know them by their numbers.
    private func numbered(_ timer: PendingTimer) -> PendingTimer {
        guard let connection = timer.connection.flatMap({ connection(of: $0) }) else { return timer }
        var timer = timer
        timer.name += " of connection \(connection.number)"
        return timer
    }

    /// A stall without an end is nothing to wait for.
    private func isEndless(_ connection: Connection) -> Bool {
        connection.heldUntil.map { $0 - clock.now > .hours(CoreLimits.endlessStallHours / 2) } ?? false
    }

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

    /// Moves to the next deadline of all and does what is due there.
    ///
    /// - Returns: what it was; nil when nothing is pending.
    func runNextTimer() -> PendingTimer? {
        guard let next = pendingTimers(limit: 1).first else { return nil }
        advance(to: max(next.deadline, clock.now))
        return next
    }

    /// Moves on until no script is under way and nothing is held back, `limit` at most.
    ///
    /// - Returns: false when the limit came first.
    func runUntilQuiet(limit: Interval) -> Bool {
        let end = clock.now + limit
        var budget = MomentBudget(rounds: ServerLimits.turnsAtOneMoment)
        while let next = nextScriptDeadline {
            guard next <= end, budget.spend(at: max(next, clock.now)) else { return false }
            advance(to: max(next, clock.now))
        }
        return true
    }

    /// Brings a clock that was moved back to the wall's time. Only while no session is left: time that goes back would
    /// leave its deadlines far away.
    ///
    /// - Returns: whether the server's clock shows the wall's time.
    func returnToWall() -> Bool {
        guard !isOnWallTime else { return true }
        guard let driven = clock as? DrivenClock, driven.mode == .real, engine.sessionCount == 0 else {
            return false
        }
        let step = driven.rejoinBase()
        deadlines.shift(by: step)
        valves.shift(by: step)
        projections.shift(by: step)
        acceptAgainAt = acceptAgainAt.map { $0 + step }
        for connection in connections.compactMap({ $0 }) {
            connection.exchange?.value.shift(by: step)
            connection.holds = connection.holds.map { hold in
                Valve.Hold(end: hold.end + step, holder: hold.holder)
            }
            guard case .waiting(var wait) = connection.stage else { continue }
            wait.deadline = wait.deadline + step
            connection.stage = .waiting(wait)
        }
        // What they remember of moments that are to come again would hold clients back, or accuse them.
        buckets = TokenBuckets()
        chronicle.laws.book.forgetMoments()
        chronicle.unmatched.forgetMoments()
        lastRun = nil
        armedFor = nil
        isOnWallTime = true
        return true
    }

    /// When something of a script happens next, or of what is on its way to a client; nil when all is quiet.
    var nextScriptDeadline: Instant? {
        var earliest = [engine.nextScriptDeadline, valves.first?.deadline].compactMap { $0 }.min()
        for connection in connections.compactMap({ $0 }) {
            guard let (_, isScript) = timerName(connection), isScript,
                let due = deadlines.deadline(of: Int32(connection.socket.slot))
            else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }
}
