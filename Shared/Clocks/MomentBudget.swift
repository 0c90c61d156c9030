/// Bound for loops over deadlines: a limited number of rounds at one moment.
///
/// A loop that runs "while something is due" never ends when what it does leaves the same thing due again. With a
/// budget it ends: each round at one moment costs one, and a later moment begins anew.
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

    /// One more round at `now`.
    ///
    /// - Returns: false when no round is left at this moment. A moment before the latest one counts as that one.
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
