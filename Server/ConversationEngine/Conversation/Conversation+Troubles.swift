import Clocks

/// Troubles of a session. Agent errors and outcomes of handoffs act here; all others become ``Strike`` effects, which
/// the shell applies to the next entry.
extension Conversation {
    /// Lets the first trouble in force that makes the agent fail strike at `moment`; `standsForMore` as in
    /// ``ArmedTrouble/strikes(at:standsForMore:)``.
    ///
    /// - Returns: true when the agent failed, so that nothing else is to be said.
    mutating func strike(
        _ moment: Trouble.Moment, standsForMore: Bool = false, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) -> Bool {
        for index in troubles.indices {
            guard case .agentError(let problem) = troubles[index].trouble.effect,
                troubles[index].strikes(at: moment, standsForMore: standsForMore)
            else { continue }
            outbox.append(.note(handle, .troubled(troubles[index].trouble.name, mark: cause.mark)))
            record(
                .notice(.error, .known(problem, detail: nil)), metadata: metadata, at: now, &outbox)
            if hasRunLog {
                failRun(RunFailure(problem.rawValue, code: problem.codeOfRuns), at: now, &outbox)
            }
            return true
        }
        return false
    }

    /// The outcome that a trouble forces on a handoff at `moment`; nil when none strikes.
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

    /// Emits the troubles that act on the next delivered entry, for all connections or for one `connection` alone.
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

    /// The troubles on the wire that strike at `moment`, counted.
    mutating func wireStrikes(
        _ moment: Trouble.Moment, on connection: ConnectionID? = nil, standsForMore: Bool = false
    ) -> [Strike] {
        var strikes: [Strike] = []
        for index in troubles.indices where troubles[index].trouble.isOnTheWire {
            // "Any event" is counted separately, once for each event.
            guard (troubles[index].trouble.moment == .anyEvent) == (moment == .anyEvent) else { continue }
            if let connection, let only = troubles[index].connection, only != connection { continue }
            guard troubles[index].strikes(at: moment, standsForMore: standsForMore) else { continue }
            strikes.append(troubles[index].strike)
        }
        return strikes
    }

    /// Counts a handshake, also one that will be refused.
    mutating func handshake() -> [Strike] {
        handshakeCount += 1
        return troubles.isEmpty ? [] : wireStrikes(.handshake(handshakeCount))
    }

    /// Counts a request that belongs to the session, also one that will be refused.
    mutating func request(_ operation: String) -> [Strike] {
        guard !troubles.isEmpty else { return [] }
        requestCounts[operation, default: 0] += 1
        return wireStrikes(.request(operation, requestCounts[operation] ?? 1))
    }

    mutating func arm(_ trouble: Trouble, id: UInt64?, connection: ConnectionID? = nil) {
        // Those from outside are bounded where they are armed.
        guard id != nil || troubles.count < ConversationLimits.troubles else { return }
        troubles.append(ArmedTrouble(trouble, id: id, connection: connection, seed: seed))
    }

    mutating func disarm(_ id: UInt64) {
        troubles.removeAll { $0.id == id }
    }
}

extension KnownProblem {
    /// What runs call it that fail because of it.
    fileprivate var codeOfRuns: String { self == .highLoad ? "rate_limited" : "agent_unavailable" }
}
