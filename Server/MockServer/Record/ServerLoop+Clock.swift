import Clocks
import ConversationEngine
import SocketTransport

/// Time as tests and people move it (mock-server MS-1).
extension ServerLoop {
    /// Everything that will happen by itself, earliest first.
    func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        var timers = engine.pendingTimers(limit: limit).map(numbered)
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
        case .http: connection.requestBegan != nil ? ("request limit", false) : ("keep-alive limit", false)
        case .handshake: ("handshake", !isEndless(connection))
        case .answering: ("held answer", !isEndless(connection))
        case .sending: ("reading limit", false)
        case .waiting: ("wait for rows", false)
        case .webSocket: (connection.stall == nil ? "close limit" : "reading limit", false)
        case .closing: nil
        }
    }

    /// The engine knows connections by ids of its own; people know them by their numbers.
    private func numbered(_ timer: PendingTimer) -> PendingTimer {
        let words = timer.name.split(separator: " ")
        guard words.suffix(2).first == "connection", let id = words.last.flatMap({ UInt64($0) }),
            let connection = connection(of: ConnectionID(id))
        else { return timer }
        var timer = timer
        timer.name = (words.dropLast().map(String.init) + ["\(connection.number)"]).joined(separator: " ")
        return timer
    }

    /// A stall without an end is nothing to wait for.
    private func isEndless(_ connection: Connection) -> Bool {
        connection.heldUntil.map { $0 - clock.now > .hours(ServerLimits.endlessStallHours / 2) } ?? false
    }

    func sessionID(of connection: Connection) -> String {
        guard case .session(let handle, _) = connection.purpose else { return "" }
        return sessionID(of: handle)
    }

    func sessionID(of handle: SessionHandle) -> String {
        wire(of: handle)?.id ?? ""
    }

    /// The waiting times that make a fast server look like the service; none while somebody holds the clock, or
    /// nobody could connect.
    func entryDelay(_ delay: Interval) -> Interval {
        (clock as? DrivenClock)?.mode == .frozen ? .zero : delay
    }

    /// Moves time to `target`, each deadline at its own instant.
    func advance(to target: Instant) {
        isSteered = true
        defer { isSteered = false }
        while let next = nextDeadline, next <= target {
            clock.advance(to: next)
            fire()
        }
        clock.advance(to: target)
        fire()
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
        while let next = nextScriptDeadline {
            guard next <= end else { return false }
            advance(to: max(next, clock.now))
        }
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
