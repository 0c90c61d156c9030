import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import Timeline

/// Topics of a feed besides rows (`also=`).
enum FeedTopic: String, CaseIterable {
    case sessions, faults, clock, fixtures, unmatched, violations, intercepted
}

struct RowFeed {
    let filter: RowFilter?
    /// The number of the last row that was sent or skipped.
    var seen: UInt64
    /// Result of a comparison on a queue: the numbers of matching rows, up to the row `to`.
    var judged: (taken: ArraySlice<UInt64>, to: UInt64) = ([], 0)
    var isAway = false
    /// Maximum bytes of a row's text; nil means no limit.
    var textBytes: Int?
    var sendsRows: Bool
    /// Nil for a feed that has neither topics nor a rate limit.
    var changes: FeedChanges?

    var compared: UInt64 { max(seen, judged.to) }

    /// Whether a row matches, or nil if that is not known yet.
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

/// Changes for a feed, and the feed's rate limit.
final class FeedChanges {
    let topics: Set<FeedTopic>
    var items: [[UInt8]] = []
    var sessions: Set<SessionHandle> = []
    var forgotten: [String] = []
    var faults: [UInt64] = []
    var held: [UInt64] = []
    /// The number of clock moves last reported to the feed.
    var clockMoves = 0
    var unmatched: UInt64 = 0
    var violation = 0
    /// Skipped rows that are not reported yet.
    private(set) var skipped: (rows: Int, from: UInt64, to: UInt64)?
    /// Wall-clock time before which no changes are sent.
    private var opensAt = Instant.past
    private var tellsSkippedAt = Instant.past
    private var admitsAt = Instant.past
    private let rate: RateLimit?
    private var bucket = TokenBuckets<String>(maxCount: 1)

    init(_ topics: Set<FeedTopic>, rate: Int?) {
        self.topics = topics
        // The maximum burst is the number of rows that the rate admits in a tenth of a second.
        self.rate = rate.map { RateLimit(burst: max(1, $0 / 10), perSecond: Double($0)) }
    }

    /// Returns true if the rate admits a row. Otherwise counts the row as skipped.
    func admits(_ row: UInt64, at wall: Instant) -> Bool {
        guard let rate else { return true }
        if admitsSome(at: wall) {
            guard let wait = bucket.consume(from: "", limit: rate, at: wall) else { return true }
            admitsAt = wall + wait
        }
        skip(row...row)
        return false
    }

    /// Whether the rate may admit a row now.
    func admitsSome(at wall: Instant) -> Bool { wall >= admitsAt }

    func skip(_ rows: ClosedRange<UInt64>) {
        let count = (skipped?.rows ?? 0) + rows.count
        skipped = (rows: count, from: skipped?.from ?? rows.lowerBound, to: rows.upperBound)
    }

    /// Returns and clears the report on skipped rows, if it is due.
    func takeSkipped(at wall: Instant) -> [UInt8]? {
        guard let (rows, from, to) = skipped, wall >= tellsSkippedAt else { return nil }
        skipped = nil
        tellsSkippedAt = wall + Self.distance
        return Array("{\"skipped\":{\"rows\":\(rows),\"from\":\(from),\"to\":\(to)}}".utf8)
    }

    /// Returns true if changes may be sent now, and starts the interval before the next changes.
    func opens(at wall: Instant) -> Bool {
        guard wall >= opensAt else { return false }
        opensAt = wall + Self.distance
        return true
    }

    /// The deadline for unsent changes and for the report on skipped rows; nil if there is neither.
    func due(hasChanges: Bool) -> Instant? {
        let skippedDue = skipped == nil ? nil : tellsSkippedAt
        guard hasChanges else { return skippedDue }
        return min(opensAt, skippedDue ?? opensAt)
    }

    private static let distance = Interval.milliseconds(ServerLimits.Control.changeMilliseconds)
}
