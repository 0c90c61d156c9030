/// Source of time for the package.
package protocol EventClock: Sendable {
    /// The current moment.
    var now: Instant { get }

    /// Returns an unarmed timer. It calls `fire`, on any thread, each time an armed deadline is reached.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer
}

/// Timer that can be armed repeatedly. Releasing the timer cancels it.
package protocol EventTimer: Sendable {
    /// Replaces the deadline. The timer fires once at `deadline`, or soon if that is past.
    func arm(at deadline: Instant)
    /// Removes the deadline. Does not stop a call of `fire` that is already under way.
    func disarm()
}
