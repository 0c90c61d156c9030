package import Clocks
import ConversationEngine
package import DialectKit

/// Has the laws of each dialect judge its clients, and keeps the breaches (Shared/Docs/laws.md).
package struct BreachRecorder: ServerEventReader {
    /// The latest, oldest first.
    package private(set) var breaches: [Breach] = []
    /// Those that are no longer in ``breaches``.
    package private(set) var droppedBreaches = 0
    /// The row of what is read now, for ``Breach/row``; 0: none.
    package var row: UInt32 = 0
    /// The number of the newest.
    private var lastNumber = 0
    /// By the dialect; none where nobody judges.
    private var laws: [any ClientLaws]
    /// Found since they were last taken.
    private var found: [Breach] = []

    package init(laws: [any ClientLaws]) {
        self.laws = laws
    }

    /// The breaches go, and their numbers go on.
    package mutating func beginAnew() {
        (breaches, droppedBreaches) = ([], 0)
        forgetMoments()
    }

    /// Drops the laws' memory of clients and keeps the breaches: time has gone back, and no length of time from then to now
    /// means anything.
    package mutating func forgetMoments() {
        for dialect in laws.indices { laws[dialect].forget() }
    }

    package var hasFound: Bool { !found.isEmpty }

    package mutating func takeBreaches() -> [Breach] {
        defer { found = [] }
        return found
    }

    /// When ``check(at:)`` has something to look at; nil when nothing is expected of a client.
    package var nextCheck: Instant? {
        var next: Instant?
        for laws in laws { if let check = laws.nextCheck { next = min(check, next ?? check) } }
        return next
    }

    /// Judges what clients did not do; the breaches are to be taken.
    package mutating func check(at now: Instant) {
        row = 0
        for dialect in laws.indices { keep(laws[dialect].check(at: now)) }
    }

    /// Keeps breaches under their numbers.
    private mutating func keep(_ breaches: [Breach]) {
        for var breach in breaches {
            if self.breaches.count >= CoreLimits.breaches {
                // A tenth at once: removing one by one would move all the others each time.
                let surplus = CoreLimits.breaches / 10
                self.breaches.removeFirst(surplus)
                droppedBreaches += surplus
            }
            lastNumber += 1
            (breach.number, breach.row) = (lastNumber, row)
            self.breaches.append(breach)
            found.append(breach)
        }
    }

    private mutating func judge(
        _ deed: ClientDeed, _ dialect: Int, _ outbox: DeliveryLog?, _ moment: EventTime
    ) {
        var place = outbox?.lawPlace ?? -1
        // In its place: a copy would be one of all that the laws know.
        let breaches = laws[dialect].judge(deed, at: moment.now, place: &place)
        if let outbox { outbox.lawPlace = place }
        if !breaches.isEmpty { keep(breaches) }
    }

    package mutating func read(_ happening: ServerEvent, at moment: EventTime) {
        guard !laws.isEmpty else { return }
        switch happening {
        case .judged(let facts, let operation, let dialect, let status, let retryAfter, let connection):
            let wait = retryAfter.flatMap { Int64($0) }.map { Interval.seconds($0) }
            judge(
                .asked(
                    operation: operation, facts, status: status, retryAfter: wait,
                    connection: UInt64(connection)), dialect, nil, moment)
        case .connected(let link, let cursor):
            judge(
                .connected(session: link.session, connection: UInt64(link.number), cursor: cursor),
                link.dialect, nil, moment)
        case .dropped(let link, let cause):
            judge(
                .dropped(session: link.session, connection: UInt64(link.number), cause), link.dialect, nil,
                moment)
        case .stalled(let link, let isStalled):
            judge(
                .stalled(session: link.session, connection: UInt64(link.number), isStalled: isStalled),
                link.dialect, nil, moment)
        case .framed(let link, let frame, let isInbound, _):
            guard isInbound, frame != .close else { return }
            judge(
                .signalled(session: link.session, connection: UInt64(link.number)), link.dialect, nil, moment)
        case .heard(let link, let bytes, let decoded, let outbox):
            judge(
                .said(session: link.session, connection: UInt64(link.number), bytes, decoded), link.dialect,
                outbox, moment)
        case .flooded(let link, _, let outbox):
            judge(
                .flooded(session: link.session, connection: UInt64(link.number)), link.dialect, outbox, moment
            )
        case .sent(let link, _, let context, let outbox):
            if let entry = context.entry {
                judge(
                    .told(
                        session: context.session, connection: UInt64(link.number), entry,
                        localID: context.localID, isReplay: false), link.dialect, outbox, moment)
            }
            for entry in context.batch {
                judge(
                    .told(
                        session: context.session, connection: UInt64(link.number), entry, localID: nil,
                        isReplay: true), link.dialect, outbox, moment)
            }
        case .noted(.ended, let outbox, _):
            judge(.ended(session: outbox.id), outbox.dialect, nil, moment)
        case .forgotten(let session, let dialect):
            judge(.forgotten(session: session), dialect, nil, moment)
        case .accepted, .requested, .responded, .answered, .stray, .handshakeRefused, .controlled,
            .disconnected, .opened, .told, .sentAll, .noted, .struck, .broke, .remarked:
            break
        }
    }
}
