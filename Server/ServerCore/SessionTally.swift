import ConversationEngine
import DialectKit

/// Counts what goes wrong in each session.
package struct SessionTally: ServerEventReader {
    package struct Counts: Equatable, Sendable {
        /// Messages that no rule heard.
        package var unmatched = 0
        /// Laws that its clients broke.
        package var breaches = 0
        /// Times that a trouble struck.
        package var strikes = 0

        package init() {}
    }

    /// By the ids of sessions; those in which all went well are left out.
    package private(set) var counts: [String: Counts] = [:]

    /// Whether changes are noted for ``takeChanges()``.
    package var notesChanges = false {
        didSet { if !notesChanges { _ = takeChanges() } }
    }
    private var changed: Set<String> = []
    private var forgotten: [String] = []

    package init() {}

    /// Sessions whose counts changed since this was last asked, and those that are gone.
    package mutating func takeChanges() -> (changed: Set<String>, forgotten: [String]) {
        defer { (changed, forgotten) = ([], []) }
        return (changed, forgotten)
    }

    private mutating func count(_ count: WritableKeyPath<Counts, Int>, in session: String) {
        counts[session, default: Counts()][keyPath: count] += 1
        if notesChanges { changed.insert(session) }
    }

    package mutating func read(_ happening: ServerEvent, at moment: EventTime) {
        switch happening {
        case .noted(.unheard, let outbox, _), .noted(.missed, let outbox, _):
            count(\.unmatched, in: outbox.id)
        case .noted(.troubled, let outbox, _): count(\.strikes, in: outbox.id)
        case .struck(_, let session?) where !session.isEmpty: count(\.strikes, in: session)
        case .broke(let breach, _) where !breach.session.isEmpty: count(\.breaches, in: breach.session)
        case .forgotten(let session, _):
            counts[session] = nil
            if notesChanges { forgotten.append(session) }
        case .accepted, .requested, .responded, .judged, .answered, .stray, .handshakeRefused, .controlled,
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .told, .sent,
            .sentAll,
            .noted, .struck, .broke, .remarked:
            break
        }
    }
}
