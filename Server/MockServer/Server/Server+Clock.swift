import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport

extension Server {
    func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        var pending = engine.pendingTimers(limit: limit).map(numbered)
        func add(_ name: String, in session: String, due: Instant?, isScript: Bool) {
            guard let due else { return }
            pending.append(PendingTimer(name: name, sessionID: session, deadline: due, isScript: isScript))
        }
        for case let outbox? in outboxes {
            let due = timers.encoders.deadline(of: outbox.handle.slot)
            add("the protocol's own deadline", in: outbox.id, due: due, isScript: false)
        }
        for connection in connections.compactMap({ $0 }) {
            let (slot, session) = (Int32(connection.socket.slot), sessionID(of: connection))
            let held =
                connection.channel?.heldFrames.isEmpty == false
                ? "intercepted frame on connection \(connection.number) leaves"
                : "fault on connection \(connection.number) lets go"
            add(held, in: session, due: timers.holds.deadline(of: slot), isScript: true)
            guard let (name, isScript) = connection.timerName(at: now) else { continue }
            let due = timers.deadlines.deadline(of: slot)
            add("\(name) on connection \(connection.number)", in: session, due: due, isScript: isScript)
        }
        return Array(pending.sorted { $0.deadline < $1.deadline }.prefix(limit))
    }

    func pendingTimers(of session: Conversation) -> [PendingTimer] {
        session.pendingTimers.map(numbered).sorted { $0.deadline < $1.deadline }
    }

    func run(_ timer: PendingTimer) -> Bool { withEngine { $0.run(timer, at: now, into: &$1) } }

    func drop(_ timer: PendingTimer) -> Bool { withEngine { $0.drop(timer, at: now, into: &$1) } }

    /// Adds the connection's number to the timer's name.
    private func numbered(_ timer: PendingTimer) -> PendingTimer {
        guard let connection = timer.connection.flatMap({ self.connection(of: $0) }) else { return timer }
        var timer = timer
        timer.name += " of connection \(connection.number)"
        return timer
    }

    var clockMode: ClockMode { clock.mode }

    /// Returns false if the clock does not support the mode.
    func setClockMode(_ mode: ClockMode) -> Bool { clock.setMode(mode) }

    func leaveWallTime() { isOnWallTime = false }

    /// Moves time to `target`, and runs the deadlines on the way.
    func advance(to target: Instant) {
        leaveWallTime()
        isSteered = true
        defer { isSteered = false }

        let outer = turnWatch.enter(.clock)
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

    /// Moves time to the next pending timer. Returns the timer, or nil.
    func runNextTimer() -> PendingTimer? {
        guard let next = pendingTimers(limit: 1).first else { return nil }
        advance(to: max(next.deadline, now))
        return next
    }

    /// Moves time, by at most `limit`, until no script deadline is left. Returns false if one is left.
    func runUntilIdle(limit: Interval) -> Bool {
        let end = now + limit
        var budget = MomentBudget(rounds: ServerLimits.turnsAtOneMoment)
        while let next = nextScriptDeadline {
            guard next <= end, budget.spend(at: max(next, now)) else { return false }
            advance(to: max(next, now))
        }
        return true
    }

    /// Sets a moved clock in real mode back to wall-clock time if no session exists. Returns whether the clock shows
    /// wall-clock time.
    func returnToWall() -> Bool {
        guard !isOnWallTime else { return true }
        guard let driven = clock as? DrivenClock, driven.mode == .real, engine.sessionCount == 0 else {
            return false
        }
        let step = driven.rejoinBase()
        timers.shift(by: step)
        for connection in connections.compactMap({ $0 }) {
            connection.exchange?.value.shift(by: step)
            connection.holds = connection.holds.map { .init(end: $0.end + step, holder: $0.holder) }
            guard case .waiting(var wait) = connection.stage else { continue }
            wait.deadline = wait.deadline + step
            connection.stage = .waiting(wait)
        }
        // Drops stored times, which may now be in the future.
        buckets = TokenBuckets()
        events.violations.forgetMoments()
        events.unmatched.forgetMoments()
        isOnWallTime = true
        return true
    }

    /// The earliest deadline of a script or of traffic that is held back.
    var nextScriptDeadline: Instant? {
        var earliest = [engine.nextScriptDeadline, timers.holds.first?.deadline].compactMap { $0 }.min()
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

    /// Whether a fault holds back the answer without a time limit.
    private func isEndless(at now: Instant) -> Bool {
        heldUntil.map { $0 - now > .hours(CoreLimits.endlessStallHours / 2) } ?? false
    }
}
