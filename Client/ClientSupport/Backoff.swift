package import Clocks

package enum Backoff {
    /// Returns the pause before an attempt, counted from 1: 1, 2, 4, 8, 16 and 32 s, at most `longest`, times a random
    /// factor from 0.8 to 1.2.
    package static func pause(
        _ number: Int, longest: Interval, _ generator: inout SeededGenerator
    ) -> Interval {
        let doublings = min(max(number, 1) - 1, 5)
        return min(longest, .seconds(1 << Int64(doublings))).scaled(by: 0.8 + 0.4 * generator.unit())
    }
}
