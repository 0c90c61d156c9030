/// The source of time for the whole package: `SystemClock` (SocketTransport) in production, ``VirtualClock`` in tests.
package protocol EventClock: Sendable {
    /// The current moment. It never moves backwards.
    var now: Instant { get }

    /// Returns a timer that is not armed. The timer calls `fire`, on any thread, each time an armed deadline is
    /// reached.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer
}

/// A timer that can be armed repeatedly. Releasing the timer cancels it.
package protocol EventTimer: Sendable {
    /// Sets the deadline, in place of an earlier one. The timer fires once at `deadline`, or as soon as possible if
    /// `deadline` is past.
    func arm(at deadline: Instant)
    /// Removes the deadline. A call of `fire` that has already begun may still arrive.
    func disarm()
}
