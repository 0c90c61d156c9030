package import Clocks

/// Deadlines of a loop besides those of sessions. Close deadlines are run together: a turn costs as much as several
/// chunks.
package struct LoopTimers: Sendable {
    /// Of connections, by slot.
    package var deadlines = DeadlineHeap()
    /// Deadlines of encoders, by session slot.
    package var encoders = DeadlineHeap()
    /// Of output and input held back by faults, by connection slot.
    package var holds = DeadlineHeap()
    /// Of checks whether slow peers read, by connection slot.
    package var stalls = DeadlineHeap()
    /// The time to accept connections again after the system ran out of descriptors.
    package private(set) var acceptAgainAt: Instant?
    private var armedFor: Instant?
    /// The last check of deadlines.
    private var lastRun: Instant?
    private let spacing: Interval

    /// `spacing` is the least time between two checks in real time.
    package init(spacing: Interval) { self.spacing = spacing }

    package mutating func acceptAgain(at moment: Instant) { acceptAgainAt = moment }

    /// The earliest deadline, that of sessions and protocol rules included; may be early, never late.
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

    /// The next check, where the earliest deadline is `earliest`.
    package func turn(for earliest: Instant?, isSpaced: Bool) -> Instant? {
        guard isSpaced, let earliest, let lastRun else { return earliest }
        return max(earliest, lastRun + spacing)
    }

    /// The deadline to set the timer to; nil when it is early enough.
    package mutating func arm(for turn: Instant?) -> Instant? {
        guard let turn else { return nil }
        if let armedFor, armedFor <= turn { return nil }
        armedFor = turn
        return turn
    }

    package mutating func fired() { armedFor = nil }

    /// Notes a check of deadlines, and returns whether to accept again.
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

    /// Shifts all moments, after the clock was set back.
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
