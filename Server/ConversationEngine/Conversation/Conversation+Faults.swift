import Clocks

/// Faults of a session. Failures of the agent and handoffs act here; others become ``FiredFault`` effects for the
/// shell.
extension Conversation {
    /// Applies the first failure of the agent at `moment`; `standsForMore` as in
    /// ``ActiveFault/fires(at:standsForMore:)``.
    ///
    /// - Returns: true if the agent failed and has nothing else to send.
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

    /// Forced outcome of a handoff at `moment`.
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

    /// Emits fires for the next delivered entry, for all connections or `connection` alone.
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

    /// Counted fires on bytes at `moment`.
    mutating func wireFirings(
        _ moment: Fault.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false
    ) -> [FiredFault] {
        var firings: [FiredFault] = []
        for index in faults.indices where faults[index].fault.isOnTheWire {
            // "Any event" is counted once per event.
            guard (faults[index].fault.moment == .anyEvent) == (moment == .anyEvent) else { continue }
            if let connection, let only = faults[index].connection, only != connection { continue }
            guard faults[index].fires(at: moment, standsForMore: standsForMore) else { continue }
            firings.append(faults[index].firing)
        }
        return firings
    }

    /// Counts a handshake, refused or not.
    mutating func handshake() -> [FiredFault] {
        handshakeCount += 1
        return faults.isEmpty ? [] : wireFirings(.handshake(handshakeCount))
    }

    /// Counts a request of the session, refused or not.
    mutating func request(_ operation: String) -> [FiredFault] {
        guard !faults.isEmpty else { return [] }
        requestCounts[operation, default: 0] += 1
        return wireFirings(.request(operation, requestCounts[operation] ?? 1))
    }

    mutating func inject(_ fault: Fault, id: UInt64?, connection: ConnectionID? = nil) {
        // Limited by whoever adds them.
        guard id != nil || faults.count < ConversationLimits.faults else { return }
        faults.append(ActiveFault(fault, id: id, connection: connection, seed: seed))
    }

    mutating func remove(_ id: UInt64) { faults.removeAll { $0.id == id } }
}

extension KnownProblem {
    /// Error code in runs.
    fileprivate var codeOfRuns: String { self == .highLoad ? "rate_limited" : "agent_unavailable" }
}
