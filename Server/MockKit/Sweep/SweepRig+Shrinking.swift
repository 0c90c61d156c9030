/// Delta debugging: reduces a run that differs, first in interruptions, then in user messages.
extension SweepRig {
    func shrink(_ failure: Failure) async -> Failure {
        await sparser(await shorter(await fewerCuts(failure)))
    }

    private func fewerCuts(_ failure: Failure) async -> Failure {
        var best = failure
        for cut in failure.cuts where best.cuts.count > 1 {
            let cuts = best.cuts.filter { $0 != cut }
            if let smaller = await attempt(cuts, best.says) { best = smaller }
        }
        return best
    }

    /// Removes messages from the end. Earlier events do not change, so the cuts keep their positions.
    private func shorter(_ failure: Failure) async -> Failure {
        for count in 0..<failure.says.count {
            if let smaller = await attempt(failure.cuts, Array(failure.says.prefix(count))) { return smaller }
        }
        return failure
    }

    /// Removes single earlier messages. This renumbers the events, so the cut is tried at every position.
    private func sparser(_ failure: Failure) async -> Failure {
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

    private func attempt(_ cuts: [Interruption], _ says: [String]) async -> Failure? {
        let quiet = await play([], says: says)
        let outcome = await play(cuts, says: says, against: quiet)
        guard quiet.failure == nil, outcome.fired == cuts.count else { return nil }
        return self.failure(cuts, outcome, quiet, says: says)
    }

    private func firstFailure(_ says: [String]) async -> Failure? {
        let quiet = await play([], says: says)
        guard quiet.failure == nil else { return nil }
        let singles = Self.spread(
            Self.singles(quiet.arrived) + Self.faults(quiet.arrived),
            over: KitLimits.sweptInterruptions)
        let failures = await Self.together(singles) { cut in
            self.failure(
                [cut], await play([cut], says: says, against: quiet), quiet, says: says)
        }
        return failures.compactMap { $0 }.first
    }
}
