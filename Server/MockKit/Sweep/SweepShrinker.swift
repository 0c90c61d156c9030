/// Looks for the smallest run that still differs: fewest interruptions, then fewest lines of the user.
struct SweepShrinker: Sendable {
    var bench: SweepRig

    func shrink(_ failure: SweepRig.Failure) async -> SweepRig.Failure {
        var best = failure
        best = await fewerCuts(best)
        best = await shorter(best)
        return await sparser(best)
    }

    /// Leaves out one interruption after the other.
    private func fewerCuts(_ failure: SweepRig.Failure) async -> SweepRig.Failure {
        var best = failure
        for cut in failure.cuts where best.cuts.count > 1 {
            let cuts = best.cuts.filter { $0 != cut }
            if let smaller = await attempt(cuts, best.says) { best = smaller }
        }
        return best
    }

    /// Leaves out the last lines: up to there nothing changes, so the cuts stay where they are.
    private func shorter(_ failure: SweepRig.Failure) async -> SweepRig.Failure {
        for count in 0..<failure.says.count {
            if let smaller = await attempt(failure.cuts, Array(failure.says.prefix(count))) { return smaller }
        }
        return failure
    }

    /// Leaves out single lines before the last: events get other numbers, so that every single cut is tried.
    private func sparser(_ failure: SweepRig.Failure) async -> SweepRig.Failure {
        guard failure.cuts.count == 1 else { return failure }
        var best = failure
        var index = 0
        while index < best.says.count {
            var says = best.says
            says.remove(at: index)
            if let smaller = await firstFailure(says) { best = smaller } else { index += 1 }
        }
        return best
    }

    private func attempt(_ cuts: [Interruption], _ says: [String]) async -> SweepRig.Failure? {
        let quiet = await bench.play([], says: says)
        let outcome = await bench.play(cuts, says: says, against: quiet)
        guard quiet.failure == nil, outcome.struck == cuts.count else { return nil }
        return bench.failure(cuts, outcome, quiet, says: says)
    }

    private func firstFailure(_ says: [String]) async -> SweepRig.Failure? {
        let quiet = await bench.play([], says: says)
        guard quiet.failure == nil else { return nil }
        let singles = SweepRig.spread(
            SweepRig.singles(quiet.arrived) + SweepRig.faults(quiet.arrived),
            over: Limits.sweptInterruptions)
        let failures = await SweepRig.together(singles) { cut in
            bench.failure(
                [cut], await bench.play([cut], says: says, against: quiet), quiet, says: says)
        }
        return failures.compactMap { $0 }.first
    }
}
