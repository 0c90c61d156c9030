package import Clocks
import Matching

/// Queries for tools and test kits.
extension ConversationEngine {
    /// Returns the first `limit` timers of all sessions, sorted by deadline and session.
    package func pendingTimers(limit: Int = EngineLimits.listedTimers) -> [PendingTimer] {
        guard limit > 0 else { return [] }
        var timers: [(timer: PendingTimer, slot: Int32)] = []
        var queue = heap
        var bound: Instant?
        // A session's deadline in the heap is never later than its timers.
        while let first = queue.first, bound.map({ first.deadline <= $0 }) ?? true {
            queue.remove(first.slot)
            for timer in slots[Int(first.slot)].conversation?.pendingTimers ?? [] {
                timers.append((timer, first.slot))
            }
            if bound == nil, timers.count >= limit {
                bound = timers.map(\.timer.deadline).sorted()[limit - 1]
            }
        }
        // The offset keeps timers with equal deadlines in their order.
        let sorted = timers.enumerated().sorted { left, right in
            (left.element.timer.deadline, left.element.slot, left.offset)
                < (right.element.timer.deadline, right.element.slot, right.offset)
        }
        return sorted.prefix(limit).map(\.element.timer)
    }

    /// Fires a timer immediately.
    ///
    /// - Returns: false if the timer is not pending or belongs to no session.
    package mutating func run(_ pending: PendingTimer, at now: Instant, into effects: inout [Effect]) -> Bool
    {
        change(pending, at: now, into: &effects) {
            $0.run($1, at: now, &$2); return true
        }
    }

    /// Cancels a timer. Returns false if the timer is not pending or cannot be cancelled.
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

    package var openCount: Int {
        slots.indices.count { index in slots[index].conversation?.lend { !$0.hasEnded } ?? false }
    }

    package var journaledCount: Int {
        slots.indices.reduce(0) { sum, index in
            sum + (slots[index].conversation?.lend { $0.journal.count } ?? 0)
        }
    }

    /// Snapshot of all sessions (copy-on-write), readable outside the server's loop.
    package struct Snapshot: Sendable {
        fileprivate let slots: SlotTable
        fileprivate let retiredUses: [RuleUse: Int]

        package func forEach(_ body: (borrowing Conversation) -> Void) {
            for index in slots.indices { _ = slots[index].conversation?.lend(body) }
        }

        /// Number of uses of each used rule in all sessions, removed ones included, sorted by file, line and name.
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

    /// First deadline of scripts and of events on their way to clients.
    package var nextScriptDeadline: Instant? {
        var earliest = Instant.distantFuture
        // A session's deadline in the heap is never later than its timers, so most sessions are skipped.
        for item in heap.items where item.deadline < earliest {
            guard let deadline = slots[Int(item.slot)].conversation?.scriptDeadline else { continue }
            earliest = min(earliest, deadline)
        }
        return earliest == .distantFuture ? nil : earliest
    }

    package var ruleUses: [RuleUse] { snapshot.ruleUses }
}
