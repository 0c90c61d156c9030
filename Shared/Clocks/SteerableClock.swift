package enum ClockMode: Equatable, Sendable {
    case real
    /// A multiple of real time, above 0.
    case scaled(Double)
    /// Time moves only by ``SteerableClock/advance(to:)``.
    case frozen

    /// Speed factors that users may choose.
    package static let factors = 0.001...1_000.0
}

/// Clock that can be stopped, scaled and moved forward, but not back.
package protocol SteerableClock: EventClock {
    var mode: ClockMode { get }

    /// Whether time stands still until a resume.
    var isStopped: Bool { get }

    /// - Returns: false when the clock does not support the mode.
    func setMode(_ mode: ClockMode) -> Bool

    /// Moves the clock forward to `target`, never back, and fires due timers.
    func advance(to target: Instant)
}

extension VirtualClock: SteerableClock {
    package var mode: ClockMode { .frozen }
    package var isStopped: Bool { false }

    package func setMode(_ mode: ClockMode) -> Bool { mode == .frozen }
}

/// Clock at the pace of a base clock, at a scaled pace, or stopped.
package final class DrivenClock: SteerableClock {
    private struct Armed {
        var deadline: Instant?
        let timer: any EventTimer
    }

    private struct State {
        var mode = ClockMode.real
        /// A moment on this clock, and the same moment on the base clock.
        var shown: Instant
        var base: Instant
        var timers: [UInt64: Armed] = [:]
        var counter: UInt64 = 0

        func now(at base: Instant) -> Instant {
            switch mode {
            case .real: shown + (base - self.base)
            case .scaled(let factor): shown + (base - self.base).scaled(by: factor)
            case .frozen: shown
            }
        }

        /// Returns the base clock's time when this clock will show `deadline`; nil if never.
        func baseDeadline(_ deadline: Instant) -> Instant? {
            if deadline <= shown { return base }
            return switch mode {
            case .real: base + (deadline - shown)
            case .scaled(let factor): base + (deadline - shown).scaled(by: 1 / factor)
            case .frozen: nil
            }
        }

        mutating func anchor(at base: Instant) {
            shown = now(at: base)
            self.base = base
        }

        /// Returns new deadlines for the base's timers. Set them after releasing the lock: a due timer may fire at
        /// once.
        func orders(for timers: some Sequence<Armed>) -> [Order] {
            timers.map { Order(timer: $0.timer, deadline: $0.deadline.flatMap { baseDeadline($0) }) }
        }
    }

    private struct Order {
        let timer: any EventTimer
        let deadline: Instant?

        func follow() {
            if let deadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
    }

    private let base: any EventClock
    private let state: Locked<State>

    package init(_ base: any EventClock) {
        self.base = base
        let now = base.now
        state = Locked(State(shown: now, base: now))
    }

    package var now: Instant {
        let base = base.now
        return state.withLock { $0.now(at: base) }
    }

    package var mode: ClockMode { state.withLock { $0.mode } }
    package var isStopped: Bool { mode == .frozen }

    package func setMode(_ mode: ClockMode) -> Bool {
        if case .scaled(let factor) = mode, !(factor > 0 && factor.isFinite) { return false }
        let now = base.now
        let orders = state.withLock { state in
            state.anchor(at: now)
            state.mode = mode
            return state.orders(for: state.timers.values)
        }
        for order in orders { order.follow() }
        return true
    }

    package func advance(to target: Instant) {
        let now = base.now
        let orders = state.withLock { state in
            state.anchor(at: now)
            state.shown = max(state.shown, target)
            return state.orders(for: state.timers.values)
        }
        for order in orders { order.follow() }
    }

    /// Sets this clock to its base clock's time, even backwards, and disarms its timers. State that depends on this
    /// clock must be shifted by the result.
    ///
    /// - Returns: the change of this clock's time; negative if the clock moved back.
    package func rejoinBase() -> Interval {
        let now = base.now
        let (step, orders) = state.withLock { state -> (Interval, [Order]) in
            let step = now - state.now(at: now)
            state.shown = now
            state.base = now
            for id in state.timers.keys { state.timers[id]?.deadline = nil }
            return (step, state.orders(for: state.timers.values))
        }
        for order in orders { order.follow() }
        return step
    }

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        let id = state.withLock { state in
            state.counter += 1
            return state.counter
        }
        let timer = base.makeTimer { [weak self] in
            if self?.takeDue(id) == true { fire() }
        }
        state.withLock { $0.timers[id] = Armed(deadline: nil, timer: timer) }
        return DrivenTimer(clock: self, id: id)
    }

    /// Returns true if the timer is due, and removes its deadline.
    private func takeDue(_ id: UInt64) -> Bool {
        let now = base.now
        let (isDue, orders) = state.withLock { state -> (Bool, [Order]) in
            guard let armed = state.timers[id], let deadline = armed.deadline else { return (false, []) }
            guard deadline <= state.now(at: now) else { return (false, state.orders(for: [armed])) }
            state.timers[id]?.deadline = nil
            return (true, [])
        }
        for order in orders { order.follow() }
        return isDue
    }

    private final class DrivenTimer: EventTimer {
        let clock: DrivenClock
        let id: UInt64

        init(clock: DrivenClock, id: UInt64) {
            self.clock = clock
            self.id = id
        }

        deinit {
            let gone = clock.state.withLock { [id] in $0.timers.removeValue(forKey: id) }
            gone?.timer.disarm()
        }

        func arm(at deadline: Instant) { set(deadline) }

        func disarm() { set(nil) }

        private func set(_ deadline: Instant?) {
            let orders = clock.state.withLock { [id] state -> [Order] in
                state.timers[id]?.deadline = deadline
                return state.timers[id].map { state.orders(for: [$0]) } ?? []
            }
            for order in orders { order.follow() }
        }
    }
}
