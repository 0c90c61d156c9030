import Clocks

/// State of reading the first page and of catch-ups after outages, with the live items held back meanwhile.
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
    /// Catch-ups in a row that stopped at the page limit.
    var count = 0
    /// Id of the item from which the running catch-up reads. After an incomplete catch-up: from which the next reads.
    var missedFrom: String?
    /// Start items of recent catch-ups, oldest first.
    var starts: [(id: String, at: Instant)] = []
    /// Ids of the items read so far.
    var ids: Set<String> = []
    var lacksFirstPage = false
    var firstPages = 0
    /// Consecutive failed page requests.
    var failures = 0
    var againAt: Instant?
}
