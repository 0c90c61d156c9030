import Clocks

/// A clock of one owner: what its timers are called, among those of everybody else on the same clock.
struct NamedClock: SteerableClock {
    let base: VirtualClock
    let owner: String

    var now: Instant { base.now }
    var mode: ClockMode { base.mode }

    func setMode(_ mode: ClockMode) -> Bool { base.setMode(mode) }

    func advance(to target: Instant) { base.advance(to: target) }

    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        base.makeTimer(named: owner, fire)
    }
}
