package import Clocks

extension ClientCore {
    private enum Machine: CaseIterable {
        case session, connection, receive, recovery, delivery, typing, heartbeat, silence, closing, poll
    }

    private func deadline(of machine: Machine) -> Instant? {
        switch machine {
        case .session: session.nextDeadline
        case .connection: connection.nextDeadline
        case .receive: receive.nextDeadline
        case .recovery: recovery.nextDeadline
        case .delivery: delivery.nextDeadline
        case .typing: outgoingTyping.nextDeadline
        case .heartbeat: heartbeat.nextDeadline
        case .silence: silentUntil
        case .closing: closesAt
        case .poll: pollsAt
        }
    }

    private var next: (deadline: Instant, machine: Machine)? {
        guard phase != .shutDown else { return nil }
        var next: (deadline: Instant, machine: Machine)?
        for machine in Machine.allCases {
            guard let deadline = deadline(of: machine) else { continue }
            if let present = next, present.deadline <= deadline { continue }
            next = (deadline, machine)
        }
        return next
    }

    package var nextDeadline: Instant? { next?.deadline }

    /// Handles due deadlines, the earliest first, at most ``MessagingLimits/runsOfTurn`` in one call.
    package mutating func advance(to now: Instant) -> [Output] {
        var left = MessagingLimits.runsOfTurn
        while left > 0, let next, next.deadline <= now {
            left -= 1
            run(next.machine, at: now)
        }
        return takeOutputs()
    }

    private mutating func run(_ machine: Machine, at now: Instant) {
        switch machine {
        case .session: apply(session.advance(to: now), at: now)
        case .connection: apply(connection.advance(to: now), at: now)
        case .receive:
            switch receive.advance(to: now) {
            case .askForReplay: apply(connection.recycle("An event is missing", at: now), at: now)
            case .deliver(let deliveries): process(deliveries, at: now)
            case nil: break
            }
        case .recovery: if recovery.advance(to: now) { sendJoin(at: now) }
        case .delivery: apply(delivery.advance(to: now))
        case .typing: if outgoingTyping.advance(to: now) { transmit(.userTyping(.stopped)) }
        case .heartbeat:
            switch heartbeat.advance(to: now, isBehind: isBehind) {
            case .send: transmit(.heartbeat)
            case .unanswered: apply(connection.recycle("No answer to heartbeats", at: now), at: now)
            case nil: break
            }
        case .silence:
            silentUntil = nil
            apply(connection.recycle("The server says nothing", at: now), at: now)
        case .closing: closeEnded(at: now)
        case .poll:
            pollsAt = now + MessagingLimits.offlinePoll
            outputs.append(.checkNetwork)
        }
    }
}
