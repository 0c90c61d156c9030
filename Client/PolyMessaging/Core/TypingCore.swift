package import Clocks

/// State machine that sends the typing state of the user (protocol.md#typing-is-a-state).
///
/// | state | keystroke | deadline |
/// | --- | --- | --- |
/// | quiet | STARTED; typing | – |
/// | typing | STARTED when 3 s have passed since the last; STOPPED moves to 5 s from now | STOPPED; quiet |
package struct OutgoingTyping: Sendable {
    private enum State: Sendable {
        case quiet
        case typing(startedAt: Instant, stopsAt: Instant)
    }

    private var state = State.quiet

    package init() {}

    /// The user typed while the connection is open. True when STARTED has to go out.
    package mutating func keystroke(at now: Instant) -> Bool {
        let stopsAt = now + Limits.typingPause
        if case .typing(let startedAt, _) = state, now - startedAt < Limits.typingThrottle {
            state = .typing(startedAt: startedAt, stopsAt: stopsAt)
            return false
        }
        state = .typing(startedAt: now, stopsAt: stopsAt)
        return true
    }

    package var nextDeadline: Instant? {
        if case .typing(_, let stopsAt) = state { stopsAt } else { nil }
    }

    /// True when STOPPED is due; whether it can be sent or not, the next keystroke is a first one again.
    package mutating func advance(to now: Instant) -> Bool {
        guard case .typing(_, let stopsAt) = state, stopsAt <= now else { return false }
        state = .quiet
        return true
    }

    package mutating func reset() {
        state = .quiet
    }
}

/// Typing indicator of the agent: shown until an event or the timeout hides it.
package struct TypingDots: Sendable {
    package var timeout: Interval
    private var until: Instant?
    /// Arrival time of the latest piece of a reply, while nothing else has changed the dots.
    private var repliedAt: Instant?

    package init(timeout: Interval = Limits.typingDots) {
        self.timeout = timeout
    }

    package var areOn: Bool { until != nil }
    package var nextDeadline: Instant? { until }

    package mutating func show(at now: Instant) {
        (until, repliedAt) = (now + timeout, nil)
    }

    package mutating func hide() {
        (until, repliedAt) = (nil, nil)
    }

    /// A piece of a reply, with more to come; `isShown`: its text shows, so that no dots are needed.
    package mutating func reply(isShown: Bool, at now: Instant) {
        (until, repliedAt) = (isShown ? nil : now + timeout, now)
    }

    /// Growing replies show from now on, or no longer. Dots of other events stay as they are.
    package mutating func change(isShown: Bool) {
        guard let repliedAt else { return }
        until = isShown ? nil : repliedAt + timeout
    }

    package mutating func advance(to now: Instant) {
        if let deadline = until, deadline <= now { hide() }
    }
}
