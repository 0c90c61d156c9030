import Clocks

/// Faults of a session.
extension Conversation {
    /// Lets the agent fail if a fault with an agent error fires at `moment`. Returns true if the agent failed.
    mutating func fire(
        _ moment: Fault.Moment, standsForMore: Bool = false, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) -> Bool {
        for index in faults.indices {
            guard case .agentError(let problem) = faults[index].fault.effect,
                faults[index].fires(at: moment, standsForMore: standsForMore)
            else { continue }
            outbox.append(.note(handle, .faultFired(faults[index].fault.name, mark: cause.mark)))
            record(.notice(.error, .known(problem, detail: nil)), metadata: metadata, at: now, &outbox)
            if hasRunLog { failRun(RunFailure(problem.rawValue, code: problem.codeOfRuns), at: now, &outbox) }
            return true
        }
        return false
    }

    /// Returns the handoff outcome that a fault forces at `moment`, or nil.
    mutating func forcedOutcome(_ moment: Fault.Moment, _ outbox: inout [Effect]) -> Handoff.Outcome? {
        for index in faults.indices {
            guard case .handoff(let outcome) = faults[index].fault.effect,
                faults[index].fires(at: moment)
            else { continue }
            outbox.append(.note(handle, .faultFired(faults[index].fault.name, mark: cause.mark)))
            return outcome
        }
        return nil
    }

    /// Emits the faults that fire at `moment`.
    mutating func fireOnWire(
        _ moment: Fault.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false,
        _ outbox: inout [Effect]
    ) {
        guard !faults.isEmpty else { return }
        for firing in wireFirings(moment, on: connection, standsForMore: standsForMore) {
            outbox.append(.note(handle, .faultFired(firing.name, mark: cause.mark)))
            outbox.append(.fire(handle, firing))
        }
    }

    /// Counts and returns the faults that fire at `moment` and that the server applies.
    mutating func wireFirings(
        _ moment: Fault.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false
    ) -> [FiredFault] {
        var firings: [FiredFault] = []
        for index in faults.indices where faults[index].fault.isOnTheWire {
            // A fault at "any event" fires only at the moment of that name.
            guard (faults[index].fault.moment == .anyEvent) == (moment == .anyEvent) else { continue }
            if let connection, let only = faults[index].connection, only != connection { continue }
            guard faults[index].fires(at: moment, standsForMore: standsForMore) else { continue }
            firings.append(faults[index].firing)
        }
        return firings
    }

    /// Counts a handshake, refused or not, and returns the faults that affect it.
    mutating func handshake() -> [FiredFault] {
        handshakeCount += 1
        return faults.isEmpty ? [] : wireFirings(.handshake(handshakeCount))
    }

    /// Returns the faults that affect a request of the session, refused or not.
    mutating func request(_ operation: String) -> [FiredFault] {
        guard !faults.isEmpty else { return [] }
        requestCounts[operation, default: 0] += 1
        return wireFirings(.request(operation, requestCounts[operation] ?? 1))
    }

    mutating func inject(_ fault: Fault, id: UInt64?, connection: ConnectionID? = nil) {
        // The caller limits the number of faults with an id.
        guard id != nil || faults.count < ConversationLimits.faults else { return }
        faults.append(ActiveFault(fault, id: id, connection: connection, seed: seed))
    }

    mutating func remove(_ id: UInt64) { faults.removeAll { $0.id == id } }
}

extension KnownProblem {
    fileprivate var codeOfRuns: String { self == .highLoad ? "rate_limited" : "agent_unavailable" }
}
