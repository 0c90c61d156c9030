package import Clocks

/// Lets every event through once, in order, and notices when one is missing (protocol.md#event-ids).
///
/// | state | input | next state |
/// | --- | --- | --- |
/// | expecting a replay | its first batch, whatever holes it has; nothing held | in step |
/// | expecting a replay | its first batch, and something is held still | holding |
/// | in step | the next sequence | in step |
/// | in step | a later sequence: it is held | holding |
/// | holding | the missing sequence: all that follows it goes out | in step, or holding |
/// | holding | 2 s, or too many held events: ask for a replay | holding |
/// | holding | 2 s after that replay: what is held goes out | in step |
/// | any | the connection is lost | expecting a replay |
///
/// A hole that a replay does not fill is this server's way of counting; from then on none is waited for.
package struct ReceiveCore: Sendable {
    /// One event of a frame.
    package struct Arrival: Equatable, Sendable {
        package var id: String
        /// nil: transient.
        package var sequence: UInt64?
        /// nil for a type apps have no use for; it counts all the same.
        package var event: MessagingEvent?

        package init(id: String, sequence: UInt64?, event: MessagingEvent?) {
            self.id = id
            self.sequence = sequence
            self.event = event
        }
    }

    package enum Delivery: Equatable, Sendable {
        case new(Arrival)
        /// Known already. Only what it says about the connection may still matter.
        case repeated(Arrival)
    }

    package enum Due: Equatable, Sendable {
        /// Something is missing: come back with the ``ReceiveCore/cursor``.
        case askForReplay
        /// It will not come.
        case deliver([Delivery])
    }

    private enum State: Sendable {
        case expectingReplay
        case inStep
        case holding(until: Instant)
    }

    private var state = State.expectingReplay
    private var known = RecentIDs(capacity: Limits.maxKnownIDs)
    /// By sequence.
    private var held: [Arrival] = []
    /// Everything up to here was delivered; 0 before the first event.
    package private(set) var cursor: UInt64 = 0
    /// The cursor for which a replay was asked, and the one for which it came.
    private var askedAt: UInt64?
    private var answeredAt: UInt64?
    private var expectsHoles = false
    private var mustAsk = false

    package init() {}

    package var heldCount: Int { held.count }
    package var knownCount: Int { known.count }

    package var nextDeadline: Instant? {
        if case .holding(let until) = state { until } else { nil }
    }

    /// Another session: nothing of the old one counts.
    package mutating func reset() {
        self = ReceiveCore()
    }

    /// The connection is gone. On the next one of the same session the server replays what follows the
    /// ``cursor``; until then waiting for what is missing makes no sense.
    package mutating func connectionLost() {
        state = .expectingReplay
        answeredAt = nil
        mustAsk = false
    }

    /// What is new of a frame.
    package mutating func receive(_ events: [Arrival], isBatch: Bool, at now: Instant) -> [Delivery] {
        var deliveries: [Delivery] = []
        var acceptsHoles = false
        if case .expectingReplay = state {
            acceptsHoles = isBatch
            state = .inStep
            noteReplay(events)
        }
        for event in events {
            take(event, acceptsHoles: acceptsHoles || expectsHoles, at: now, into: &deliveries)
        }
        release(into: &deliveries)
        if case .inStep = state, !held.isEmpty { state = .holding(until: now + Limits.holeWait) }
        return deliveries
    }

    /// No replay will come: what is held goes out in its order.
    package mutating func flush() -> [Delivery] {
        let events = held
        held = []
        state = .inStep
        return events.compactMap { event in
            guard !known.contains(event.id) else { return nil }
            accept(event)
            return .new(event)
        }
    }

    package mutating func advance(to now: Instant) -> Due? {
        guard case .holding(let until) = state, until <= now else { return nil }
        if answeredAt == cursor, !mustAsk {
            expectsHoles = true
            return .deliver(flush())
        }
        mustAsk = false
        askedAt = cursor
        state = .holding(until: now + Limits.holeWait)
        return .askForReplay
    }

    /// If the hole we asked about is still there, it is the server's way of counting.
    private mutating func noteReplay(_ events: [Arrival]) {
        guard let asked = askedAt else { return }
        askedAt = nil
        guard asked == cursor else { return }
        answeredAt = asked
        let first = events.compactMap(\.sequence).first { $0 > asked }
        if let first, first - asked > 1 { expectsHoles = true }
    }

    private mutating func take(
        _ event: Arrival, acceptsHoles: Bool, at now: Instant, into deliveries: inout [Delivery]
    ) {
        guard let sequence = event.sequence, !event.id.isEmpty else {
            deliveries.append(.new(event))
            return
        }
        if known.contains(event.id) || sequence <= cursor && known.hasForgotten {
            deliveries.append(.repeated(event))
            return
        }
        // What a server sends again for an older place arrives late rather than never.
        let isNext = cursor == 0 || sequence <= cursor || sequence - cursor == 1
        guard isNext || acceptsHoles else {
            hold(event, sequence, at: now)
            return
        }
        accept(event)
        deliveries.append(.new(event))
        release(into: &deliveries)
    }

    private mutating func accept(_ event: Arrival) {
        _ = known.insert(event.id)
        cursor = max(cursor, event.sequence ?? 0)
    }

    private mutating func hold(_ event: Arrival, _ sequence: UInt64, at now: Instant) {
        guard !held.contains(where: { $0.id == event.id }) else { return }
        guard held.count < Limits.maxHeldEvents else {
            // Dropped: the replay brings it again.
            mustAsk = true
            state = .holding(until: now)
            return
        }
        let place = held.firstIndex { ($0.sequence ?? 0) > sequence } ?? held.count
        held.insert(event, at: place)
        if case .holding = state { return }
        state = .holding(until: now + Limits.holeWait)
    }

    /// Lets go of what follows the cursor now.
    private mutating func release(into deliveries: inout [Delivery]) {
        while let first = held.first, let sequence = first.sequence,
            sequence <= cursor || sequence - cursor == 1
        {
            held.removeFirst()
            if known.contains(first.id) { continue }
            accept(first)
            deliveries.append(.new(first))
        }
        if held.isEmpty, !mustAsk { state = .inStep }
    }
}
