/// How often each rule was told of one session or caller. Empty until the first breach.
struct Tally: Sendable {
    private var counts: [UInt8] = []

    /// Counts one breach and says whether it is still to be told.
    mutating func admit(_ law: LawID) -> Bool {
        if counts.isEmpty { counts = Array(repeating: 0, count: LawID.allCases.count) }
        guard Int(counts[law.rawValue]) < LawBookLimits.tellingsPerLaw else { return false }
        counts[law.rawValue] += 1
        return true
    }
}
