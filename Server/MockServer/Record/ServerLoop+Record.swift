import Clocks
import ConversationEngine
import LawBook
import SocketTransport
import Timeline

/// What the server remembers of what happened: rows, breaches, unheard traffic (chat-ui 3.5, MS-9, TS-12).
extension ServerLoop {
    /// Appends a row, with this moment's times.
    @discardableResult
    func record(_ row: Row) -> UInt64 {
        timeline.append(row)
    }

    func observe(_ observation: Observation) {
        for breach in lawBook.observe(observation, at: clock.now) { tell(breach) }
    }

    func tell(_ breach: Breach) {
        log.line("law broken", "\(breach.law.title): \(breach.detail) (\(breach.law.source))")
        let now = clock.now
        record(
            Row(
                time: now, wallTime: wallNow(now), direction: .inside, kind: .law, session: breach.session,
                socket: UInt32(truncatingIfNeeded: breach.connection ?? 0), type: breach.law.id,
                raw: Array(breach.detail.utf8), flags: .error))
    }

    /// The wall's time at the server's `now`.
    func wallNow(_ now: Instant) -> Instant {
        isOnWallTime ? now : wallClock.now
    }
}

/// Traffic that nothing was prepared for (mock-server TS-12).
struct UnmatchedTraffic: Sendable {
    enum Kind: String, Sendable {
        /// A message that no rule heard.
        case message
        /// A request to a path that nobody answers.
        case request
    }

    var kind: Kind
    /// From 1 upwards, server-wide.
    var number: UInt64
    var time: Instant
    var session: String
    /// The message, or method and path.
    var text: String
    /// Why, in lines for people: the near-miss report of a message.
    var report: String
    var place: SourcePlace
    var file: String
}
