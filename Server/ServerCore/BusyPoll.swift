package import Clocks

/// How a loop that was busy waits where it is, before it goes back to where it was called from (decision record 0008). It
/// decides; the loop waits.
package struct BusyPoll {
    package struct Step: Equatable {
        /// Deadlines have passed: they come first, and sockets are looked at behind them.
        package let runsDue: Bool
        /// How long to wait for sockets.
        package let wait: Interval
        /// Nothing else is to come: the loop goes back where no socket is ready by then.
        package let isLast: Bool

        package init(runsDue: Bool = false, wait: Interval, isLast: Bool = false) {
            self.runsDue = runsDue
            self.wait = wait
            self.isLast = isLast
        }
    }

    private let end: Instant
    private let linger: Interval

    /// - Parameters:
    ///   - now: when it was busy.
    ///   - most: how long it stays, however much there is to do: others want their turn.
    ///   - linger: how long it waits where nothing happens.
    package init(from now: Instant, most: Interval, linger: Interval) {
        end = now + most
        self.linger = linger
    }

    /// What to do next, where deadlines want their turn at `due`; nil: go back.
    package func step(at now: Instant, due: Instant?) -> Step? {
        guard now < end else { return nil }
        guard let due, due < now + linger else { return Step(wait: linger, isLast: true) }
        return due <= now ? Step(runsDue: true, wait: .zero) : Step(wait: due - now)
    }
}
