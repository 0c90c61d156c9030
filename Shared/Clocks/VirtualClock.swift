/// A clock that stands still until a test moves it.
///
/// Due timers fire in deadline order, ties in the order they were armed, on the thread that calls
/// ``advance(by:)``, and each sees its own deadline as the present. A deadline that is past when it is armed fires
/// at once, on the thread that arms it.
package final class VirtualClock: EventClock {
    private struct State {
        var now: Instant
        var armed: [UInt64: (deadline: Instant, order: UInt64)] = [:]
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var names: [UInt64: String] = [:]
        var counter: UInt64 = 0
    }

    private let state: Locked<State>

    /// - Parameter start: defaults to 2026-01-15T09:30:00Z, the moment of the protocol's own examples.
    package init(start: Instant = Instant(secondsSince1970: 1_768_469_400)) {
        state = Locked(State(now: start))
    }

    package var now: Instant { state.withLock { $0.now } }

    /// The earliest armed deadline; nil when nothing is pending.
    package var nextDeadline: Instant? {
        state.withLock { $0.armed.values.map(\.deadline).min() }
    }

    /// Moves time forward and fires everything that falls due on the way.
    package func advance(by interval: Interval) {
        advance(to: now + interval)
    }

    /// Moves time forward to `target`; does nothing when that is past.
    package func advance(to target: Instant) {
        while let action = takeDue(by: target) { action() }
        state.withLock { $0.now = max($0.now, target) }
    }

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        makeTimer(named: "", fire)
    }

    /// A timer that ``pendingTimers`` calls `name`.
    package func makeTimer(
        named name: String, _ fire: @escaping @Sendable () -> Void
    ) -> any EventTimer {
        let id = state.withLock { state in
            state.counter += 1
            state.actions[state.counter] = fire
            state.names[state.counter] = name
            return state.counter
        }
        return Timer(clock: self, id: id)
    }

    /// What is armed, in the order in which it will fire.
    package var pendingTimers: [(name: String, deadline: Instant)] {
        state.withLock { state in
            let due = state.armed.sorted { left, right in
                (left.value.deadline, left.value.order) < (right.value.deadline, right.value.order)
            }
            return due.map { (state.names[$0.key] ?? "", $0.value.deadline) }
        }
    }

    private func takeDue(by target: Instant) -> (@Sendable () -> Void)? {
        state.withLock { state -> (@Sendable () -> Void)? in
            let earliest = state.armed.min { left, right in
                (left.value.deadline, left.value.order) < (right.value.deadline, right.value.order)
            }
            guard let earliest, earliest.value.deadline <= target else { return nil }
            state.armed[earliest.key] = nil
            state.now = max(state.now, earliest.value.deadline)
            return state.actions[earliest.key]
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
                guard deadline > state.now else {
                    state.armed[id] = nil
                    return state.actions[id]
                }
                state.counter += 1
                state.armed[id] = (deadline, state.counter)
                return nil
            }
            overdue?()
        }

        func disarm() {
            clock.state.withLock { [id] state in state.armed[id] = nil }
        }
    }
}
