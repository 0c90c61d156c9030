package import Clocks
import Matching

/// Queries of tools and test kits: timers and rule uses. Each iterates over the sessions; messages never pay for it.
extension ConversationEngine {
    /// The next timers of all sessions: at most `limit` of them, by deadline, then in the order of the sessions.
    package func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        guard limit > 0 else { return [] }
        var timers: [(timer: PendingTimer, slot: Int32)] = []
        var queue = heap
        var bound: Instant?
        // By noted deadline, before which no session has a timer: with many sessions most are not asked at all.
        while let first = queue.first, bound.map({ first.deadline <= $0 }) ?? true {
            queue.remove(first.slot)
            for timer in slots[Int(first.slot)].conversation?.pendingTimers ?? [] {
                timers.append((timer, first.slot))
            }
            if bound == nil, timers.count >= limit {
                bound = timers.map(\.timer.deadline).sorted()[limit - 1]
            }
        }
        // By place as well: sorting keeps no order among equals.
        let sorted = timers.enumerated().sorted { left, right in
            (left.element.timer.deadline, left.element.slot, left.offset)
                < (right.element.timer.deadline, right.element.slot, right.offset)
        }
        return sorted.prefix(limit).map(\.element.timer)
    }

    /// Fires one timer of a session now; the others stay.
    ///
    /// - Returns: false when it is no longer pending, or belongs to no talk.
    package mutating func run(_ pending: PendingTimer, at now: Instant, into effects: inout [Effect]) -> Bool
    {
        change(pending, at: now, into: &effects) {
            $0.run($1, at: now, &$2); return true
        }
    }

    /// Cancels one timer of a session and its action.
    ///
    /// - Returns: false also for one that follows from what has happened.
    package mutating func drop(_ pending: PendingTimer, at now: Instant, into effects: inout [Effect]) -> Bool
    {
        change(pending, at: now, into: &effects) { $0.drop($1, at: now, &$2) }
    }

    private mutating func change(
        _ pending: PendingTimer, at now: Instant, into effects: inout [Effect],
        _ body: (inout Conversation, SessionTimer, inout [Effect]) -> Bool
    ) -> Bool {
        guard let timer = pending.timer, let handle = handle(of: pending.sessionID) else { return false }
        var isDone = false
        mutate(handle, into: &effects) { conversation, outbox in
            conversation.advance(to: now, &outbox)
            guard
                conversation.pendingTimers.contains(where: {
                    $0.timer == timer && $0.deadline == pending.deadline
                })
            else { return }
            isDone = body(&conversation, timer, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return isDone
    }

    /// Sessions under way.
    package var openCount: Int {
        slots.indices.count { index in slots[index].conversation?.lend { !$0.hasEnded } ?? false }
    }

    /// Journal entries of all sessions held.
    package var journaledCount: Int {
        slots.indices.reduce(0) { sum, index in
            sum + (slots[index].conversation?.lend { $0.journal.count } ?? 0)
        }
    }

    /// Sessions as they are now, to be read away from the loop; what changes meanwhile is copied.
    package struct Snapshot: Sendable {
        fileprivate let slots: SlotTable
        fileprivate let retiredUses: [RuleUse: Int]

        /// Calls `body` with each session, without a copy.
        package func forEach(_ body: (borrowing Conversation) -> Void) {
            for index in slots.indices { _ = slots[index].conversation?.lend(body) }
        }

        /// How often each rule has answered in all sessions so far, forgotten ones included; by file, line and
        /// name. Rules that never answered are left out.
        package var ruleUses: [RuleUse] {
            var counts = retiredUses
            for slot in slots { slot.conversation?.countUses(into: &counts) }
            return counts.map { $0.key.used($0.value) }.sorted { left, right in
                (left.file, left.place.line, left.place.column, left.name)
                    < (right.file, right.place.line, right.place.column, right.name)
            }
        }
    }

    package var snapshot: Snapshot { Snapshot(slots: slots, retiredUses: retiredUses) }

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

    /// How often each rule has answered in all sessions so far (``Snapshot/ruleUses``).
    package var ruleUses: [RuleUse] { snapshot.ruleUses }
}
