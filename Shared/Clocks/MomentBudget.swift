/// Limit on the rounds of a loop over deadlines at one moment, where every round may set another deadline.
///
/// ```swift
/// var budget = MomentBudget(rounds: 1_000)
/// while let due = nextDeadline, due <= target, budget.spend(at: due) { fire(at: due) }
/// ```
package struct MomentBudget: Sendable {
    private let rounds: Int
    private var moment: Instant?
    private var left: Int

    package init(rounds: Int) {
        self.rounds = max(rounds, 1)
        left = self.rounds
    }

    /// Spends one round at `now`, or at the latest moment if that is later.
    ///
    /// - Returns: false when no round is left.
    package mutating func spend(at now: Instant) -> Bool {
        if moment.map({ now > $0 }) ?? true {
            moment = now
            left = rounds
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
