import Matching

/// Overrides: replies from the code of a test instead of a rule's replies.
extension Conversation {
    /// Returns the turn of the override that applies, or nil.
    mutating func override(
        on text: String, _ hearing: Hearing, metadata: String?, _ outbox: inout [Effect]
    ) -> Turn? {
        let rule = hearing.isFound ? hearing.name ?? script.name(of: hearing.origin) : nil
        let isUnmatched = !hearing.hasPattern
        let found = overrides.last { held in
            held.replyOverride.rule == rule
                || (isUnmatched && held.replyOverride.rule == ReplyOverride.unmatched)
        }
        guard let found else { return nil }
        var known = memory
        for entry in hearing.caught.entries { known[entry.name] = entry.value }
        let said = UnansweredMessage(
            text: text, memory: known, number: userMessageCount, stage: stageName, sessionID: id, rule: rule)
        guard let steps = found.replyOverride.steps(said) else { return nil }
        let usable = steps.filter { exists($0.verb) }
        if usable.count < steps.count {
            outbox.append(.note(handle, .ignored(reason: "a step names a handoff or fault of no fixture")))
        }
        return Turn(
            steps: usable, origin: .overridden(found.id.number), message: text, metadata: metadata,
            mark: cause.mark)
    }

    private func exists(_ verb: Verb) -> Bool {
        switch verb {
        case .handoff(let index): script.handoffs.indices.contains(index)
        case .fault(let index): script.faults.indices.contains(index)
        default: true
        }
    }
}
