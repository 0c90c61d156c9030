import Clocks

/// The place of the one loop of a process that may wait for sockets where it is. Dispatch gives a process as many threads
/// as there are processors, and makes more only when it sees that they stand still: loops that waited side by side would
/// take them from everything else.
enum BusyPollSlot {
    private static let isTaken = Locked(false)

    /// - Returns: false when another loop has it.
    static func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    static func giveBack() { isTaken.withLock { $0 = false } }
}
