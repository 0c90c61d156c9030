import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import Timeline

/// What a feed may tell besides rows (`also=`).
enum FeedTopic: String, CaseIterable {
    case sessions, troubles, clock, fixtures, unmatched, laws, held
}

/// How far a feed has told the rows, and what it tells besides.
struct RowFeed {
    let filter: RowFilter?
    /// The number of the last row looked at.
    var seen: UInt64
    /// The result of a comparison away from the loop: the rows that the filter takes, of those up to `to`.
    var judged: (taken: ArraySlice<UInt64>, to: UInt64) = ([], 0)
    /// Further rows are being compared there.
    var isAway = false
    /// Bytes of a text at most; nil: all of them.
    var textBytes: Int?
    var tellsRows: Bool
    /// Only where rows are to come at a rate, or something besides them.
    var changes: FeedChanges?

    init(filter: RowFilter?, seen: UInt64, textBytes: Int?, tellsRows: Bool, changes: FeedChanges?) {
        self.filter = filter
        self.seen = seen
        self.textBytes = textBytes
        self.tellsRows = tellsRows
        self.changes = changes
    }

    /// The last row that the filter was asked about.
    var compared: UInt64 { max(seen, judged.to) }

    /// Whether the filter takes a row; nil when it is not known in this turn.
    mutating func takes(_ number: UInt64, in turn: WatchTurn, now: Instant) -> Bool? {
        if number <= judged.to {
            judged.taken = judged.taken.drop { $0 < number }
            return judged.taken.first == number
        }
        guard let filter else { return true }
        guard !isAway, turn.allows(filter, row: number) else { return nil }
        return turn.row(number).map { filter.matches($0, now: now) } ?? false
    }
}

/// What a feed has to tell besides rows: gathered with each turn of the loop, told ten times a second at most.
final class FeedChanges {
    let topics: Set<FeedTopic>
    /// What is told at once, in its order.
    var items: [[UInt8]] = []
    var sessions: Set<SessionHandle> = []
    var forgotten: [String] = []
    /// What the list of troubles was when it was told.
    var troubles: [UInt64] = []
    /// Frames that waited for a person when the list was told.
    var held: [UInt64] = []
    /// Moves of the clock that were told.
    var clockMoves = 0
    /// Numbers of the newest that were told.
    var unmatched: UInt64 = 0
    var breach = 0
    /// Rows that were too many, until they are told.
    private(set) var skipped: (rows: Int, from: UInt64, to: UInt64)?
    /// By the wall's clock, when the next of it may be told, and when rows that were left out may.
    private var opensAt = Instant.past
    private var tellsSkippedAt = Instant.past
    /// When the rate has room for a row again.
    private var admitsAt = Instant.past
    private let rate: RateLimit?
    private var bucket = TokenBuckets<String>(maxCount: 1)

    init(_ topics: Set<FeedTopic>, rate: Int?) {
        self.topics = topics
        // A tenth of a second's rows at once.
        self.rate = rate.map { RateLimit(burst: max(1, $0 / 10), perSecond: Double($0)) }
    }

    /// Whether a row may be told now; one that may not is counted.
    func admits(_ row: UInt64, at wall: Instant) -> Bool {
        guard let rate else { return true }
        if admitsSome(at: wall) {
            guard let wait = bucket.take(from: "", limit: rate, at: wall) else { return true }
            admitsAt = wall + wait
        }
        skip(row...row)
        return false
    }

    /// False while the rate has no room for any row: then ``skip(_:)`` spares a look at each.
    func admitsSome(at wall: Instant) -> Bool { wall >= admitsAt }

    /// Counts rows as left out.
    func skip(_ rows: ClosedRange<UInt64>) {
        let count = (skipped?.rows ?? 0) + rows.count
        skipped = (rows: count, from: skipped?.from ?? rows.lowerBound, to: rows.upperBound)
    }

    /// Which rows were left out, where that is to be told now.
    func takeSkipped(at wall: Instant) -> [UInt8]? {
        guard let (rows, from, to) = skipped, wall >= tellsSkippedAt else { return nil }
        skipped = nil
        tellsSkippedAt = wall + Self.distance
        return Array("{\"skipped\":{\"rows\":\(rows),\"from\":\(from),\"to\":\(to)}}".utf8)
    }

    /// Lets changes be told, unless others were a moment ago.
    func opens(at wall: Instant) -> Bool {
        guard wall >= opensAt else { return false }
        opensAt = wall + Self.distance
        return true
    }

    /// When what is left may be told; nil when nothing is.
    func due(hasChanges: Bool) -> Instant? {
        let skippedDue = skipped == nil ? nil : tellsSkippedAt
        guard hasChanges else { return skippedDue }
        return min(opensAt, skippedDue ?? opensAt)
    }

    private static let distance = Interval.milliseconds(ServerLimits.Control.changeMilliseconds)
}
