package import Clocks
import ConversationEngine
package import DialectKit

/// Conformance monitor for the protocol rules of each dialect (Shared/Docs/protocol-rules.md).
package struct ViolationRecorder: ServerEventReader {
    package private(set) var violations: [Violation] = []
    package private(set) var droppedViolations = 0
    /// Row of the current event, or 0.
    package var row: UInt32 = 0
    private var lastNumber = 0
    /// Protocol rules by index of the dialect. Empty if checking is off.
    private var protocolRules: [any ClientProtocolRules]
    private var found: [Violation] = []

    package init(protocolRules: [any ClientProtocolRules]) { self.protocolRules = protocolRules }

    /// Drops the violations and resets the protocol rules. The numbers of violations continue.
    package mutating func beginAnew() {
        (violations, droppedViolations) = ([], 0)
        forgetMoments()
    }

    /// Resets the protocol rules.
    package mutating func forgetMoments() {
        for dialect in protocolRules.indices { protocolRules[dialect].forget() }
    }

    package var hasFound: Bool { !found.isEmpty }

    package mutating func takeViolations() -> [Violation] {
        defer { found = [] }
        return found
    }

    package var nextCheck: Instant? {
        var next: Instant?
        // By index, because a copy of the rules takes 300 instructions.
        for dialect in protocolRules.indices {
            if let check = protocolRules[dialect].nextCheck { next = min(check, next ?? check) }
        }
        return next
    }

    /// Finds actions that clients have omitted, such as heartbeats.
    package mutating func check(at now: Instant) {
        row = 0
        for dialect in protocolRules.indices { keep(protocolRules[dialect].check(at: now)) }
    }

    private mutating func keep(_ violations: [Violation]) {
        for var violation in violations {
            if self.violations.count >= CoreLimits.violations {
                // Removes a tenth at once, because each removal moves the rest in memory.
                let surplus = CoreLimits.violations / 10
                self.violations.removeFirst(surplus)
                droppedViolations += surplus
            }
            lastNumber += 1
            (violation.number, violation.row) = (lastNumber, row)
            self.violations.append(violation)
            found.append(violation)
        }
    }

    private mutating func judge(
        _ activity: borrowing ClientActivity, _ dialect: Int, _ outbox: DeliveryLog? = nil, at now: Instant
    ) {
        var place = outbox?.protocolRulePlace ?? -1
        // Calls the rules in place, because a copy would copy all their state.
        let violations = protocolRules[dialect].judge(activity, at: now, place: &place)
        if let outbox { outbox.protocolRulePlace = place }
        if !violations.isEmpty { keep(violations) }
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/heard(_:_:_:of:)``.
    package mutating func heard(
        _ decoded: Decoded, _ bytes: [UInt8], on link: ConnectionReference, of outbox: DeliveryLog,
        at now: Instant
    ) {
        guard !protocolRules.isEmpty else { return }
        let violations = protocolRules[link.dialect].judge(
            decoded, bytes, of: link.session, on: link.key, at: now, place: &outbox.protocolRulePlace)
        if !violations.isEmpty { keep(violations) }
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/sent(_:_:_:of:)``.
    package mutating func sent(
        _ context: OutboundContext, on link: ConnectionReference, of outbox: DeliveryLog?, at now: Instant
    ) {
        guard !protocolRules.isEmpty else { return }
        var place = outbox?.protocolRulePlace ?? -1
        context.lend(&place) { place, session, _, _, entry, localID in
            // Taken out and put back, since an optional object is retained even as a parameter.
            if let taken = entry.take() {
                protocolRules[link.dialect].note(
                    taken, localID: localID, to: session, on: link.key, isReplay: false, at: now,
                    place: &place)
                entry = .some(taken)
            }
            if context.batch.isEmpty { return }
            for entry in context.batch {
                protocolRules[link.dialect].note(
                    entry, localID: nil, to: session, on: link.key, isReplay: true, at: now, place: &place)
            }
        }
        outbox?.protocolRulePlace = place
    }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        guard !protocolRules.isEmpty else { return }
        let now = moment.now
        switch event {
        case .judged(let facts, let operation, let dialect, let status, let retryAfter, let connection):
            let wait = retryAfter.flatMap { Int64($0) }.map { Interval.seconds($0) }
            let activity = ClientActivity.asked(
                operation: operation, facts, status: status, retryAfter: wait, connection: UInt64(connection))
            judge(activity, dialect, at: now)
        case .connected(let link, let cursor):
            judge(
                .connected(session: link.session, connection: link.key, cursor: cursor), link.dialect, at: now
            )
        case .dropped(let link, let cause):
            judge(.dropped(session: link.session, connection: link.key, cause), link.dialect, at: now)
        case .stalled(let link, let isStalled):
            let activity = ClientActivity.stalled(
                session: link.session, connection: link.key, isStalled: isStalled)
            judge(activity, link.dialect, at: now)
        case .framed(let link, let frame, let isInbound, _):
            guard isInbound, frame != .close else { return }
            judge(.signalled(session: link.session, connection: link.key), link.dialect, at: now)
        case .heard(let link, let bytes, let decoded, let outbox):
            heard(decoded, bytes, on: link, of: outbox, at: now)
        case .flooded(let link, _, let outbox):
            judge(.flooded(session: link.session, connection: link.key), link.dialect, outbox, at: now)
        case .sent(let link, _, let context, let outbox): sent(context, on: link, of: outbox, at: now)
        case .sentToMany(let numbers, let dialect, _, let context, let outbox):
            guard let entry = context.entry else { return }
            let activity = ClientActivity.deliveredToMany(
                session: context.session, connections: numbers, entry, localID: context.localID)
            judge(activity, dialect, outbox, at: now)
        case .noted(.ended, let outbox, _): judge(.ended(session: outbox.id), outbox.dialect, at: now)
        case .forgotten(let session, let dialect): judge(.forgotten(session: session), dialect, at: now)
        case .accepted, .requested, .responded, .answered, .unmatchedRequest, .handshakeRefused, .controlled,
            .disconnected, .opened, .delivered, .sentAll, .noted, .fired, .broke, .remarked:
            break
        }
    }
}
