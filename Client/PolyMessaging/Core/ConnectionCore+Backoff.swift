package import Clocks

extension ConnectionCore {
    /// Interprets a number of attempts: 0 is unlimited; nil and negative numbers mean the fallback.
    package static func limit(_ count: Int?, fallback: Int) -> Int {
        guard let count, count >= 0 else { return fallback }
        return count
    }

    /// The pause before reconnect `number`, from 1: `min(30, 2^n)` seconds with n from 0, times 0.8 to 1.2.
    package static func backoff(_ number: Int, _ generator: inout SeededGenerator) -> Interval {
        Backoff.pause(number, longest: Limits.maxBackoff, &generator)
    }
}
