/// Limits of the server core.
package enum CoreLimits {
    /// Number of violations of protocol rules that are kept. The oldest are dropped first.
    package static let violations = 1_000
    /// Messages without a sequence number that wait for a history. Further ones are dropped.
    package static let heldBackMessages = 1_000
    /// Number of copies of one event that all `repeat` faults together may make.
    package static let eventCopies = 64
    /// Longest time that a swapped event waits for the next one.
    package static let swapMilliseconds: Int64 = 1_000
    package static let activeFaults = 1_000
    /// Scenario tokens with counts, and owners with expired tokens. Beyond the limit all are forgotten.
    package static let rememberedLines = 10_000
    /// Cached bearer tokens of about half a kilobyte each.
    package static let keptBearers = 4_096
    /// Bytes reserved for an announced body until an eighth of it was received.
    package static let firstBodyBytes = 1 << 20
    /// Time after which an endless stall of a response ends.
    package static let endlessStallHours: Int64 = 24 * 365
    /// Bytes reserved for the head of a request in a row; not a limit.
    package static let usualHeadBytes = 512
    /// Bytes of a body in a row: more than any body except files. Of a longer body the row keeps `rowHeadBytes`.
    package static let rowBytes = 2 << 20
    package static let rowHeadBytes = 4 << 10
    /// Requests with late responses whose rows are remembered. Beyond the limit all are forgotten.
    package static let unansweredRequests = 256
    /// Near-miss reports per second of the server's clock. One report costs as much as many messages.
    package static let reportsPerSecond = 200
    /// Number of unmatched messages and requests that are kept, the newest ones.
    package static let unmatchedKept = 1_000
    /// Bytes of an unmatched message, and of its report: 4 KiB each, so 16 MB for all.
    package static let unmatchedBytes = 4 << 10
    /// Bytes of a body that is discarded to keep its connection. With a longer body the connection closes.
    package static let discardedBytes = 64 << 10
    /// Size up to which bodies may use the whole memory for bodies.
    package static let smallBodyBytes = 64 << 10
    /// Size up to which a head counts as part of its connection, such as a browser's with cookies.
    package static let smallHeadBytes = 2 << 10
    /// Bytes of the rows found by all waits together: as many as the timeline keeps.
    package static let waitBytes = 32 << 20
    /// Memory that must be free to open a session.
    package static let beginningBytes = 1 << 10
    /// Bytes of a session without its journal, as the measured mean.
    package static let sessionBytes = 2 << 10
    /// Size from which a body is sent without copying it.
    package static let longAnswerBytes = 64 << 10
    /// Number of sent items after which a queue is compacted.
    package static let leftItems = 64
    /// Bytes of overhead for a piece of delayed input.
    package static let lateItemBytes = 64
}
