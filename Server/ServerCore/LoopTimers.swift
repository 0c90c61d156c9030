package import Clocks

/// Timers of an event loop, except those of sessions.
package struct LoopTimers: Sendable {
    /// How late turns with due timers of sessions began, in real time.
    package struct Lateness: Sendable {
        package private(set) var turns: UInt64 = 0
        package private(set) var microseconds: UInt64 = 0
        package private(set) var mostMicroseconds: UInt64 = 0

        package init() {}

        package mutating func note(_ late: Interval) {
            let late = UInt64(max(late.nanoseconds / 1_000, 0))
            turns += 1
            microseconds += late
            mostMicroseconds = max(mostMicroseconds, late)
        }
    }

    package var lateness = Lateness()
    package var deadlines = DeadlineHeap()
    package var encoders = DeadlineHeap()
    /// Deadlines of held output and input, by connection slot.
    package var holds = DeadlineHeap()
    /// Deadlines of checks of slow readers, by connection slot.
    package var stalls = DeadlineHeap()
    /// Time of the next attempt to accept connections.
    package private(set) var acceptAgainAt: Instant?
    private var armedFor: Instant?
    private var lastRun: Instant?
    private let spacing: Interval

    /// `spacing` is the minimum time between two turns in real time.
    package init(spacing: Interval) { self.spacing = spacing }

    package mutating func acceptAgain(at moment: Instant) { acceptAgainAt = moment }

    /// Returns the earliest deadline of timers, sessions and protocol rules. The result may be too early.
    package func next(sessions: Instant?, protocolRules: Instant?) -> Instant? {
        var earliest = sessions
        func add(_ moment: Instant?) {
            if let moment { earliest = min(earliest ?? moment, moment) }
        }
        add(protocolRules)
        add(acceptAgainAt)
        add(deadlines.first?.deadline)
        add(holds.first?.deadline)
        add(stalls.first?.deadline)
        add(encoders.first?.deadline)
        return earliest
    }

    /// Returns the time of the next turn, at least `spacing` after the last turn if `isSpaced`.
    package func turn(for earliest: Instant?, isSpaced: Bool) -> Instant? {
        guard isSpaced, let earliest, let lastRun else { return earliest }
        return max(earliest, lastRun + spacing)
    }

    /// Returns the time to which to set the timer, or nil if the timer is already set early enough.
    package mutating func arm(for turn: Instant?) -> Instant? {
        guard let turn else { return nil }
        if let armedFor, armedFor <= turn { return nil }
        armedFor = turn
        return turn
    }

    package mutating func fired() { armedFor = nil }

    /// Records a turn. Returns whether to accept connections again.
    package mutating func run(at now: Instant) -> Bool {
        lastRun = now
        guard let due = acceptAgainAt, due <= now else { return false }
        acceptAgainAt = nil
        return true
    }

    package mutating func forget(_ slot: Int32) {
        deadlines.remove(slot)
        holds.remove(slot)
        stalls.remove(slot)
    }

    /// Shifts stored times after a step of the clock.
    package mutating func shift(by step: Interval) {
        deadlines.shift(by: step)
        holds.shift(by: step)
        stalls.shift(by: step)
        encoders.shift(by: step)
        acceptAgainAt = acceptAgainAt.map { $0 + step }
        lastRun = nil
        armedFor = nil
    }
}
