package enum CoreLimits {
    /// Maximum violations of protocol rules that are kept.
    package static let violations = 1_000
    /// Maximum messages without a sequence number that wait for the end of a history. Further ones are dropped.
    package static let heldBackMessages = 1_000
    /// Maximum times that one event is sent because of `repeat` faults.
    package static let eventCopies = 64
    /// Maximum time that a swapped event waits for the next event.
    package static let swapMilliseconds: Int64 = 1_000
    package static let activeFaults = 1_000
    /// Maximum number of scenario tokens with counts, and of session owners with expired tokens. At the limit, all are
    /// forgotten.
    package static let rememberedLines = 10_000
    /// Maximum bearer tokens in the cache.
    package static let keptBearers = 4_096
    /// Bytes at each end of a bearer token that its hash covers.
    package static let hashedBytes = 24
    /// Maximum bytes reserved for a body before an eighth of the body has arrived.
    package static let firstBodyBytes = 1 << 20
    /// Hours that a fault without a time limit stalls a response: one year.
    package static let endlessStallHours: Int64 = 24 * 365
    /// Maximum bytes of a body in a timeline row. Of a longer body, the row has the first `rowHeadBytes`.
    package static let rowBytes = 2 << 20
    package static let rowHeadBytes = 4 << 10
    /// Maximum requests remembered for a late response. At the limit, all are forgotten.
    package static let unansweredRequests = 256
    /// Maximum near-miss reports per second of the server's clock.
    package static let reportsPerSecond = 200
    /// Number of the newest unmatched items that are always kept.
    package static let unmatchedKept = 1_000
    /// Maximum bytes kept of each text of an unmatched item.
    package static let unmatchedBytes = 4 << 10
    /// Maximum announced bytes of a body that the server discards to keep the connection open.
    package static let discardedBytes = 64 << 10
    /// Maximum bytes of a small body. Only small bodies may use the last quarter of the memory for bodies.
    package static let smallBodyBytes = 64 << 10
    package static let smallHeadBytes = 2 << 10
    /// Maximum bytes of the rows found by all waits together.
    package static let waitBytes = 32 << 20
    package static let beginningBytes = 1 << 10
    /// Bytes counted for each session in addition to its journal.
    package static let sessionBytes = 2 << 10
    /// Size in bytes from which a body is sent without copying it.
    package static let longAnswerBytes = 64 << 10
    /// Minimum number of sent items at the front of a queue before the queue is compacted.
    package static let leftItems = 64
    /// Bytes of overhead counted for each piece of delayed input.
    package static let lateItemBytes = 64
}
