import Clocks

/// When sessions are next looked at for silence: a binary heap with at most one entry per session.
///
/// Heartbeats do not move entries. An entry that comes due too early is put back with its true deadline,
/// which costs one step per session and interval instead of one per message.
struct SilenceSchedule: Sendable {
    struct Entry: Sendable {
        var deadline: Instant
        var slot: Int
        /// Tells the session of this entry from a later one in the same slot.
        var serial: UInt64
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }
    var count: Int { entries.count }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0, entry.deadline < entries[(place - 1) / 2].deadline {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The earliest entry that is due.
    mutating func pop(dueAt now: Instant) -> Entry? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < entries.count else { return first }
            if child + 1 < entries.count, entries[child + 1].deadline < entries[child].deadline { child += 1 }
            guard entries[child].deadline < entries[place].deadline else { return first }
            entries.swapAt(place, child)
            place = child
        }
    }
}
