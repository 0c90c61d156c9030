import Clocks
import DialectKit

struct CallerRecord: Sendable {
    var tally = Tally()
    /// Time until which the client has to wait after a 429.
    @Packed var notBefore: Instant?
    /// The status of the last answer if it was 401 or 403.
    var refusedWith: Int16?
    var session: String?
}

enum CallerKey: Hashable, Sendable {
    /// One call and its retries, by correlation id.
    case tokenCall(String)
    case sessionCall(String)
    /// A TCP connection that requests tokens for a connector.
    case client(String, connector: String)
    case subject(String)
    /// A TCP connection that creates sessions.
    case maker(String)

}

extension PolyProtocolRules {
    mutating func observeRequest(_ observation: Observation, at now: Instant) -> [Violation] {
        switch observation {
        case .tokenRequest(let connector, let origin, let caller, let status, let retryAfter):
            return token(connector, origin, caller, status: status, retryAfter: retryAfter, at: now)
        case .sessionRequest(let subject, let caller, let expiry, let status, let retryAfter, let session):
            return expired(expiry, session: nil, at: now)
                + self.session(
                    subject, caller, status: status, retryAfter: retryAfter, session: session, at: now)
        case .connectRequest(
            let session, let subject, let expiry, let cursorText, let status, let retryAfter):
            guard !session.isEmpty, !(subject.isEmpty && status == 400) else {
                let missing = session.isEmpty ? "session_id" : "access_token"
                return report(
                    Finding(.connectParameters, "\(missing) was missing or empty"),
                    ofCaller: nil, at: now)
            }
            let late = expired(expiry, session: session, at: now)
            guard let slot = sessions.slot(session) else { return late }
            let findings = sessions[slot].handshake(
                subject: subject, cursorText: cursorText, status: status, retryAfter: retryAfter,
                connectionLimit: connectionLimit, at: now)
            return late + report(findings, of: slot, at: now)
        default: return []
        }
    }

    private mutating func token(
        _ connector: String, _ origin: String?, _ caller: Caller, status: Int, retryAfter: Interval?,
        at now: Instant
    ) -> [Violation] {
        var violations: [Violation] = []
        if connector.isEmpty || (origin ?? "").isEmpty {
            let missing = connector.isEmpty ? "X-Token" : "X-Host"
            violations += report(
                Finding(.tokenHeaders, "\(missing) was missing or empty"), ofCaller: nil, at: now)
        }
        // Many users share a connector, so only the correlation id or TCP connection identifies a caller.
        if let correlation = caller.correlation {
            violations += answered(
                slot(ofCaller: .tokenCall(correlation)), isCall: true, .tokenRetryAfter, status, retryAfter,
                at: now)
        } else if let client = caller.client {
            violations += answered(
                slot(ofCaller: .client(client, connector: connector)), .tokenRetryAfter, status, retryAfter,
                at: now)
        }
        return violations
    }

    private mutating func session(
        _ subject: String, _ caller: Caller, status: Int, retryAfter: Interval?, session: String?,
        at now: Instant
    ) -> [Violation] {
        var violations: [Violation] = []
        var owners: [Int] = []
        if !subject.isEmpty {
            owners.append(slot(ofCaller: .subject(subject)))
            violations += answered(owners[0], .sessionRetryAfter, status, retryAfter, at: now)
        } else if let correlation = caller.correlation {
            violations += answered(
                slot(ofCaller: .sessionCall(correlation)), isCall: true, .sessionRetryAfter, status,
                retryAfter, at: now)
        }
        guard let session, !session.isEmpty, (200..<300).contains(status) else { return violations }
        if owners.isEmpty { owners.append(slot(ofCaller: .subject(subject))) }
        if let client = caller.client { owners.append(slot(ofCaller: .maker(client))) }
        let abandoned = owners.compactMap { callers[$0].session }.first { isAbandoned($0, at: now) }
        for owner in owners { callers[owner].session = session }
        remember(SessionRecord(subject: subject), session)
        guard let abandoned, let slot = sessions.slot(abandoned) else { return violations }
        let since = sessions[slot].lostAt.map { (now - $0).inSeconds } ?? ""
        sessions[slot].lostAt = nil
        return violations
            + report(
                [
                    Finding(
                        .resumeAfterDrop,
                        "its connection dropped \(since) before, and a new session was made untried")
                ], of: slot, at: now)
    }

    /// Checks a request against the caller's previous answer, then records the new answer.
    private mutating func answered(
        _ slot: Int, isCall: Bool = false, _ retryProtocolRule: ProtocolRuleID, _ status: Int,
        _ retryAfter: Interval?, at now: Instant
    ) -> [Violation] {
        var violations: [Violation] = []
        if let notBefore = callers[slot].notBefore, now < notBefore {
            violations += report(
                Finding(retryProtocolRule, "\((notBefore - now).inSeconds) before the wait was over"),
                ofCaller: slot, at: now)
        }
        if let refusal = callers[slot].refusedWith, isCall {
            violations += report(
                Finding(.refusalIsFinal, "the same call had been answered with \(refusal)"),
                ofCaller: slot, at: now)
        }
        callers[slot].notBefore = status == 429 ? retryAfter.map { now + $0.binding } : nil
        callers[slot].refusedWith = status == 401 || status == 403 ? Int16(status) : nil
        return violations
    }

    private mutating func expired(_ expiry: Instant?, session: String?, at now: Instant) -> [Violation] {
        guard let expiry, now - expiry > ProtocolRuleLimits.tokenGrace else { return [] }
        let finding = Finding(.tokenExpired, "the token had expired \((now - expiry).inSeconds) before")
        guard let slot = session.flatMap({ sessions.slot($0) }) else {
            return report(finding, ofCaller: nil, at: now)
        }
        return report([finding], of: slot, at: now)
    }

    /// Whether the last connection was lost recently, and no client has tried to resume the session.
    private func isAbandoned(_ session: String, at now: Instant) -> Bool {
        guard let slot = sessions.slot(session), let lostAt = sessions.values[slot].lostAt else {
            return false
        }
        return !sessions.values[slot].isOver && now - lostAt < ProtocolRuleLimits.resumeWindow
    }

    private mutating func slot(ofCaller key: CallerKey) -> Int {
        callers.slot(key, orStore: CallerRecord())
    }
}
