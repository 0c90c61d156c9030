import Clocks

/// Troubles that act inside the talk: agent errors and outcomes of handoffs. All others are the shell's.
extension Conversation {
    /// How often a trouble struck, and its own chances: one trouble more shifts nothing else.
    struct Strikes: Sendable {
        var count = 0
        var chances: SeededGenerator
    }

    /// Lets the first trouble in force that makes the agent fail strike at `moment`.
    ///
    /// - Returns: true when the agent failed, so that nothing else is to be said.
    mutating func strike(
        _ moment: Trouble.Moment, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) -> Bool {
        for index in troubles.indices {
            guard case .agentError(let problem) = troubles[index].effect, strikes(index, at: moment) else {
                continue
            }
            outbox.append(.note(handle, .troubled(troubles[index].name)))
            tell(
                .notice(.error, .known(problem, detail: nil)), metadata: metadata, at: now, &outbox)
            return true
        }
        return false
    }

    /// The outcome that a trouble forces on a handoff at `moment`; nil when none strikes.
    mutating func forcedOutcome(_ moment: Trouble.Moment, _ outbox: inout [Effect]) -> Handoff.Outcome? {
        for index in troubles.indices {
            guard case .handoff(let outcome) = troubles[index].effect, strikes(index, at: moment) else {
                continue
            }
            outbox.append(.note(handle, .troubled(troubles[index].name)))
            return outcome
        }
        return nil
    }

    /// Counts a strike against the trouble's `times`, which is 1 unless it says otherwise.
    private mutating func strikes(_ index: Int, at moment: Trouble.Moment) -> Bool {
        let trouble = troubles[index]
        let times = trouble.times ?? 1
        guard trouble.moment.covers(moment, times: times) else { return false }
        var state =
            strikes[index]
            ?? Strikes(chances: SeededGenerator(seed: seed).stream("trouble \(trouble.name)"))
        guard state.count < times else { return false }
        let hits = trouble.chance >= 1 || state.chances.unit() < trouble.chance
        if hits { state.count += 1 }
        strikes[index] = state
        return hits
    }
}

extension Trouble.Moment {
    /// Whether `moment` is one of the `times` that begin with this one: "user message 2", twice, is the 2nd
    /// and the 3rd.
    fileprivate func covers(_ moment: Self, times: Int) -> Bool {
        switch (self, moment) {
        case (.anyEvent, _), (.personJoins, .personJoins):
            true
        case (.userMessage(let first), .userMessage(let number)), (.reply(let first), .reply(let number)),
            (.queueUpdate(let first), .queueUpdate(let number)):
            number >= first && number - first < times
        case (.replyChunk(let first, let chunk), .replyChunk(let number, let index)):
            chunk == index && number >= first && number - first < times
        default:
            false
        }
    }
}
