package import Clocks

/// Busy-polling policy of an event loop (decision record 0008).
package struct BusyPoll {
    package struct Step: Equatable {
        /// Whether due deadlines must run before sockets are polled.
        package let runsDue: Bool
        /// Maximum time to wait for sockets.
        package let wait: Interval
        /// Whether the loop returns to Dispatch if no socket is ready after this step.
        package let isLast: Bool

        package init(runsDue: Bool = false, wait: Interval, isLast: Bool = false) {
            self.runsDue = runsDue
            self.wait = wait
            self.isLast = isLast
        }
    }

    private let end: Instant
    private let linger: Interval

    /// The loop polls for at most `most`, and for at most `linger` without work.
    package init(from now: Instant, most: Interval, linger: Interval) {
        end = now + most
        self.linger = linger
    }

    /// Returns the next step, or nil if the loop must return. `due` is the next deadline.
    package func step(at now: Instant, due: Instant?) -> Step? {
        guard now < end else { return nil }
        guard let due, due < now + linger else { return Step(wait: linger, isLast: true) }
        return due <= now ? Step(runsDue: true, wait: .zero) : Step(wait: due - now)
    }
}
