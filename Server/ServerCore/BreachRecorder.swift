package import Clocks
import ConversationEngine
package import DialectKit

/// Conformance monitor: passes events to the laws of their dialect and keeps the breaches (Shared/Docs/laws.md).
package struct BreachRecorder: ServerEventReader {
    /// The newest breaches, oldest first.
    package private(set) var breaches: [Breach] = []
    package private(set) var droppedBreaches = 0
    /// The row of the present event, for ``Breach/row``; 0: none.
    package var row: UInt32 = 0
    private var lastNumber = 0
    /// By dialect; empty where laws are off.
    private var laws: [any ClientLaws]
    /// Not yet taken.
    private var found: [Breach] = []

    package init(laws: [any ClientLaws]) { self.laws = laws }

    /// Drops the breaches; their numbers go on.
    package mutating func beginAnew() {
        (breaches, droppedBreaches) = ([], 0)
        forgetMoments()
    }

    /// Drops the laws' memory of clients, whose moments mean nothing after time has gone back.
    package mutating func forgetMoments() {
        for dialect in laws.indices { laws[dialect].forget() }
    }

    package var hasFound: Bool { !found.isEmpty }

    package mutating func takeBreaches() -> [Breach] {
        defer { found = [] }
        return found
    }

    /// The next deadline for ``check(at:)``.
    package var nextCheck: Instant? {
        var next: Instant?
        for laws in laws { if let check = laws.nextCheck { next = min(check, next ?? check) } }
        return next
    }

    /// Judges clients that were silent.
    package mutating func check(at now: Instant) {
        row = 0
        for dialect in laws.indices { keep(laws[dialect].check(at: now)) }
    }

    private mutating func keep(_ breaches: [Breach]) {
        for var breach in breaches {
            if self.breaches.count >= CoreLimits.breaches {
                // A tenth at once: each removal moves all others.
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
        _ deed: ClientDeed, _ dialect: Int, _ outbox: DeliveryLog? = nil, at now: Instant
    ) {
        var place = outbox?.lawPlace ?? -1
        // In place: a copy would copy all that the laws know.
        let breaches = laws[dialect].judge(deed, at: now, place: &place)
        if let outbox { outbox.lawPlace = place }
        if !breaches.isEmpty { keep(breaches) }
    }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        guard !laws.isEmpty else { return }
        let now = moment.now
        switch event {
        case .judged(let facts, let operation, let dialect, let status, let retryAfter, let connection):
            let wait = retryAfter.flatMap { Int64($0) }.map { Interval.seconds($0) }
            let deed = ClientDeed.asked(
                operation: operation, facts, status: status, retryAfter: wait, connection: UInt64(connection))
            judge(deed, dialect, at: now)
        case .connected(let link, let cursor):
            judge(
                .connected(session: link.session, connection: link.key, cursor: cursor), link.dialect, at: now
            )
        case .dropped(let link, let cause):
            judge(.dropped(session: link.session, connection: link.key, cause), link.dialect, at: now)
        case .stalled(let link, let isStalled):
            let deed = ClientDeed.stalled(session: link.session, connection: link.key, isStalled: isStalled)
            judge(deed, link.dialect, at: now)
        case .framed(let link, let frame, let isInbound, _):
            guard isInbound, frame != .close else { return }
            judge(.signalled(session: link.session, connection: link.key), link.dialect, at: now)
        case .heard(let link, let bytes, let decoded, let outbox):
            let deed = ClientDeed.said(session: link.session, connection: link.key, bytes, decoded)
            judge(deed, link.dialect, outbox, at: now)
        case .flooded(let link, _, let outbox):
            judge(.flooded(session: link.session, connection: link.key), link.dialect, outbox, at: now)
        case .sent(let link, _, let context, let outbox):
            if let entry = context.entry {
                let deed = ClientDeed.told(
                    session: context.session, connection: link.key, entry, localID: context.localID,
                    isReplay: false)
                judge(deed, link.dialect, outbox, at: now)
            }
            for entry in context.batch {
                let deed = ClientDeed.told(
                    session: context.session, connection: link.key, entry, localID: nil, isReplay: true)
                judge(deed, link.dialect, outbox, at: now)
            }
        case .noted(.ended, let outbox, _): judge(.ended(session: outbox.id), outbox.dialect, at: now)
        case .forgotten(let session, let dialect): judge(.forgotten(session: session), dialect, at: now)
        case .accepted, .requested, .responded, .answered, .stray, .handshakeRefused, .controlled,
            .disconnected, .opened, .told, .sentAll, .noted, .fired, .broke, .remarked:
            break
        }
    }
}
