import Clocks

/// Lets at most one loop per process busy-poll. Dispatch has as many threads as there are processors, and makes more only when
/// they block: loops that polled in parallel would take them from everything else.
enum BusyPollSlot {
    private static let isTaken = Locked(false)

    /// False if another loop has the slot.
    static func acquire() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    static func release() { isTaken.withLock { $0 = false } }
}
