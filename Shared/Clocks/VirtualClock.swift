/// Clock that only a test moves. ``advance(by:)`` fires due timers on the calling thread, by deadline and then in
/// arming order.
package final class VirtualClock: EventClock {
    private struct State {
        var now: Instant
        var armed: [UInt64: (deadline: Instant, order: UInt64)] = [:]
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var names: [UInt64: String] = [:]
        var counter: UInt64 = 0
        /// Timers that were armed for the past and whose action is running now.
        var overdue: Set<UInt64> = []
        var isStopped = false
    }

    private let state: Locked<State>

    package init(start: Instant = Instant(secondsSince1970: 1_768_469_400)) {
        state = Locked(State(now: start))
    }

    package var now: Instant { state.withLock { $0.now } }

    /// The earliest armed deadline; nil when no timer is armed.
    package var nextDeadline: Instant? {
        state.withLock { $0.armed.values.map(\.deadline).min() }
    }

    package func advance(by interval: Interval) {
        advance(to: now + interval)
    }

    /// Moves time forward to `target`, never back, and fires due timers.
    package func advance(to target: Instant) {
        var budget = MomentBudget(rounds: Self.firingsAtOneMoment)
        while let (action, moment) = takeDue(by: target) {
            action()
            guard budget.spend(at: moment) else { break }
        }
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Limit on the timers that fire at one moment.
    package static let firingsAtOneMoment = 100_000

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        makeTimer(named: "", fire)
    }

    package func makeTimer(
        named name: String, _ fire: @escaping @Sendable () -> Void
    ) -> any EventTimer {
        let id = state.withLock { state in
            state.counter += 1
            guard !state.isStopped else { return state.counter }
            state.actions[state.counter] = fire
            state.names[state.counter] = name
            return state.counter
        }
        return Timer(clock: self, id: id)
    }

    /// Removes all deadlines and actions for ever. An action that refers to this clock would keep it alive.
    package func stop() {
        let dropped = state.withLock { state in
            defer { (state.isStopped, state.armed, state.actions, state.names) = (true, [:], [:], [:]) }
            return state.actions
        }
        // An action may hold the last reference to another timer. Its release takes the lock, so the release must
        // happen outside of the lock.
        withExtendedLifetime(dropped) {}
    }

    package var pendingTimers: [(name: String, deadline: Instant)] {
        state.withLock { state in
            let due = state.armed.sorted { left, right in
                (left.value.deadline, left.value.order) < (right.value.deadline, right.value.order)
            }
            return due.map { (state.names[$0.key] ?? "", $0.value.deadline) }
        }
    }

    private func takeDue(by target: Instant) -> (action: @Sendable () -> Void, moment: Instant)? {
        state.withLock { state -> (@Sendable () -> Void, Instant)? in
            let earliest = state.armed.min { left, right in
                (left.value.deadline, left.value.order) < (right.value.deadline, right.value.order)
            }
            guard let earliest, earliest.value.deadline <= target else { return nil }
            state.armed[earliest.key] = nil
            state.now = max(state.now, earliest.value.deadline)
            return state.actions[earliest.key].map { ($0, state.now) }
        }
    }

    private final class Timer: EventTimer {
        let clock: VirtualClock
        let id: UInt64

        init(clock: VirtualClock, id: UInt64) {
            self.clock = clock
            self.id = id
        }

        deinit {
            clock.state.withLock { [id] state in
                state.armed[id] = nil
                state.actions[id] = nil
                state.names[id] = nil
            }
        }

        func arm(at deadline: Instant) {
            let overdue = clock.state.withLock { [id] state -> (@Sendable () -> Void)? in
                // A timer armed for the past fires at once. If its action arms it for the past again, it waits for the
                // next advance, because another call would recurse.
                guard deadline > state.now || state.overdue.contains(id) else {
                    state.armed[id] = nil
                    guard let action = state.actions[id] else { return nil }
                    state.overdue.insert(id)
                    return action
                }
                guard !state.isStopped else { return nil }
                state.counter += 1
                state.armed[id] = (deadline, state.counter)
                return nil
            }
            guard let overdue else { return }
            overdue()
            clock.state.withLock { [id] state in _ = state.overdue.remove(id) }
        }

        func disarm() {
            clock.state.withLock { [id] state in state.armed[id] = nil }
        }
    }
}
