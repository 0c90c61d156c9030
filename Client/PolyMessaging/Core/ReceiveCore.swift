package import Clocks

/// Lets every event through once, in order, and notices when one is missing (protocol.md#event-ids).
///
/// | state | input | next state |
/// | --- | --- | --- |
/// | expecting a replay | its first batch, whatever holes it has; nothing held | in step |
/// | expecting a replay | its first batch, and something is held still | holding |
/// | expecting a replay | a failed attempt, 8 s since the loss, or 3 s of a new connection: what is held goes out | same |
/// | in step | the next sequence | in step |
/// | in step | a later sequence: it is held | holding |
/// | holding | the missing sequence: all that follows it goes out | in step, or holding |
/// | holding | 2 s: ask for a replay | holding |
/// | holding | too many held events: they go out, and a replay is asked for at once | holding |
/// | holding | 2 s after that replay: what is held goes out | in step |
/// | expecting a replay | a single event after all delivered ones, with a hole open: the replay was lost | holding |
/// | any | the connection is lost | expecting a replay |
/// | any | ``flush()``: what is held goes out | in step, or expecting a replay |
///
/// Held events always have a deadline. Events delivered ahead of a replay leave the ``cursor`` before the
/// gap, so that the missing events are still requested and delivered, late.
///
/// A gap that a replay does not fill means that this server numbers events with gaps; from then on gaps are
/// not waited for. A single event in place of the replay may mean that the replay was lost: it is asked for
/// once more.
package struct ReceiveCore: Sendable {
    package struct Arrival: Equatable, Sendable {
        /// Empty for an event that is never held, nor recognised when repeated. Its sequence still fills a
        /// gap.
        package var id: String
        /// nil: transient.
        package var sequence: UInt64?
        /// nil for a type apps have no use for, and for an unusable event; its sequence still counts.
        package var event: MessagingEvent?

        package init(id: String, sequence: UInt64?, event: MessagingEvent?) {
            self.id = id
            self.sequence = sequence
            self.event = event
        }
    }

    package enum Delivery: Equatable, Sendable {
        case new(Arrival)
        /// An event that is known already. Only its facts about the connection may still matter.
        case repeated(Arrival)
    }

    package enum Due: Equatable, Sendable {
        /// An event is missing: reconnect with the ``ReceiveCore/cursor``.
        case askForReplay
        /// Deliver these events; the missing one is not expected any more.
        case deliver([Delivery])
    }

    /// Whether an event is missing on this connection, possibly an echo.
    package var hasHole: Bool {
        if case .holding = state { true } else { false }
    }

    /// Whether events after a gap wait for a replay, until an attempt fails.
    var waitsForReplay: Bool {
        if case .expectingReplay(.some) = state { true } else { false }
    }

    private enum State: Sendable {
        /// `until` is the deadline of held events; nil if none are held.
        case expectingReplay(until: Instant?)
        case inStep
        case holding(until: Instant)
    }

    private var state = State.expectingReplay(until: nil)
    private var known = RecentIDs(capacity: Limits.maxKnownIDs)
    /// By sequence.
    private var held: [Arrival] = []
    /// The sequence up to which all events were delivered or are lost; 0 before the first event. Replays start after
    /// it.
    package private(set) var cursor: UInt64 = 0
    /// The highest sequence that was delivered: beyond the cursor when held events went out in front of a replay.
    private var latest: UInt64 = 0
    /// A replay is on its way through what went out before it.
    private var isCatchingUp = false
    /// The cursor for which a replay was asked, and the one for which it came.
    private var askedAt: UInt64?
    private var answeredAt: UInt64?
    /// The cursor for which a single event came in place of the replay.
    private var doubtedAt: UInt64?
    private var expectsHoles = false
    private var mustAsk = false

    package init() {}

    package var heldCount: Int { held.count }
    package var knownCount: Int { known.count }

    package var nextDeadline: Instant? {
        switch state {
        case .holding(let until): until
        case .expectingReplay(let until): until
        case .inStep: nil
        }
    }

    /// Another session: nothing of the old one counts.
    package mutating func reset() {
        self = ReceiveCore()
    }

    /// The connection, or an attempt at one, is gone. On the next one of the same session the server replays what
    /// follows the ``cursor``. Held events wait for that, so that they go out in order, until an attempt fails.
    package mutating func connectionLost(at now: Instant) {
        // An attempt that fails may be the first of many.
        let hasFailed = if case .expectingReplay = state { true } else { false }
        state = .expectingReplay(until: held.isEmpty ? nil : hasFailed ? now : now + Limits.replayHold)
        answeredAt = nil
        mustAsk = false
        isCatchingUp = false
    }

    /// A replay comes soon or not at all.
    package mutating func connectionOpened(at now: Instant) {
        guard case .expectingReplay(.some) = state else { return }
        state = .expectingReplay(until: now + Limits.replayWait)
    }

    /// Filters out the events of a frame that are already known.
    package mutating func receive(_ events: [Arrival], isBatch: Bool, at now: Instant) -> [Delivery] {
        var deliveries: [Delivery] = []
        var isReplay = false
        let first = events.lazy.compactMap(\.sequence).first
        if case .expectingReplay = state, isBatch || first != nil {
            isReplay = true
            state = .inStep
            noteReplay(events, isBatch: isBatch)
        }
        let isLost = isReplay && !isBatch && cursor < latest && (first ?? 0) > latest
        for event in events {
            admit(event, acceptsHoles: isReplay && isBatch || expectsHoles, at: now, into: &deliveries)
        }
        release(into: &deliveries)
        if isLost {
            mustAsk = true
            state = .holding(until: now + Limits.holeWait)
        } else if isReplay {
            isCatchingUp = cursor < latest
        }
        // A replay comes in order, perhaps in several frames: what it has passed is not asked for again, and no more.
        if isCatchingUp, held.isEmpty, let reached = events.compactMap(\.sequence).max() {
            cursor = min(max(cursor, reached), latest)
            isCatchingUp = cursor < latest
        }
        if case .inStep = state, !held.isEmpty { state = .holding(until: now + Limits.holeWait) }
        return deliveries
    }

    /// Delivers held messages in sequence order: no replay will come, or the replay takes too long.
    package mutating func flush() -> [Delivery] {
        if case .expectingReplay = state { state = .expectingReplay(until: nil) } else { state = .inStep }
        return letGo()
    }

    package mutating func advance(to now: Instant) -> Due? {
        switch state {
        case .expectingReplay(let until?) where until <= now: return .deliver(flush())
        case .holding(let until) where until <= now:
            if answeredAt == cursor, !mustAsk {
                expectsHoles = true
                let deliveries = flush()
                cursor = latest
                return .deliver(deliveries)
            }
            mustAsk = false
            askedAt = cursor
            state = .holding(until: now + Limits.holeWait)
            return .askForReplay
        case .expectingReplay, .holding, .inStep: return nil
        }
    }

    /// If the hole we asked about is still there, it is the server's way of counting, or the replay was lost.
    private mutating func noteReplay(_ events: [Arrival], isBatch: Bool) {
        guard let asked = askedAt else { return }
        askedAt = nil
        guard asked == cursor else { return }
        let next = events.lazy.compactMap(\.sequence).first { $0 > asked }
        let isThere = if let next { next - asked > 1 } else { false }
        if isThere, !isBatch, doubtedAt != asked {
            doubtedAt = asked
            return
        }
        answeredAt = asked
        if isThere { expectsHoles = true }
    }

    private mutating func admit(
        _ event: Arrival, acceptsHoles: Bool, at now: Instant, into deliveries: inout [Delivery]
    ) {
        guard let sequence = event.sequence else {
            deliveries.append(.new(event))
            return
        }
        var place = event
        if event.id.isEmpty {
            deliveries.append(.new(event))
            place.event = nil
        } else if known.contains(event.id) || sequence <= cursor && known.hasForgotten {
            deliveries.append(.repeated(event))
            (place.id, place.event) = ("", nil)
        }
        // An event resent for an older sequence arrives late rather than never.
        let isNext = latest == 0 || sequence <= latest || sequence - latest == 1
        guard isNext || acceptsHoles else {
            hold(place, sequence, at: now, into: &deliveries)
            return
        }
        if !isNext { release(before: sequence, into: &deliveries) }
        accept(place)
        if !place.id.isEmpty { deliveries.append(.new(event)) }
        release(into: &deliveries)
    }

    private mutating func accept(_ event: Arrival) {
        if !event.id.isEmpty { _ = known.insert(event.id) }
        let isWhole = cursor == latest
        latest = max(latest, event.sequence ?? 0)
        if isWhole { cursor = latest }
    }

    private mutating func hold(
        _ event: Arrival, _ sequence: UInt64, at now: Instant, into deliveries: inout [Delivery]
    ) {
        // Most arrive in order: nothing is searched for those.
        let place = held.reversed().firstIndex { ($0.sequence ?? 0) <= sequence }?.base ?? 0
        let isHeld = held[..<place].reversed().prefix { $0.sequence == sequence }.contains {
            $0.id == event.id
        }
        guard !isHeld else { return }
        held.insert(event, at: place)
        if held.count > Limits.maxHeldEvents {
            deliveries += letGo()
            mustAsk = true
            state = .holding(until: now)
        }
        if case .holding = state { return }
        state = .holding(until: now + Limits.holeWait)
    }

    /// The cursor stays in front of the hole.
    private mutating func letGo() -> [Delivery] {
        defer { held = [] }
        isCatchingUp = false
        return held.compactMap { event in
            latest = max(latest, event.sequence ?? 0)
            guard !event.id.isEmpty, known.insert(event.id) else { return nil }
            return .new(event)
        }
    }

    /// Lets go of what follows the last delivered event now.
    private mutating func release(into deliveries: inout [Delivery]) {
        while let sequence = held.first?.sequence, sequence <= latest || sequence - latest == 1 {
            releaseFirst(into: &deliveries)
        }
        if held.isEmpty, !mustAsk { state = .inStep }
    }

    /// No hole before this sequence is waited for.
    private mutating func release(before sequence: UInt64, into deliveries: inout [Delivery]) {
        while let first = held.first?.sequence, first < sequence { releaseFirst(into: &deliveries) }
    }

    private mutating func releaseFirst(into deliveries: inout [Delivery]) {
        let first = held.removeFirst()
        let isNew = !first.id.isEmpty && !known.contains(first.id)
        accept(first)
        if isNew { deliveries.append(.new(first)) }
    }
}

extension AgentMessagePayload {
    /// True if the payload has no content to show.
    var isBlank: Bool {
        text.isEmpty && attachments.isEmpty && responseSuggestions.isEmpty && chatCallActions.isEmpty
    }
}

extension ReceiveCore.Arrival {
    var isHeartbeat: Bool {
        if case .heartbeat? = event { true } else { false }
    }

    /// Nothing but the place of an unusable event.
    var isPlace: Bool { id.isEmpty && event == nil }

    var isReply: Bool {
        switch event {
        case .agentMessage?, .agentMessageChunk?, .liveAgentMessage?: true
        default: false
        }
    }

    /// Somebody asked the agent to join, or it is there.
    var showsJoin: Bool {
        switch event {
        case .requestPolyAgentJoin?, .agentJoined?: true
        default: false
        }
    }
}
