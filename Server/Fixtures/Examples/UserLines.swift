package import ConversationEngine

/// User lines of an example with the number of replies to each, found by execution.
///
/// Ends before the first line without an immediate answer, such as one in a queue, so a player waits only for these
/// replies.
package struct UserLines: Equatable, Sendable {
    package struct Line: Equatable, Sendable {
        package var text: String
        /// Replies of agent or person before a queue.
        package var replies: Int
        /// Ends the session.
        package var ends: Bool
    }

    package var example: String
    /// Messages before the first line.
    package var greetings: Int
    package var lines: [Line]

    /// - Returns: nil if the example has no user or takes too long.
    package init?(_ example: Example, of script: Script) {
        self.example = example.name
        var rehearsal = DryRun(script, localTime: example.now, memory: example.memory)
        var budget = RehearsalBudget()
        lines = []
        do throws(DryRun.Stop) {
            try rehearsal.join(&budget)
            greetings = Self.replies(in: rehearsal.observations[...]).count
            for text in example.userWords {
                guard !rehearsal.hasEnded else { break }
                let before = rehearsal.observations.count
                try rehearsal.send(text, &budget)
                let (count, isCut) = Self.replies(in: rehearsal.observations[before...])
                let ends = rehearsal.hasEnded && !isCut
                guard count > 0 || ends else { break }
                lines.append(Line(text: text, replies: count, ends: ends))
                if isCut { break }
            }
        } catch {
            return nil
        }
        if lines.isEmpty { return nil }
    }

    /// Number of replies, and true if a queue or a failed handoff follows.
    private static func replies(in observations: ArraySlice<DryRun.Observation>) -> (count: Int, isCut: Bool)
    {
        var count = 0
        for observation in observations {
            switch observation {
            case .said: count += 1
            case .queue, .handoffFailed: return (count, true)
            case .ended, .unmatched, .ignored, .called, .asked, .state, .failed, .event: break
            }
        }
        return (count, false)
    }
}
