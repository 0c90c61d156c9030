import Clocks
import ConversationEngine
import LawBook
import SocketTransport
import Timeline

/// What the server remembers of what happened: rows, breaches, unheard traffic.
extension ServerLoop {
    /// Appends a row, with this moment's times.
    @discardableResult
    func record(_ row: borrowing Row) -> UInt64 {
        guard keepsRows else { return 0 }
        return timeline.append(row)
    }

    /// `now` spares asking the clock again, `wire` looking the session up.
    func observe(_ observation: Observation, of wire: SessionWire? = nil, at now: Instant? = nil) {
        let now = now ?? clock.now
        let breaches =
            if let wire {
                lawBook.observe(observation, at: now, place: &wire.lawPlace)
            } else {
                lawBook.observe(observation, at: now)
            }
        for breach in breaches { tell(breach) }
    }

    /// A little after the moment itself, so that what a client sent in time has been read.
    var nextLawCheck: Instant? {
        guard configuration.watchesLaws, !isSteered else { return nil }
        return lawBook.nextCheck.map { $0 + .milliseconds(ServerLimits.lawCheckMilliseconds) }
    }

    func checkLaws(at now: Instant) {
        guard let due = nextLawCheck, due <= now else { return }
        for breach in lawBook.check(at: now) { tell(breach) }
    }

    func tell(_ breach: Breach) {
        log.line("law broken", "\(breach.law.title): \(breach.detail) (\(breach.law.source))")
        announce {
            .broken(
                session: breach.session,
                connection: breach.connection.flatMap {
                    connection(number: UInt32(truncatingIfNeeded: $0))?.id
                }, law: breach.law.title, source: breach.law.source)
        }
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
