/// Limits of this module.
package enum CoreLimits {
    /// Violations of protocol rules kept, oldest out. Crossed in `ViolationRecorderTests`.
    package static let violations = 1_000
    /// Messages without a sequence that wait for a history; further ones are dropped.
    package static let heldBackMessages = 1_000
    /// Copies of one event that `repeat` faults may make together.
    package static let eventCopies = 64
    /// The longest wait of a swapped event for the next.
    package static let swapMilliseconds: Int64 = 1_000
    package static let activeFaults = 1_000
    /// Scenario lines that are counted, and owners with expired tokens; beyond that all are forgotten.
    package static let rememberedLines = 10_000
    /// Cached bearer tokens, half a kilobyte each.
    package static let keptBearers = 4_096
    /// Capacity for an announced body until an eighth has come.
    package static let firstBodyBytes = 1 << 20
    /// The end of an endless stall of a request.
    package static let endlessStallHours: Int64 = 24 * 365
    /// Capacity reserved for the head of a request; no limit.
    package static let usualHeadBytes = 512
    /// Bytes of a body kept in a row; of a longer one `rowHeadBytes`. 2 MiB: more than any body but a file.
    package static let rowBytes = 2 << 20
    package static let rowHeadBytes = 4 << 10
    /// Requests with late answers whose rows are remembered; beyond that all are forgotten, and answers name no request. 256: far
    /// more than there are at one time.
    package static let unansweredRequests = 256
    /// Near-miss reports per second of the server's clock: one costs as much as many messages.
    package static let reportsPerSecond = 200
    /// Unmatched messages and requests kept, the newest.
    package static let unmatchedKept = 1_000
    /// Bytes of such a message, and of its report. 4 KiB: some pages, and 16 MB for all.
    package static let unmatchedBytes = 4 << 10
    /// Bytes of a body that is discarded to keep its connection; with a longer one the connection closes. 64 KiB.
    package static let discardedBytes = 64 << 10
    /// Bodies up to this size may use all memory for bodies. 64 KiB.
    package static let smallBodyBytes = 64 << 10
    /// A head up to this size counts as part of its connection, a larger one as a request. 2 KiB: a browser's with cookies.
    package static let smallHeadBytes = 2 << 10
    /// Bytes of the rows found by all waits. 32 MiB: as many as the timeline keeps.
    package static let waitBytes = 32 << 20
    /// Memory that a new session needs to begin. 1 KiB.
    package static let beginningBytes = 1 << 10
    /// Bytes of a session without its journal; a measured mean.
    package static let sessionBytes = 2 << 10
    /// Size from which a body is sent without a copy.
    package static let longAnswerBytes = 64 << 10
    /// Items that left a queue before its memory is compacted.
    package static let leftItems = 64
    /// Overhead of a piece of delayed input.
    package static let lateItemBytes = 64
}
