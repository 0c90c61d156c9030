import Clocks

/// Lock that lets only one loop of a process busy-poll, because Dispatch has about one thread per processor.
enum BusyPollSlot {
    private static let isTaken = Locked(false)

    static func acquire() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    static func release() { isTaken.withLock { $0 = false } }
}
