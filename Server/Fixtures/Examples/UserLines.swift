package import ConversationEngine

/// User lines of an example, with the number of replies to each in a dry run.
package struct UserLines: Equatable, Sendable {
    package struct Line: Equatable, Sendable {
        package var text: String
        /// Number of messages with which agents reply to the line.
        package var replies: Int
        package var ends: Bool
    }

    package var example: String
    /// Number of messages that come before the first user line.
    package var greetings: Int
    package var lines: [Line]

    /// Creates the lines by running the example, or returns nil.
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

    /// Counts replies up to the first queue position or failed handoff. `isCut` tells whether there is one.
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
