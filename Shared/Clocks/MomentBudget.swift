/// Bound for loops over deadlines: a limited number of rounds at one moment.
///
/// A loop that runs "while something is due" never ends if its work leaves the same deadline due again. The
/// budget ends such a loop: each round at one moment costs one unit, and a later moment starts with a full
/// budget.
///
/// ```swift
/// var budget = MomentBudget(rounds: 1_000)
/// while let due = nextDeadline, due <= target, budget.spend(at: due) { fire(at: due) }
/// ```
package struct MomentBudget: Sendable {
    private let rounds: Int
    private var moment: Instant?
    private var left: Int

    /// - Parameter rounds: how often ``spend(at:)`` allows the same moment; at least 1.
    package init(rounds: Int) {
        self.rounds = max(rounds, 1)
        left = self.rounds
    }

    /// Spends one round at `now`.
    ///
    /// - Returns: false when no round is left at this moment. A moment before the latest one counts as the
    ///   latest one.
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
