/// How often each rule was told of one session or caller. Empty until the first breach.
struct Tally: Sendable {
    private var counts: [UInt8] = []

    /// Counts one breach and says whether it is still to be told.
    mutating func admit(_ rule: Rule) -> Bool {
        if counts.isEmpty { counts = Array(repeating: 0, count: Rule.allCases.count) }
        guard Int(counts[rule.rawValue]) < LawBookLimits.tellingsPerLaw else { return false }
        counts[rule.rawValue] += 1
        return true
    }
}
