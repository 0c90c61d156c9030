import Clocks

/// Troubles of a session. Failures of the agent and handoffs act here; others become ``Strike`` effects for the shell.
extension Conversation {
    /// Applies the first failure of the agent at `moment`; `standsForMore` as in
    /// ``ArmedTrouble/strikes(at:standsForMore:)``.
    ///
    /// - Returns: true if the agent failed and has nothing else to send.
    mutating func strike(
        _ moment: Trouble.Moment, standsForMore: Bool = false, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) -> Bool {
        for index in troubles.indices {
            guard case .agentError(let problem) = troubles[index].trouble.effect,
                troubles[index].strikes(at: moment, standsForMore: standsForMore)
            else { continue }
            outbox.append(.note(handle, .troubled(troubles[index].trouble.name, mark: cause.mark)))
            record(.notice(.error, .known(problem, detail: nil)), metadata: metadata, at: now, &outbox)
            if hasRunLog { failRun(RunFailure(problem.rawValue, code: problem.codeOfRuns), at: now, &outbox) }
            return true
        }
        return false
    }

    /// Forced outcome of a handoff at `moment`.
    mutating func forcedOutcome(_ moment: Trouble.Moment, _ outbox: inout [Effect]) -> Handoff.Outcome? {
        for index in troubles.indices {
            guard case .handoff(let outcome) = troubles[index].trouble.effect,
                troubles[index].strikes(at: moment)
            else { continue }
            outbox.append(.note(handle, .troubled(troubles[index].trouble.name, mark: cause.mark)))
            return outcome
        }
        return nil
    }

    /// Emits strikes for the next delivered entry, for all connections or `connection` alone.
    mutating func strikeWire(
        _ moment: Trouble.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false,
        _ outbox: inout [Effect]
    ) {
        guard !troubles.isEmpty else { return }
        for strike in wireStrikes(moment, on: connection, standsForMore: standsForMore) {
            outbox.append(.note(handle, .troubled(strike.name, mark: cause.mark)))
            outbox.append(.strike(handle, strike))
        }
    }

    /// Counted strikes on bytes at `moment`.
    mutating func wireStrikes(
        _ moment: Trouble.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false
    ) -> [Strike] {
        var strikes: [Strike] = []
        for index in troubles.indices where troubles[index].trouble.isOnTheWire {
            // "Any event" is counted once per event.
            guard (troubles[index].trouble.moment == .anyEvent) == (moment == .anyEvent) else { continue }
            if let connection, let only = troubles[index].connection, only != connection { continue }
            guard troubles[index].strikes(at: moment, standsForMore: standsForMore) else { continue }
            strikes.append(troubles[index].strike)
        }
        return strikes
    }

    /// Counts a handshake, refused or not.
    mutating func handshake() -> [Strike] {
        handshakeCount += 1
        return troubles.isEmpty ? [] : wireStrikes(.handshake(handshakeCount))
    }

    /// Counts a request of the session, refused or not.
    mutating func request(_ operation: String) -> [Strike] {
        guard !troubles.isEmpty else { return [] }
        requestCounts[operation, default: 0] += 1
        return wireStrikes(.request(operation, requestCounts[operation] ?? 1))
    }

    mutating func arm(_ trouble: Trouble, id: UInt64?, connection: ConnectionID? = nil) {
        // Limited by whoever arms them.
        guard id != nil || troubles.count < ConversationLimits.troubles else { return }
        troubles.append(ArmedTrouble(trouble, id: id, connection: connection, seed: seed))
    }

    mutating func disarm(_ id: UInt64) { troubles.removeAll { $0.id == id } }
}

extension KnownProblem {
    /// Error code in runs.
    fileprivate var codeOfRuns: String { self == .highLoad ? "rate_limited" : "agent_unavailable" }
}
