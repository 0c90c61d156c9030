package import Clocks

/// State machine that delivers every event once and in order, and detects missing events (protocol.md#event-ids). An
/// event that arrives while an earlier event is missing is held.
///
/// | state | input | next state |
/// | --- | --- | --- |
/// | expecting a replay | the first batch of the replay, even with gaps, or the next event; nothing is held | in step |
/// | expecting a replay | the first batch of the replay; events are still held | holding |
/// | expecting a replay | failed attempt, 8 s after a loss, or 3 s after an opening: held events are delivered | same |
/// | in step | the next sequence | in step |
/// | in step | a later sequence: its event is held | holding |
/// | holding | the missing sequence: the events after it are delivered | in step, or holding |
/// | holding | 2 s: a replay is requested | holding |
/// | holding | too many held events: they are delivered, and a replay is requested at once | holding |
/// | holding | 2 s after the replay: held events are delivered | in step |
/// | expecting a replay | events are missing, but a single later event arrives: the replay was lost | holding |
/// | any | the connection is lost | expecting a replay |
/// | any | ``flush()``: held events are delivered | in step, or expecting a replay |
///
/// Held events always have a deadline. If they are delivered before a replay, the ``cursor`` stays before the gap. The
/// missing events are still requested, and delivered late. If a gap remains after a replay, the server leaves out
/// numbers; gaps are accepted from then on. A single event in place of the replay may mean that the replay was lost, so
/// the replay is requested once more.
package struct ReceiveCore: Sendable {
    package struct Arrival: Equatable, Sendable {
        /// Id of the event. If it is empty, a repetition is not recognised.
        package var id: String
        /// Nil for a transient event.
        package var sequence: UInt64?
        /// Nil if the type is unknown or the event unusable.
        package var event: MessagingEvent?
    }

    package enum Delivery: Equatable, Sendable {
        case new(Arrival)
        /// A repeated event, which is not delivered again.
        case repeated(Arrival)
    }

    package enum Due: Equatable, Sendable {
        /// Reconnect, so that the server replays the events after the ``ReceiveCore/cursor``.
        case askForReplay
        /// Deliver these held events without waiting for the missing ones.
        case deliver([Delivery])
    }

    /// Whether an event is missing on this connection.
    package var hasHole: Bool {
        if case .holding = state { true } else { false }
    }

    var waitsForReplay: Bool {
        if case .expectingReplay(.some) = state { true } else { false }
    }

    private enum State: Sendable {
        /// `until`: deadline of the held events, or nil.
        case expectingReplay(until: Instant?)
        case inStep
        case holding(until: Instant)
    }

    private var state = State.expectingReplay(until: nil)
    private var known = RecentIDs(capacity: MessagingLimits.maxKnownIDs)
    private var held: [Arrival] = []
    /// Sequence after which the next replay starts. Initially 0.
    package private(set) var cursor: UInt64 = 0
    /// Highest delivered sequence.
    private var latest: UInt64 = 0
    private var isCatchingUp = false
    /// `askedAt`: the ``cursor`` when a replay was requested. `answeredAt`: the cursor when the replay arrived.
    private var askedAt: UInt64?
    private var answeredAt: UInt64?
    /// The cursor when a single event arrived instead of the requested replay.
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

    package mutating func reset() {
        self = ReceiveCore()
    }

    /// Handles a loss or a failed attempt.
    package mutating func connectionLost(at now: Instant) {
        // After one failed attempt, many more may fail, so the held events are delivered now.
        let hasFailed = if case .expectingReplay = state { true } else { false }
        state = .expectingReplay(
            until: held.isEmpty ? nil : hasFailed ? now : now + MessagingLimits.replayHold)
        answeredAt = nil
        mustAsk = false
        isCatchingUp = false
    }

    /// Handles an opened connection. Held events wait another ``MessagingLimits/replayWait`` for the replay.
    package mutating func connectionOpened(at now: Instant) {
        guard case .expectingReplay(.some) = state else { return }
        state = .expectingReplay(until: now + MessagingLimits.replayWait)
    }

    /// Returns the events to deliver now. Events that were received before are returned as ``Delivery/repeated(_:)``.
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
            state = .holding(until: now + MessagingLimits.holeWait)
        } else if isReplay {
            isCatchingUp = cursor < latest
        }
        // The cursor advances with each frame of a replay, so that a later replay does not repeat the frame.
        if isCatchingUp, held.isEmpty, let reached = events.compactMap(\.sequence).max() {
            cursor = min(max(cursor, reached), latest)
            isCatchingUp = cursor < latest
        }
        if case .inStep = state, !held.isEmpty { state = .holding(until: now + MessagingLimits.holeWait) }
        return deliveries
    }

    /// Delivers the held events in order, without waiting for the missing ones.
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
            state = .holding(until: now + MessagingLimits.holeWait)
            return .askForReplay
        case .expectingReplay, .holding, .inStep: return nil
        }
    }

    /// Evaluates whether a requested replay has filled the gap.
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
        // An event at or before the highest delivered sequence arrives late or again, and is never held.
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
        // The search starts at the end, because most events arrive in order.
        let place = held.reversed().firstIndex { ($0.sequence ?? 0) <= sequence }?.base ?? 0
        let isHeld = held[..<place].reversed().prefix { $0.sequence == sequence }.contains {
            $0.id == event.id
        }
        guard !isHeld else { return }
        held.insert(event, at: place)
        if held.count > MessagingLimits.maxHeldEvents {
            deliveries += letGo()
            mustAsk = true
            state = .holding(until: now)
        }
        if case .holding = state { return }
        state = .holding(until: now + MessagingLimits.holeWait)
    }

    /// Delivers all held events. The cursor stays before the gap, so that the missing events can still be requested.
    private mutating func letGo() -> [Delivery] {
        defer { held = [] }
        isCatchingUp = false
        return held.compactMap { event in
            latest = max(latest, event.sequence ?? 0)
            guard !event.id.isEmpty, known.insert(event.id) else { return nil }
            return .new(event)
        }
    }

    /// Delivers the held events that follow the last delivered one without a gap.
    private mutating func release(into deliveries: inout [Delivery]) {
        while let sequence = held.first?.sequence, sequence <= latest || sequence - latest == 1 {
            releaseFirst(into: &deliveries)
        }
        if held.isEmpty, !mustAsk { state = .inStep }
    }

    /// Delivers held events before `sequence`, regardless of gaps.
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
    var isBlank: Bool {
        text.isEmpty && attachments.isEmpty && responseSuggestions.isEmpty && chatCallActions.isEmpty
    }
}

extension ReceiveCore.Arrival {
    var isHeartbeat: Bool {
        if case .heartbeat? = event { true } else { false }
    }

    var isPlace: Bool { id.isEmpty && event == nil }

    var isReply: Bool {
        switch event {
        case .agentMessage?, .agentMessageChunk?, .liveAgentMessage?: true
        default: false
        }
    }

    var showsJoin: Bool {
        switch event {
        case .requestPolyAgentJoin?, .agentJoined?: true
        default: false
        }
    }
}
