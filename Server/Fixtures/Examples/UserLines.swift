package import ConversationEngine

/// What the user of an example says, and how much the fixture answers each line: found out by playing it.
///
/// Ends before the first line that nobody answers at once, such as one said while waiting in a queue: whoever
/// plays these lines against a server need not wait for anything but the replies counted here.
package struct UserLines: Equatable, Sendable {
    package struct Line: Equatable, Sendable {
        package var text: String
        /// What agent and person say after it, before the user is sent to a queue.
        package var replies: Int
        /// The session ends with it.
        package var ends: Bool
    }

    package var example: String
    /// What is said before the first line.
    package var greetings: Int
    package var lines: [Line]

    /// - Returns: nil when the example has no user, or takes too long to be played.
    package init?(_ example: Example, of script: Script) {
        self.example = example.name
        var rehearsal = DryRun(script, localTime: example.now, memory: example.memory)
        var budget = RehearsalBudget()
        lines = []
        do throws(DryRun.Stop) {
            try rehearsal.join(&budget)
            greetings = Self.replies(in: rehearsal.happenings[...]).count
            for text in example.userWords {
                guard !rehearsal.hasEnded else { break }
                let before = rehearsal.happenings.count
                try rehearsal.send(text, &budget)
                let (count, isCut) = Self.replies(in: rehearsal.happenings[before...])
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

    /// The number of replies, and whether a queue or a failed handoff follows.
    private static func replies(in happenings: ArraySlice<DryRun.Observation>) -> (count: Int, isCut: Bool) {
        var count = 0
        for happening in happenings {
            switch happening {
            case .said: count += 1
            case .queue, .handoffFailed: return (count, true)
            case .ended, .unheard, .ignored, .called, .asked, .state, .failed, .event: break
            }
        }
        return (count, false)
    }
}
