package import Clocks

/// State machine that sends the typing state of the user: STARTED or STOPPED (protocol.md#typing-is-a-state).
///
/// | state | keystroke | deadline |
/// | --- | --- | --- |
/// | quiet | STARTED is sent; typing | – |
/// | typing | STARTED is sent if 3 s have passed since the last one; new deadline in 5 s | STOPPED is sent; quiet |
package struct OutgoingTyping: Sendable {
    private enum State: Sendable {
        case quiet
        case typing(startedAt: Instant, stopsAt: Instant)
    }

    private var state = State.quiet

    package init() {}

    /// Handles a keystroke. Returns whether to send STARTED.
    package mutating func keystroke(at now: Instant) -> Bool {
        let stopsAt = now + MessagingLimits.typingPause
        if case .typing(let startedAt, _) = state, now - startedAt < MessagingLimits.typingThrottle {
            state = .typing(startedAt: startedAt, stopsAt: stopsAt)
            return false
        }
        state = .typing(startedAt: now, stopsAt: stopsAt)
        return true
    }

    package var nextDeadline: Instant? {
        if case .typing(_, let stopsAt) = state { stopsAt } else { nil }
    }

    /// Returns whether to send STOPPED.
    package mutating func advance(to now: Instant) -> Bool {
        guard case .typing(_, let stopsAt) = state, stopsAt <= now else { return false }
        state = .quiet
        return true
    }

    package mutating func reset() {
        state = .quiet
    }
}

/// Typing indicator of the agent, shown until an event or the timeout hides it.
package struct TypingDots: Sendable {
    package var timeout: Interval
    private var until: Instant?
    /// Time of a reply's latest chunk, or nil.
    private var repliedAt: Instant?

    package init(timeout: Interval = MessagingLimits.typingDots) {
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

    /// Handles a chunk other than the last. `isShown`: the app shows the text, so no indicator is needed.
    package mutating func reply(isShown: Bool, at now: Instant) {
        (until, repliedAt) = (isShown ? nil : now + timeout, now)
    }

    /// Adapts the indicator when the app begins or stops showing streamed replies.
    package mutating func change(isShown: Bool) {
        guard let repliedAt else { return }
        until = isShown ? nil : repliedAt + timeout
    }

    package mutating func advance(to now: Instant) {
        if let deadline = until, deadline <= now { hide() }
    }
}
