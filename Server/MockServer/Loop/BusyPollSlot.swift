import Clocks

/// A lock that lets only one loop of a process busy-poll. Dispatch has about one thread per processor, so several
/// busy-polling loops would keep all other work from running.
enum BusyPollSlot {
    private static let isTaken = Locked(false)

    /// Returns false if another loop has the slot.
    static func acquire() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    static func release() { isTaken.withLock { $0 = false } }
}
