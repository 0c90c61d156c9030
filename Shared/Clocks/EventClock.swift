/// The source of time. Nothing else in the package reads a clock.
///
/// Implementations: `SystemClock` (SocketTransport) for real time, ``VirtualClock`` for tests.
package protocol EventClock: Sendable {
    /// The present moment. Never goes backwards.
    var now: Instant { get }

    /// A timer that calls `fire` each time an armed deadline is reached.
    ///
    /// `fire` may be called on any thread; callers hop to their own loop inside it. The timer starts disarmed.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer
}

/// A timer that can be armed again and again. Cancelled when released.
package protocol EventTimer: Sendable {
    /// Fires once at `deadline`, or as soon as possible when that is past. Replaces an earlier deadline.
    func arm(at deadline: Instant)
    /// Forgets the deadline; a fire already under way may still arrive.
    func disarm()
}
