package import Clocks

/// Watches the clients of a server and says which law of the protocol one broke (Shared/Docs/laws.md).
///
/// A law accuses only on proof: what a correct client may do, and what bytes that cross or are lost can look
/// like, is not a breach. Sessions the book has not seen begin, or has forgotten, are not judged.
package struct LawBook: Sendable {
    /// All laws, in the order of a talk.
    package static let laws: [Law] = LawID.table

    /// The latest breaches, oldest first.
    package private(set) var breaches: [Breach] = []
    /// Breaches no longer in ``breaches``.
    package private(set) var droppedBreaches = 0
    /// Breaches that were counted but not told, because the same law was told often enough of the same
    /// session.
    package private(set) var untoldBreaches = 0
    /// Sessions remembered.
    package var sessionCount: Int { sessions.values.count }

    /// The row of what is observed now, for ``Breach/row``; 0: none.
    package var row: UInt32 = 0
    /// The number of the newest breach.
    private var lastNumber: Int

    let connectionLimit: Int
    var sessions = Remembered<String, SessionRecord>(capacity: LawBookLimits.sessions)
    var callers = Remembered<CallerKey, CallerRecord>(capacity: LawBookLimits.callers)
    /// For requests that name nobody.
    private var nobody = Tally()
    /// When sessions are next looked at for silence. Heartbeats do not move an entry: one that comes due too early
    /// is put back, which costs a step per session and interval instead of one per message.
    private var schedule = DeadlineHeap()

    /// - Parameters:
    ///   - connectionLimit: open connections that the server allows one session (protocol.md#connection-limit).
    ///   - earlier: the book before this one, whose numbers go on.
    package init(connectionLimit: Int = 10, after earlier: LawBook? = nil) {
        self.connectionLimit = connectionLimit
        lastNumber = earlier?.lastNumber ?? 0
    }

    /// The slot where a session was found, kept by callers that ask often. A stale slot costs a look-up.
    package struct Place: Sendable {
        fileprivate var slot = -1

        package init() {}
    }

    /// Takes in a breach of a law that another book judges by.
    ///
    /// - Returns: it, with its number and row.
    @discardableResult
    package mutating func add(_ breach: Breach) -> Breach { append(breach) }

    /// Notes what happened and returns the breaches it makes, which are in ``breaches`` as well.
    package mutating func observe(_ observation: Observation, at now: Instant) -> [Breach] {
        var place = Place()
        return observe(observation, at: now, place: &place)
    }

    private func slot(of session: String, _ place: inout Place) -> Int? {
        if sessions.holds(session, at: place.slot) { return place.slot }
        guard let slot = sessions.slot(session) else { return nil }
        place.slot = slot
        return slot
    }

    /// The same; `place` belongs to the session that the observation is about, and is brought up to date.
    package mutating func observe(
        _ observation: Observation, at now: Instant, place: inout Place
    ) -> [Breach] {
        switch observation {
        case .heard(let session, let connection, let heard):
            guard let slot = slot(of: session, &place) else { return [] }
            let findings = sessions[slot].heard(heard, on: connection, at: now)
            if case .heartbeat = heard { watch(slot) }
            return findings.isEmpty ? [] : tell(findings, of: slot, at: now)
        case .told(let session, let connection, let sequence, let kind, let isReplay):
            guard let slot = slot(of: session, &place) else { return [] }
            sessions[slot].told(kind, sequence: sequence, on: connection, isReplay: isReplay, at: now)
            if case .sessionStart = kind { watch(slot) }
            return []
        case .connected(let session, let connection, let cursor):
            guard let slot = sessions.slot(session) else { return [] }
            sessions[slot].connected(connection, cursor: cursor, at: now)
            return []
        case .dropped(let session, let connection, let cause):
            guard let slot = sessions.slot(session) else { return [] }
            return tell(sessions[slot].dropped(connection, cause: cause, at: now), of: slot, at: now)
        case .stalled(let session, let connection, let isStalled):
            guard let slot = sessions.slot(session), let place = sessions[slot].index(connection) else {
                return []
            }
            sessions[slot].connections[place].isStalled = isStalled
            sessions[slot].connections[place].quietSince = now
            if !isStalled {
                sessions[slot].connections[place].excusedUntil = now + LawBookLimits.crossing
            }
            watch(slot)
            return []
        case .ended(let session), .forgotten(let session):
            if let slot = sessions.slot(session) { sessions[slot].isOver = true }
            return []
        case .tokenRequest, .sessionRequest, .connectRequest:
            return observeRequest(observation, at: now)
        }
    }

    /// Judges silence. Call it when ``nextCheck`` is reached and the loop has read what had arrived; a call
    /// that comes more than a second late accuses no client, because the clock may have jumped.
    package mutating func check(at now: Instant) -> [Breach] {
        var told: [Breach] = []
        for entry in schedule.takeDue(by: now) {
            let slot = Int(entry.slot)
            let findings = sessions[slot].silences(at: now)
            if !findings.isEmpty { told += tell(findings, of: slot, at: now) }
            watch(slot)
        }
        return told
    }

    /// When ``check(at:)`` has something to look at; nil when no connection is expected to send heartbeats.
    package var nextCheck: Instant? { schedule.first?.deadline }

    /// Forgets the clients and what they did when, not the breaches: time has gone back, and no length of time from then
    /// to now means anything.
    package mutating func forgetMoments() {
        sessions = Remembered(capacity: LawBookLimits.sessions)
        callers = Remembered(capacity: LawBookLimits.callers)
        schedule = DeadlineHeap()
    }

    mutating func remember(_ session: SessionRecord) {
        let slot = sessions.store(session, for: session.id)
        // It may have belonged to another session.
        schedule.remove(Int32(slot))
    }

    /// Gives the session an entry in the schedule unless it has one.
    private mutating func watch(_ slot: Int) {
        guard schedule.deadline(of: Int32(slot)) == nil,
            let deadline = sessions.values[slot].silenceDeadline
        else { return }
        schedule.set(deadline, for: Int32(slot))
    }

    // MARK: - Telling

    mutating func tell(_ findings: [Finding], of slot: Int, at now: Instant) -> [Breach] {
        findings.compactMap { finding in
            let isTold = sessions[slot].tally.admit(finding.law)
            return keep(finding, isTold: isTold, session: sessions.values[slot].id, at: now)
        }
    }

    mutating func tell(_ finding: Finding, ofCaller slot: Int?, at now: Instant) -> [Breach] {
        let isTold =
            if let slot { callers[slot].tally.admit(finding.law) } else { nobody.admit(finding.law) }
        return keep(finding, isTold: isTold, session: "", at: now).map { [$0] } ?? []
    }

    private mutating func keep(
        _ finding: Finding, isTold: Bool, session: String, at now: Instant
    ) -> Breach? {
        guard isTold else {
            untoldBreaches += 1
            return nil
        }
        return append(
            Breach(
                law: finding.law.law, session: session, connection: finding.connection, at: now,
                event: finding.event, detail: finding.detail))
    }

    private mutating func append(_ breach: Breach) -> Breach {
        if breaches.count >= LawBookLimits.breaches {
            // A tenth at once: removing one by one would move all the others each time.
            let surplus = LawBookLimits.breaches / 10
            breaches.removeFirst(surplus)
            droppedBreaches += surplus
        }
        lastNumber += 1
        var breach = breach
        (breach.number, breach.row) = (lastNumber, row)
        breaches.append(breach)
        return breach
    }
}
