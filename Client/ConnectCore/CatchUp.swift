import Clocks

/// What is being read to close the gap of an outage, and the items that came meanwhile.
struct CatchUp: Sendable {
    enum Step: Equatable, Sendable {
        case idle
        /// Forward from an item.
        case forward(page: Int)
        /// Backward until a page overlaps.
        case backward(page: Int)
    }

    var step = Step.idle
    /// What its pages brought, oldest first.
    var items: [WireItem] = []
    /// Live items that wait.
    var held: [WireItem] = []
    var holdsUntil: Instant?
    /// How often in a row it read as many pages as it may.
    var count = 0
    /// The last item before what a catch-up still lacks: the next one begins there.
    var missedFrom: String?
    /// Behind which items the catch-ups of the last minute began, oldest first. The service keeps a streamed message where it
    /// began, as soon as it is whole: behind these, but perhaps before items that were heard meanwhile.
    var starts: [(id: String, at: Instant)] = []
    /// The ids of its items: a page of nothing but these is the last.
    var ids: Set<String> = []
    /// The first page failed: it is asked for again.
    var lacksFirstPage = false
    /// How many pages were asked for in its place.
    var firstPages = 0
    /// How often in a row a page has failed, and when it is asked for again.
    var failures = 0
    var againAt: Instant?
}
