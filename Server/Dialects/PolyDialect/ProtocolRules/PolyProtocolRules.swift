package import Clocks
import ConversationEngine
package import DialectKit

/// Rules of the Messaging API for clients (Shared/Docs/protocol-rules.md). Reports only what no correct client does.
package struct PolyProtocolRules: ClientProtocolRules {
    /// All rules.
    package static let every: [ProtocolRule] = ProtocolRuleID.table

    package var all: [ProtocolRule] { Self.every }

    /// Number of violations beyond the rules' report limits.
    package private(set) var unreportedViolations = 0
    package var sessionCount: Int { sessions.values.count }

    let connectionLimit: Int
    var sessions = Remembered<String, SessionRecord>(capacity: ProtocolRuleLimits.sessions)
    var callers = Remembered<CallerKey, CallerRecord>(capacity: ProtocolRuleLimits.callers)
    /// Number of reports about requests of unknown callers.
    private var nobody = Tally()
    /// Deadlines of the heartbeat checks, one per session.
    private var schedule = DeadlineHeap()

    /// - Parameter connectionLimit: connections that the server allows per session (protocol.md#connection-limit).
    package init(connectionLimit: Int = 10) { self.connectionLimit = connectionLimit }

    /// Records an observation and returns the violations that it proves.
    package mutating func observe(_ observation: Observation, at now: Instant) -> [Violation] {
        var place = -1
        return observe(observation, at: now, place: &place)
    }

    func slot(of session: String, _ place: inout Int) -> Int? {
        if sessions.holds(session, at: place) { return place }
        guard let slot = sessions.slot(session) else { return nil }
        place = slot
        return slot
    }

    /// Like ``observe(_:at:)``. `place` keeps the session's slot between calls, which saves a look-up.
    package mutating func observe(_ observation: Observation, at now: Instant, place: inout Int)
        -> [Violation]
    {
        switch observation {
        case .heard(let session, let connection, let heard):
            return hear(heard, of: session, on: connection, at: now, place: &place)
        case .delivered(let session, let connection, let sequence, let kind, let isReplay):
            note(
                kind, sequence: sequence, of: session, on: connection, isReplay: isReplay, at: now,
                place: &place)
            return []
        case .connected(let session, let connection, let cursor):
            guard let slot = sessions.slot(session) else { return [] }
            sessions[slot].connected(connection, cursor: cursor, at: now)
            return []
        case .dropped(let session, let connection, let cause):
            guard let slot = sessions.slot(session) else { return [] }
            return report(sessions[slot].dropped(connection, cause: cause, at: now), of: slot, at: now)
        case .stalled(let session, let connection, let isStalled):
            guard let slot = sessions.slot(session), let place = sessions[slot].index(connection) else {
                return []
            }
            sessions[slot].connections[place].isStalled = isStalled
            sessions[slot].connections[place].quietSince = now
            if !isStalled {
                sessions[slot].connections[place].excusedUntil = now + ProtocolRuleLimits.crossing
            }
            watch(slot)
            return []
        case .ended(let session), .forgotten(let session):
            if let slot = sessions.slot(session) { sessions[slot].isOver = true }
            return []
        case .tokenRequest, .sessionRequest, .connectRequest: return observeRequest(observation, at: now)
        }
    }

    /// Like ``observe(_:at:place:)`` with ``Observation/heard(session:connection:_:)``, without creating an observation
    /// for each message.
    mutating func hear(
        _ heard: HeardMessage, of session: String, on connection: UInt64, at now: Instant, place: inout Int
    ) -> [Violation] {
        guard let slot = slot(of: session, &place) else { return [] }
        let findings = sessions[slot].received(heard, on: connection, at: now)
        if case .heartbeat = heard { watch(slot) }
        return findings.isEmpty ? [] : report(findings, of: slot, at: now)
    }

    /// Like ``hear(_:of:on:at:place:)`` with a user's message, without creating a ``HeardMessage``. Nil for other inputs.
    /// Saves 270 of the 37,200 instructions of a round trip.
    mutating func hear(
        _ input: borrowing ClientInput, bytes: Int, of session: String, on connection: UInt64,
        at now: Instant, place: inout Int
    ) -> [Violation]? {
        guard case .say(let text) = input.word else { return nil }
        guard let slot = slot(of: session, &place) else { return [] }
        let findings = sessions[slot].received(
            text, localID: input.localID, bytes: bytes, on: connection, at: now)
        return findings.isEmpty ? [] : report(findings, of: slot, at: now)
    }

    /// Like ``observe(_:at:place:)`` with an observation of a delivery, without creating it.
    mutating func note(
        _ kind: DeliveredEvent, sequence: UInt64?, of session: String, on connection: UInt64, isReplay: Bool,
        at now: Instant, place: inout Int
    ) {
        guard let slot = slot(of: session, &place) else { return }
        sessions[slot].delivered(kind, sequence: sequence, on: connection, isReplay: isReplay, at: now)
        if case .sessionStart = kind { watch(slot) }
    }

    /// Reports missing heartbeats. Call it at ``nextCheck``, after reading all received bytes. A call that is more than
    /// a second late reports nothing, because the clock may have jumped.
    package mutating func check(at now: Instant) -> [Violation] {
        var violations: [Violation] = []
        for entry in schedule.takeDue(by: now) {
            let slot = Int(entry.slot)
            let findings = sessions[slot].silences(at: now)
            if !findings.isEmpty { violations += report(findings, of: slot, at: now) }
            watch(slot)
        }
        return violations
    }

    /// Time of the next check; nil if none is scheduled.
    package var nextCheck: Instant? { schedule.first?.deadline }

    package mutating func forget() {
        sessions = Remembered(capacity: ProtocolRuleLimits.sessions)
        callers = Remembered(capacity: ProtocolRuleLimits.callers)
        schedule = DeadlineHeap()
        nobody = Tally()
    }

    mutating func remember(_ session: SessionRecord, _ id: String) {
        let slot = sessions.store(session, for: id)
        // A session that had this slot before may have left a deadline.
        schedule.remove(Int32(slot))
    }

    /// Schedules the next heartbeat check of a session, unless one is scheduled.
    mutating func watch(_ slot: Int) {
        guard schedule.deadline(of: Int32(slot)) == nil, let deadline = sessions.values[slot].silenceDeadline
        else { return }
        schedule.set(deadline, for: Int32(slot))
    }

    // MARK: - Sending

    mutating func report(_ findings: [Finding], of slot: Int, at now: Instant) -> [Violation] {
        findings.compactMap { finding in
            let isReported = sessions[slot].tally.admit(finding.protocolRule)
            return keep(finding, isReported: isReported, session: sessions.key(of: slot), at: now)
        }
    }

    mutating func report(_ finding: Finding, ofCaller slot: Int?, at now: Instant) -> [Violation] {
        let isReported =
            if let slot { callers[slot].tally.admit(finding.protocolRule) } else {
                nobody.admit(finding.protocolRule)
            }
        return keep(finding, isReported: isReported, session: "", at: now).map { [$0] } ?? []
    }

    private mutating func keep(
        _ finding: Finding, isReported: Bool, session: String, at now: Instant
    ) -> Violation? {
        guard isReported else {
            unreportedViolations += 1
            return nil
        }
        return Violation(
            protocolRule: finding.protocolRule.protocolRule, session: session, connection: finding.connection,
            at: now,
            event: finding.event, detail: finding.detail)
    }
}
