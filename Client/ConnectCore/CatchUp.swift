import Clocks

/// State of a catch-up after an outage: the transcript pages being read, and the live items that are held back until
/// the pages are merged.
struct CatchUp: Sendable {
    enum Step: Equatable, Sendable {
        case idle
        /// Reads pages forward from the last known item.
        case forward(page: Int)
        /// Reads pages backward until a page overlaps with known items.
        case backward(page: Int)
    }

    var step = Step.idle
    /// Items of the pages read so far, oldest first.
    var items: [WireItem] = []
    var held: [WireItem] = []
    var holdsUntil: Instant?
    /// Number of catch-ups in a row that stopped at the page limit.
    var count = 0
    /// Id of the last item before a gap in the transcript. The next catch-up begins at this item.
    var missedFrom: String?
    /// Items at which the catch-ups of the last minute began, oldest first. The service stores a streamed message at
    /// the position of its first fragment. So the next catch-up reads again from the oldest of these items, to get
    /// messages that were still being streamed.
    var starts: [(id: String, at: Instant)] = []
    /// Ids of the items read so far. A page that has only such ids is the last page.
    var ids: Set<String> = []
    var lacksFirstPage = false
    var firstPages = 0
    /// Number of consecutive failures of a page request. The next request is made at ``againAt``.
    var failures = 0
    var againAt: Instant?
}
