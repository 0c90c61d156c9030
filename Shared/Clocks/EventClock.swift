/// The source of time for everything in the package.
///
/// Implementations: `SystemClock` (SocketTransport) for real time, ``VirtualClock`` for tests.
package protocol EventClock: Sendable {
    /// The current moment. Never goes backwards.
    var now: Instant { get }

    /// Returns a disarmed timer that calls `fire` whenever its armed deadline is reached.
    ///
    /// `fire` may be called on any thread.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer
}

/// A timer that can be armed repeatedly. Releasing it cancels it.
package protocol EventTimer: Sendable {
    /// Fires once at `deadline`, or as soon as possible if that is past. Replaces an earlier deadline.
    func arm(at deadline: Instant)
    /// Removes the deadline. A call of `fire` that has already begun may still arrive.
    func disarm()
}
