package import Clocks

extension ConnectionCore {
    /// Returns the maximum number of attempts, 0 for unlimited. For nil and negative numbers, returns `fallback`.
    package static func limit(_ count: Int?, fallback: Int) -> Int {
        guard let count, count >= 0 else { return fallback }
        return count
    }

    /// Returns the pause before reconnect `number` (from 1): `min(30, 2^(number − 1))` s, times 0.8 to 1.2 at random.
    package static func backoff(_ number: Int, _ generator: inout SeededGenerator) -> Interval {
        Backoff.pause(number, longest: MessagingLimits.maxBackoff, &generator)
    }
}
