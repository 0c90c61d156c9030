import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport

/// Time as tests and people move it.
extension Server {
    /// Everything that will happen by itself, earliest first.
    func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        var pending = engine.pendingTimers(limit: limit).map(numbered)
        for case let outbox? in outboxes {
            guard let due = timers.encoders.deadline(of: outbox.handle.slot) else { continue }
            pending.append(
                PendingTimer(
                    name: "the protocol's own deadline", sessionID: outbox.id, deadline: due, isScript: false)
            )
        }
        for connection in connections.compactMap({ $0 }) {
            let slot = Int32(connection.socket.slot)
            if let due = timers.valves.deadline(of: slot) {
                pending.append(
                    PendingTimer(
                        name: connection.channel?.heldFrames.isEmpty == false
                            ? "held frame on connection \(connection.number) leaves"
                            : "trouble on connection \(connection.number) lets go",
                        sessionID: sessionID(of: connection), deadline: due, isScript: true))
            }
            guard let due = timers.deadlines.deadline(of: slot),
                let (name, isScript) = connection.timerName(at: now)
            else {
                continue
            }
            pending.append(
                PendingTimer(
                    name: "\(name) on connection \(connection.number)",
                    sessionID: sessionID(of: connection),
                    deadline: due, isScript: isScript))
        }
        return Array(pending.sorted { $0.deadline < $1.deadline }.prefix(limit))
    }

    /// Those of one session's talk.
    func pendingTimers(of session: Conversation) -> [PendingTimer] {
        session.pendingTimers.map(numbered).sorted { $0.deadline < $1.deadline }
    }

    /// Does now what one timer is for; false when it is gone.
    func run(_ timer: PendingTimer) -> Bool {
        withEngine { $0.run(timer, at: now, into: &$1) }
    }

    /// Takes one timer away; false when it cannot be.
    func drop(_ timer: PendingTimer) -> Bool {
        withEngine { $0.drop(timer, at: now, into: &$1) }
    }

    /// The engine knows connections by ids of its own; people know them by their numbers.
    private func numbered(_ timer: PendingTimer) -> PendingTimer {
        guard let connection = timer.connection.flatMap({ self.connection(of: $0) }) else { return timer }
        var timer = timer
        timer.name += " of connection \(connection.number)"
        return timer
    }

    var clockMode: ClockMode { clock.mode }

    /// - Returns: false when a test moves the clock.
    func setClockMode(_ mode: ClockMode) -> Bool { clock.setMode(mode) }

    /// The server's clock shows another time than the wall's from now on.
    func leaveWallTime() { isOnWallTime = false }

    /// Moves time to `target`, each deadline at its own instant. What stays due at one moment, however often it is
    /// dealt with, is left for later.
    func advance(to target: Instant) {
        leaveWallTime()
        isSteered = true
        defer { isSteered = false }
        // Part of the turn in which somebody asked for it.
        let outer = turnWatch.enter(.steering)
        defer { turnWatch.resume(outer) }
        var budget = MomentBudget(rounds: ServerLimits.turnsAtOneMoment)
        while let next = nextDeadline, next <= target {
            guard budget.spend(at: max(next, now)) else {
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
        isOnWallTime = false
        guard let next = pendingTimers(limit: 1).first else { return nil }
        advance(to: max(next.deadline, now))
        return next
    }

    /// Moves on until no script is under way and nothing is held back, `limit` at most.
    ///
    /// - Returns: false when the limit came first.
    func runUntilQuiet(limit: Interval) -> Bool {
        isOnWallTime = false
        let end = now + limit
        var budget = MomentBudget(rounds: ServerLimits.turnsAtOneMoment)
        while let next = nextScriptDeadline {
            guard next <= end, budget.spend(at: max(next, now)) else { return false }
            advance(to: max(next, now))
        }
        return true
    }

    /// Brings a clock that was moved back to the wall's time. Only while no session is left: time that goes back would
    /// leave its deadlines far away.
    ///
    /// - Returns: whether the server's clock shows the wall's time.
    func returnToWall() -> Bool {
        guard !isOnWallTime else { return true }
        guard let driven = clock as? DrivenClock, driven.mode == .real,
            engine.sessionCount == 0
        else {
            return false
        }
        let step = driven.rejoinBase()
        timers.shift(by: step)
        for connection in connections.compactMap({ $0 }) {
            connection.exchange?.value.shift(by: step)
            connection.holds = connection.holds.map { hold in
                HoldQueue.Hold(end: hold.end + step, holder: hold.holder)
            }
            guard case .waiting(var wait) = connection.stage else { continue }
            wait.deadline = wait.deadline + step
            connection.stage = .waiting(wait)
        }
        // What they remember of moments that are to come again would hold clients back, or accuse them.
        buckets = TokenBuckets()
        chronicle.breaches.forgetMoments()
        chronicle.unmatched.forgetMoments()
        isOnWallTime = true
        return true
    }

    /// When something of a script happens next, or of what is on its way to a client; nil when all is quiet.
    var nextScriptDeadline: Instant? {
        var earliest = [engine.nextScriptDeadline, timers.valves.first?.deadline].compactMap { $0 }.min()
        for connection in connections.compactMap({ $0 }) {
            guard let (_, isScript) = connection.timerName(at: now), isScript,
                let due = timers.deadlines.deadline(of: Int32(connection.socket.slot))
            else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }
}

extension Connection {
    /// What its deadline is for; nil where nobody waits for that.
    fileprivate func timerName(at now: Instant) -> (String, isScript: Bool)? {
        switch stage {
        case .http(let exchange):
            exchange.value.isBusy ? ("request limit", false) : ("keep-alive limit", false)
        case .handshake: ("handshake", !isEndless(at: now))
        case .held: ("held answer", !isEndless(at: now))
        case .waiting: ("wait for rows", false)
        case .working: ("answer in the making", false)
        case .stream, .webSocket: ("close limit", false)
        case .closing: nil
        }
    }

    /// A stall without an end is nothing to wait for.
    private func isEndless(at now: Instant) -> Bool {
        heldUntil.map { $0 - now > .hours(CoreLimits.endlessStallHours / 2) } ?? false
    }
}
