package import Clocks
package import ConversationEngine
package import DialectKit

extension PolyProtocolRules {
    package mutating func judge(
        _ activity: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation] {
        switch activity {
        case .asked(_, let facts, let status, let retryAfter, let connection):
            guard let observation = Self.observation(facts, status, retryAfter, connection) else { return [] }
            return observe(observation, at: now)
        case .connected(let session, let connection, let cursor):
            return observe(.connected(session: session, connection: connection, cursor: cursor), at: now)
        case .flooded(let session, let connection):
            return observe(
                .heard(session: session, connection: connection, .rateLimited), at: now, place: &place)
        case .signalled(let session, let connection):
            return observe(.heard(session: session, connection: connection, .control), at: now)
        case .deliveredToMany(let session, let numbers, let entry, let localID):
            deliver(
                DeliveredEvent(entry, localID: localID, isReplay: false), sequence: entry.sequence,
                of: session, onEach: numbers, at: now, place: &place)
            return []
        case .stalled(let session, let connection, let isStalled):
            return observe(.stalled(session: session, connection: connection, isStalled: isStalled), at: now)
        case .dropped(let session, let connection, let cause):
            return observe(.dropped(session: session, connection: connection, cause: cause), at: now)
        case .ended(let session): return observe(.ended(session: session), at: now)
        case .forgotten(let session): return observe(.forgotten(session: session), at: now)
        }
    }

    package mutating func judge(
        _ decoded: Decoded, _ bytes: [UInt8], of session: String, on connection: UInt64, at now: Instant,
        place: inout Int
    ) -> [Violation] {
        let found = decoded.lendInput { input in
            decoded.fault != nil
                ? nil
                : hear(input, bytes: bytes.count, of: session, on: connection, at: now, place: &place)
        }
        var violations =
            found ?? hear(HeardMessage(decoded, bytes), of: session, on: connection, at: now, place: &place)
        if let field = decoded.serverField {
            violations += observe(
                .heard(
                    session: session, connection: connection,
                    .serverField(name: field, sent: SentValue.member([field], of: bytes))), at: now)
        }
        if decoded.hasOddMetadata {
            violations += observe(
                .heard(
                    session: session, connection: connection,
                    .metadataNotStrings(sent: SentValue.oddMetadata(of: bytes))), at: now)
        }
        return violations
    }

    package mutating func note(
        _ entry: JournalEntry, localID: Substring?, to session: String, on connection: UInt64,
        isReplay: Bool, at now: Instant, place: inout Int
    ) {
        // An echo without a `DeliveredEvent`, which would retain the id.
        if !isReplay, case .said = entry.values, let slot = slot(of: session, &place) {
            return sessions[slot].echoed(localID, sequence: entry.sequence, on: connection, at: now)
        }
        note(
            DeliveredEvent(entry, localID: localID, isReplay: isReplay), sequence: entry.sequence,
            of: session, on: connection, isReplay: isReplay, at: now, place: &place)
    }

    /// Like an observation for each connection. One for all saves 9,000 instructions of a message to ten connections.
    private mutating func deliver(
        _ kind: DeliveredEvent, sequence: UInt64?, of session: String, onEach numbers: [UInt32],
        at now: Instant, place: inout Int
    ) {
        guard let slot = slot(of: session, &place) else { return }
        if case .messageEcho(let localID) = kind {
            sessions[slot].echoed(localID, sequence: sequence, onEach: numbers, at: now)
        } else {
            for number in numbers {
                sessions[slot].delivered(
                    kind, sequence: sequence, on: UInt64(number), isReplay: false, at: now)
            }
        }
        if case .sessionStart = kind { watch(slot) }
    }

    private static func observation(
        _ facts: RequestInfo, _ status: Int, _ retryAfter: Interval?, _ connection: UInt64
    ) -> Observation? {
        let caller = Caller(client: "\(connection)", correlation: facts.correlation)
        return switch facts.kind {
        case .token:
            .tokenRequest(
                connector: facts.subject, origin: facts.origin, caller: caller, status: status,
                retryAfter: retryAfter)
        case .session:
            .sessionRequest(
                subject: facts.subject, caller: caller, tokenExpiry: facts.tokenExpiry, status: status,
                retryAfter: retryAfter, session: facts.session.isEmpty ? nil : facts.session)
        case .connect:
            .connectRequest(
                session: facts.session, subject: facts.subject, tokenExpiry: facts.tokenExpiry,
                cursorText: facts.cursorText, status: status, retryAfter: retryAfter)
        case .other: nil
        }
    }
}

extension DeliveredEvent {
    /// For most entries, the kind is enough. Reading the event would copy it, which costs 450 of the 21,600 instructions
    /// of a chunk.
    fileprivate init(_ entry: JournalEntry, localID: Substring?, isReplay: Bool) {
        switch entry.kind {
        case .sessionStarted: self.init(entry.event, localID: localID)
        case .userMessage where !isReplay: self = .messageEcho(localID: localID)
        case .notice where !isReplay: self.init(entry.event, localID: localID)
        default: self.init(kind: entry.kind)
        }
    }
}
