package import Clocks

/// State machine that sends the typing state of the user (protocol.md#typing-is-a-state).
///
/// | state | keystroke | deadline |
/// | --- | --- | --- |
/// | quiet | STARTED; typing | – |
/// | typing | STARTED if 3 s have passed since the last one; STOPPED is due in 5 s | STOPPED; quiet |
package struct OutgoingTyping: Sendable {
    private enum State: Sendable {
        case quiet
        case typing(startedAt: Instant, stopsAt: Instant)
    }

    private var state = State.quiet

    package init() {}

    /// Handles a keystroke while the connection is open. Returns true if STARTED has to be sent.
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

    /// Returns true if STOPPED is due. After it, the next keystroke sends STARTED.
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
    /// Arrival time of the latest chunk of a reply; nil if another event has changed the indicator since.
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

    /// Handles a chunk that is not the last. `isShown` means that its text is shown, so the indicator is hidden.
    package mutating func reply(isShown: Bool, at now: Instant) {
        (until, repliedAt) = (isShown ? nil : now + timeout, now)
    }

    /// Shows or hides the indicator when streamed replies become hidden or shown. Other events keep their indicator.
    package mutating func change(isShown: Bool) {
        guard let repliedAt else { return }
        until = isShown ? nil : repliedAt + timeout
    }

    package mutating func advance(to now: Instant) {
        if let deadline = until, deadline <= now { hide() }
    }
}
