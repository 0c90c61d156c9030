import ConversationEngine
import DialectKit

/// Counters of unmatched messages, violations and fault firings per session.
package struct SessionTally: ServerEventReader {
    package struct Counts: Equatable, Sendable {
        package var unmatched = 0
        package var violations = 0
        package var firings = 0

        package init() {}
    }

    /// Counts by session id. Sessions whose counts are all 0 have no entry.
    package private(set) var counts: [String: Counts] = [:]

    /// Whether changes are recorded for ``takeChanges()``.
    package var notesChanges = false {
        didSet { if !notesChanges { _ = takeChanges() } }
    }
    private var changed: Set<String> = []
    private var forgotten: [String] = []

    package init() {}

    package mutating func takeChanges() -> (changed: Set<String>, forgotten: [String]) {
        defer { (changed, forgotten) = ([], []) }
        return (changed, forgotten)
    }

    private mutating func count(_ count: WritableKeyPath<Counts, Int>, in session: String) {
        counts[session, default: Counts()][keyPath: count] += 1
        if notesChanges { changed.insert(session) }
    }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        switch event {
        case .noted(.unmatched, let outbox, _), .noted(.missed, let outbox, _):
            count(\.unmatched, in: outbox.id)
        case .noted(.faultFired, let outbox, _): count(\.firings, in: outbox.id)
        case .fired(_, let session?) where !session.isEmpty: count(\.firings, in: session)
        case .broke(let violation, _) where !violation.session.isEmpty:
            count(\.violations, in: violation.session)
        case .forgotten(let session, _):
            counts[session] = nil
            if notesChanges { forgotten.append(session) }
        case .accepted, .requested, .responded, .judged, .answered, .unmatchedRequest, .handshakeRefused,
            .controlled,
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .delivered,
            .sent,
            .sentToMany, .sentAll, .noted, .fired, .broke, .remarked:
            break
        }
    }
}
