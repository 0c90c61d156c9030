package import Clocks

package enum Backoff {
    /// Returns the pause before attempt `number`, counted from 1: 1, 2, 4, 8, 16, then always 32 s, limited to
    /// `longest`. The result is multiplied by a random factor from 0.8 to 1.2, so it can exceed `longest`.
    package static func pause(
        _ number: Int, longest: Interval, _ generator: inout SeededGenerator
    ) -> Interval {
        let doublings = min(max(number, 1) - 1, 5)
        return min(longest, .seconds(1 << Int64(doublings))).scaled(by: 0.8 + 0.4 * generator.unit())
    }
}
