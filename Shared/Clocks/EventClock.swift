/// The source of time for all of the package: `SystemClock` (SocketTransport), or ``VirtualClock`` in tests.
package protocol EventClock: Sendable {
    /// The current moment. Never goes backwards.
    var now: Instant { get }

    /// Returns a disarmed timer. `fire` is called on any thread whenever an armed deadline is reached.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer
}

/// A timer that can be armed repeatedly. Releasing it cancels it.
package protocol EventTimer: Sendable {
    /// Fires once at `deadline`, or as soon as possible if that is past. Replaces an earlier deadline.
    func arm(at deadline: Instant)
    /// Removes the deadline. A call of `fire` that has already begun may still arrive.
    func disarm()
}
