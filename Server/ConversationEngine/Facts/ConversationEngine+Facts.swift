package import Clocks

/// What tools and test kits ask: timers and rules used. Each walks the sessions; messages never pay for it.
extension ConversationEngine {
    /// The next things that sessions do by themselves: at most `limit` of them, by deadline, then in the order
    /// of the sessions.
    package func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        var timers: [PendingTimer] = []
        for slot in slots { timers += slot.conversation?.pendingTimers ?? [] }
        // By place as well: sorting keeps no order among equals.
        let sorted = timers.enumerated().sorted { left, right in
            (left.element.deadline, left.offset) < (right.element.deadline, right.offset)
        }
        return sorted.prefix(max(limit, 0)).map(\.element)
    }

    /// The earliest moment at which something of a script happens, or of what is on its way to a client; nil
    /// when all is quiet but for idle ends and clearing up.
    package var nextScriptDeadline: Instant? {
        var earliest = Instant.distantFuture
        // No session has a deadline before the one noted for it, so most are not even asked.
        for item in heap.items where item.deadline < earliest {
            guard let deadline = slots[Int(item.slot)].conversation?.scriptDeadline else { continue }
            earliest = min(earliest, deadline)
        }
        return earliest == .distantFuture ? nil : earliest
    }

    /// How often each rule has answered in all sessions so far, forgotten ones included; by file, line and
    /// name. Rules that never answered are left out: see ``Script/rulesUnused(in:)``.
    package var ruleUses: [RuleUse] {
        var counts = retiredUses
        for slot in slots { slot.conversation?.countUses(into: &counts) }
        return counts.map { $0.key.used($0.value) }.sorted { left, right in
            (left.file, left.place.line, left.place.column, left.name)
                < (right.file, right.place.line, right.place.column, right.name)
        }
    }
}
