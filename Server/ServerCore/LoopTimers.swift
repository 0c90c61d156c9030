package import Clocks

/// Which deadlines a loop has besides those of its sessions, and when it looks at them next. Many that are close
/// together are done at once: each turn costs as much as sending several chunks.
package struct LoopTimers: Sendable {
    /// Of connections, by their slots.
    package var deadlines = DeadlineHeap()
    /// When the encoders of sessions next want their turn, by the slots of the sessions.
    package var encoders = DeadlineHeap()
    /// When troubles next let go of what they hold back, by the slots of the connections.
    package var valves = DeadlineHeap()
    /// When to look whether peers took something of what waits for them, by the slots of the connections.
    package var stalls = DeadlineHeap()
    /// When to accept again after the system ran out of descriptors.
    package private(set) var acceptAgainAt: Instant?
    /// What the timer was set to.
    private var armedFor: Instant?
    /// When deadlines were last looked at.
    private var lastRun: Instant?
    private let spacing: Interval

    /// - Parameter spacing: from one look at the deadlines to the next, where time passes by itself.
    package init(spacing: Interval) {
        self.spacing = spacing
    }

    package mutating func acceptAgain(at moment: Instant) { acceptAgainAt = moment }

    /// The earliest deadline, that of the sessions and the next check of the laws included; may be early, never late.
    package func next(sessions: Instant?, laws: Instant?) -> Instant? {
        var earliest = sessions
        func see(_ moment: Instant?) {
            if let moment { earliest = min(earliest ?? moment, moment) }
        }
        see(laws)
        see(acceptAgainAt)
        see(deadlines.first?.deadline)
        see(valves.first?.deadline)
        see(stalls.first?.deadline)
        see(encoders.first?.deadline)
        return earliest
    }

    /// When to look, where the earliest deadline is `earliest`.
    package func turn(for earliest: Instant?, isSpaced: Bool) -> Instant? {
        guard isSpaced, let earliest, let lastRun else { return earliest }
        return max(earliest, lastRun + spacing)
    }

    /// What the timer has to be set to for `turn`; nil when it stands well.
    package mutating func arm(for turn: Instant?) -> Instant? {
        guard let turn else { return nil }
        if let armedFor, armedFor <= turn { return nil }
        armedFor = turn
        return turn
    }

    /// The timer has fired.
    package mutating func fired() { armedFor = nil }

    /// Deadlines are looked at.
    ///
    /// - Returns: whether to accept again.
    package mutating func run(at now: Instant) -> Bool {
        lastRun = now
        guard let due = acceptAgainAt, due <= now else { return false }
        acceptAgainAt = nil
        return true
    }

    /// A connection is gone.
    package mutating func forget(_ slot: Int32) {
        deadlines.remove(slot)
        valves.remove(slot)
        stalls.remove(slot)
    }

    /// All moments move by `step`, since the clock was set back.
    package mutating func shift(by step: Interval) {
        deadlines.shift(by: step)
        valves.shift(by: step)
        stalls.shift(by: step)
        encoders.shift(by: step)
        acceptAgainAt = acceptAgainAt.map { $0 + step }
        lastRun = nil
        armedFor = nil
    }
}
