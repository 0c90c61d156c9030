import Clocks

/// Throttle of sent receipts: the newest receipt of each kind per time window. A delivered receipt waits at least
/// three seconds, because a read receipt may replace it.
struct ReceiptsCore: Sendable {
    struct Due: Equatable, Sendable {
        var kind: MessageReceiptType
        var messageID: String
        var calls: [Int]
    }

    private struct Waiting: Sendable {
        var messageID: String
        var calls: [Int]
        var ready: Instant
    }

    private var windowEnd: Instant?
    private var read: Waiting?
    private var delivered: Waiting?
    private var sentRead: Set<String> = []
    private var sentDelivered: Set<String> = []

    var nextDeadline: Instant? { windowEnd }

    /// Adds a receipt. Returns false if this receipt, or the read receipt of its message, was sent before.
    mutating func add(
        _ kind: MessageReceiptType, _ messageID: String, calls: [Int], window: Interval, at now: Instant
    ) -> Bool {
        switch kind {
        case .messageRead:
            guard !sentRead.contains(messageID) else { return false }
            var calls = (read?.calls ?? []) + calls
            if delivered?.messageID == messageID {
                calls += delivered?.calls ?? []
                delivered = nil
            }
            read = Waiting(messageID: messageID, calls: calls, ready: now)
        case .messageDelivered:
            guard !sentDelivered.contains(messageID), !sentRead.contains(messageID) else { return false }
            if read?.messageID == messageID {
                read?.calls += calls
                return true
            }
            delivered = Waiting(
                messageID: messageID, calls: (delivered?.calls ?? []) + calls,
                ready: now + ConnectLimits.deliveredWait)
        }
        let end =
            window > .zero ? now + window : (kind == .messageRead ? now : now + ConnectLimits.deliveredWait)
        windowEnd = windowEnd.map { window > .zero ? $0 : min($0, end) } ?? end
        return true
    }

    mutating func advance(to now: Instant, window: Interval) -> [Due] {
        guard let end = windowEnd, end <= now else { return [] }
        windowEnd = nil
        var due: [Due] = []
        if let read {
            due.append(Due(kind: .messageRead, messageID: read.messageID, calls: read.calls))
            sentRead.insert(read.messageID)
            self.read = nil
        }
        if let delivered {
            if delivered.ready <= now {
                due.append(
                    Due(kind: .messageDelivered, messageID: delivered.messageID, calls: delivered.calls))
                sentDelivered.insert(delivered.messageID)
                self.delivered = nil
            } else {
                windowEnd = window > .zero ? now + window : delivered.ready
            }
        }
        return due
    }

    mutating func drop() -> [Int] {
        let calls = (read?.calls ?? []) + (delivered?.calls ?? [])
        (read, delivered, windowEnd) = (nil, nil, nil)
        return calls
    }

    mutating func failed(_ kind: MessageReceiptType, _ messageID: String) {
        if kind == .messageRead { sentRead.remove(messageID) } else { sentDelivered.remove(messageID) }
    }
}
