package import Clocks

/// State machine of the heartbeats on an open connection (protocol.md#heartbeat-interval, protocol.md#heartbeat-echo).
/// Heartbeats are off if the interval is nil.
///
/// | state | start | stop | deadline | new interval |
/// | --- | --- | --- | --- | --- |
/// | stopped | ticking, or silent if off | – | – | kept for the next start |
/// | ticking | ticking, restarted | stopped | a heartbeat or unanswered; ticking | ticking, or silent if off |
/// | silent | ticking, or silent if off | stopped | – | ticking, or silent if off |
///
/// A server that has echoed one heartbeat must echo all, on every connection. Too many without an echo mean a half-open
/// connection. A server that never echoes is not checked.
package struct HeartbeatCore: Sendable {
    private enum State: Sendable {
        case stopped
        case ticking(next: Instant)
        /// A connection is open, but heartbeats are off.
        case silent
    }

    package enum Due: Equatable, Sendable {
        case send
        case unanswered
    }

    private let configured: Interval?
    private var state = State.stopped
    private var hasEchoed = false
    private var unansweredCount = 0
    private var hasHeard = false
    package private(set) var interval: Interval?

    /// `interval`: the configured interval, or nil for no heartbeats.
    package init(interval: Interval? = MessagingLimits.heartbeatInterval) {
        configured = interval
        self.interval = interval
    }

    /// Returns nil, for no heartbeats, if `seconds` is 0, and `fallback` for nil and negative numbers.
    package static func interval(seconds: Int?, fallback: Interval?) -> Interval? {
        guard let seconds, seconds >= 0 else { return fallback }
        return seconds == 0 ? nil : .seconds(Int64(min(seconds, 1_000_000_000)))
    }

    package mutating func start(at now: Instant) {
        (unansweredCount, hasHeard) = (0, false)
        state = interval.map { .ticking(next: now + $0) } ?? .silent
    }

    package mutating func stop() {
        state = .stopped
    }

    /// Applies the interval from SESSION_START (protocol.md#zero-capabilities).
    package mutating func apply(capability seconds: Int?, at now: Instant) {
        change(to: Self.interval(seconds: seconds, fallback: configured), at: now)
    }

    package mutating func setInterval(seconds: Int, at now: Instant) {
        guard seconds > 0 else { return }
        change(to: Self.interval(seconds: seconds, fallback: nil), at: now)
    }

    package mutating func reset(at now: Instant) {
        change(to: configured, at: now)
    }

    package var nextDeadline: Instant? {
        if case .ticking(let next) = state { next } else { nil }
    }

    package mutating func frameArrived(isEcho: Bool) {
        hasHeard = true
        guard isEcho else { return }
        hasEchoed = true
        unansweredCount = 0
    }

    /// Returns the due action. `isBehind`: echoes may be unread, so missing echoes do not count.
    package mutating func advance(to now: Instant, isBehind: Bool = false) -> Due? {
        guard case .ticking(let next) = state, next <= now, let interval else { return nil }
        let following = next + interval
        state = .ticking(next: following > now ? following : now + interval)
        if isBehind { unansweredCount = 0 }
        let most = hasHeard ? MessagingLimits.missedEchoesAmongFrames : MessagingLimits.missedEchoes
        guard !hasEchoed || unansweredCount < most else { return .unanswered }
        unansweredCount += 1
        hasHeard = false
        return .send
    }

    private mutating func change(to new: Interval?, at now: Instant) {
        guard new != interval else { return }
        interval = new
        if case .stopped = state { return }
        start(at: now)
    }
}
