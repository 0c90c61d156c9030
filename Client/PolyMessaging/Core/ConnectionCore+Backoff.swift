package import Clocks

extension ConnectionCore {
    /// Returns the limit for a number of attempts: 0 means unlimited; nil and negative numbers mean the fallback.
    package static func limit(_ count: Int?, fallback: Int) -> Int {
        guard let count, count >= 0 else { return fallback }
        return count
    }

    /// Returns the pause before reconnect `number`, from 1: `min(30, 2^(number − 1))` seconds, times 0.8 to 1.2.
    package static func backoff(_ number: Int, _ generator: inout SeededGenerator) -> Interval {
        Backoff.pause(number, longest: MessagingLimits.maxBackoff, &generator)
    }
}
