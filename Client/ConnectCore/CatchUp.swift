import Clocks

/// State of catching up after an outage: the pages being read, and the live items held meanwhile.
struct CatchUp: Sendable {
    enum Step: Equatable, Sendable {
        case idle
        /// Reads forward from an item.
        case forward(page: Int)
        /// Reads backward until a page overlaps with known items.
        case backward(page: Int)
    }

    var step = Step.idle
    /// Items of the pages read so far, oldest first.
    var items: [WireItem] = []
    /// Live items held until the catch-up ends.
    var held: [WireItem] = []
    var holdsUntil: Instant?
    /// Number of consecutive catch-ups that reached the page limit.
    var count = 0
    /// The last item before the gap that a catch-up has left: the next one begins there.
    var missedFrom: String?
    /// The items after which the catch-ups of the last minute began, oldest first. A streamed message is
    /// stored, once complete, at the position where it began: after these items, but possibly before items
    /// received meanwhile.
    var starts: [(id: String, at: Instant)] = []
    /// The ids of items read: a page with only known ids is the last.
    var ids: Set<String> = []
    /// Whether the first page failed and has to be requested again.
    var lacksFirstPage = false
    var firstPages = 0
    /// Number of consecutive failures of a page, and the time of its next request.
    var failures = 0
    var againAt: Instant?
}
