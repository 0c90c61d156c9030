import Clocks

/// State of a catch-up after an outage: pages being read, and live items held back until the pages are merged.
struct CatchUp: Sendable {
    enum Step: Equatable, Sendable {
        case idle
        case forward(page: Int)
        case backward(page: Int)
    }

    var step = Step.idle
    var items: [WireItem] = []
    var held: [WireItem] = []
    var holdsUntil: Instant?
    /// Number of catch-ups in a row that stopped at the page limit.
    var count = 0
    /// Id of the last item before a gap, where the next catch-up begins.
    var missedFrom: String?
    /// Start items of the last minute's catch-ups, oldest first. The next catch-up begins at the oldest: a message that
    /// was streaming then may be complete now.
    var starts: [(id: String, at: Instant)] = []
    /// Ids of the items that this catch-up has read. A page with only such ids is the last page.
    var ids: Set<String> = []
    var lacksFirstPage = false
    var firstPages = 0
    /// Consecutive failures of a page request. The next request is made at ``againAt``.
    var failures = 0
    var againAt: Instant?
}
