import ConversationEngine
import LawBook

/// Counts what goes wrong in each session.
package struct SessionTally: HappeningReader {
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

    package init() {}

    package mutating func read(_ happening: Happening, at moment: Moment) {
        switch happening {
        case .noted(.unheard, let outbox, _): counts[outbox.id, default: Counts()].unmatched += 1
        case .noted(.troubled, let outbox, _): counts[outbox.id, default: Counts()].strikes += 1
        case .struck(_, let session?) where !session.isEmpty:
            counts[session, default: Counts()].strikes += 1
        case .broke(let breach, _) where !breach.session.isEmpty:
            counts[breach.session, default: Counts()].breaches += 1
        case .forgotten(let session): counts[session] = nil
        case .accepted, .requested, .responded, .judged, .answered, .stray, .handshakeRefused, .controlled,
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .told, .sent,
            .noted, .struck, .broke, .remarked:
            break
        }
    }
}
