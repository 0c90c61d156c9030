import Clocks

/// State of catching up after an outage: the pages being read, and the live items held meanwhile.
struct CatchUp: Sendable {
    enum Step: Equatable, Sendable {
        case idle
        /// Forward from an item.
        case forward(page: Int)
        /// Backward until a page overlaps.
        case backward(page: Int)
    }

    var step = Step.idle
    /// Items of its pages, oldest first.
    var items: [WireItem] = []
    /// Live items that wait.
    var held: [WireItem] = []
    var holdsUntil: Instant?
    /// Number of consecutive catch-ups that reached the page limit.
    var count = 0
    /// The last item before what a catch-up still lacks: the next one begins there.
    var missedFrom: String?
    /// The items after which the catch-ups of the last minute began, oldest first. The service keeps a streamed
    /// message where it began, as soon as it is whole: after these, but perhaps before items received meanwhile.
    var starts: [(id: String, at: Instant)] = []
    /// The ids of its items: a page of nothing but these is the last.
    var ids: Set<String> = []
    /// The first page failed: it is asked for again.
    var lacksFirstPage = false
    var firstPages = 0
    /// Number of consecutive failures of a page, and the time of its next request.
    var failures = 0
    var againAt: Instant?
}
