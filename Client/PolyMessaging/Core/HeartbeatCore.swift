package import Clocks

/// When heartbeats are due on an open connection (protocol.md#heartbeat-interval).
///
/// | state | start | stop | deadline | new interval |
/// | --- | --- | --- | --- | --- |
/// | stopped | ticking, or silent when off | – | – | kept for the next start |
/// | ticking | restarts | stopped | tick, ticking | ticking anew, or silent |
/// | silent | ticking, or silent | stopped | – | ticking, or silent |
package struct HeartbeatCore: Sendable {
    private enum State: Sendable {
        case stopped
        case ticking(next: Instant)
        /// Running, with heartbeats off.
        case silent
    }

    private let configured: Interval?
    private var state = State.stopped
    /// nil: off.
    package private(set) var interval: Interval?

    /// `interval` is what the configuration says, and what ``reset(at:)`` returns to; nil is off.
    package init(interval: Interval? = Limits.heartbeatInterval) {
        configured = interval
        self.interval = interval
    }

    /// The meaning of a number of seconds: positive is an interval, 0 is off, anything else the fallback.
    package static func interval(seconds: Int?, fallback: Interval?) -> Interval? {
        guard let seconds, seconds >= 0 else { return fallback }
        return seconds == 0 ? nil : .seconds(Int64(min(seconds, 1_000_000_000)))
    }

    /// The connection opened.
    package mutating func start(at now: Instant) {
        state = interval.map { .ticking(next: now + $0) } ?? .silent
    }

    /// The connection is gone.
    package mutating func stop() {
        state = .stopped
    }

    /// What SESSION_START says (protocol.md#zero-capabilities). The same interval again does not shift a
    /// running timer.
    package mutating func apply(capability seconds: Int?, at now: Instant) {
        change(to: Self.interval(seconds: seconds, fallback: configured), at: now)
    }

    /// Changes the interval; 0 and less change nothing.
    package mutating func setInterval(seconds: Int, at now: Instant) {
        guard seconds > 0 else { return }
        change(to: Self.interval(seconds: seconds, fallback: nil), at: now)
    }

    /// Back to the configured interval.
    package mutating func reset(at now: Instant) {
        change(to: configured, at: now)
    }

    package var nextDeadline: Instant? {
        if case .ticking(let next) = state { next } else { nil }
    }

    /// True when a heartbeat is due. However late the call is, it is one, and the next is an interval away.
    package mutating func advance(to now: Instant) -> Bool {
        guard case .ticking(let next) = state, next <= now, let interval else { return false }
        let following = next + interval
        state = .ticking(next: following > now ? following : now + interval)
        return true
    }

    private mutating func change(to new: Interval?, at now: Instant) {
        guard new != interval else { return }
        interval = new
        if case .stopped = state { return }
        start(at: now)
    }
}
