package import Clocks
import Texts

/// Log-linear histogram of latencies. Each nanosecond up to 127 has its own bucket. Above, each power of two has 64
/// buckets, so the relative error is at most 1/64 (1.6 %). Latencies from 127 · 2^35 ns (73 minutes) share the last
/// bucket.
package struct LatencyHistogram: Equatable, Sendable {
    private static let subBuckets = 64
    private static let exactBits = 7
    private static let topBits = 42
    private static let bucketCount = (topBits - exactBits) * subBuckets + 2 * subBuckets

    private var counts = [UInt64](repeating: 0, count: LatencyHistogram.bucketCount)
    package private(set) var count: UInt64 = 0
    /// The longest latency, not rounded; zero without latencies.
    package private(set) var max = Interval.zero
    private var sum = 0.0

    init() {}

    package mutating func add(_ length: Interval) {
        let nanoseconds = UInt64(Swift.max(0, length.nanoseconds))
        counts[Self.bucket(of: nanoseconds)] += 1
        count += 1
        sum += Double(nanoseconds)
        max = Swift.max(max, Interval(nanoseconds: Int64(nanoseconds)))
    }

    package mutating func add(_ other: LatencyHistogram) {
        for (place, more) in other.counts.enumerated() where more > 0 { counts[place] += more }
        count += other.count
        sum += other.sum
        max = Swift.max(max, other.max)
    }

    package var mean: Interval {
        count == 0 ? .zero : Interval(nanoseconds: Self.whole(sum / Double(count)))
    }

    /// Rounds and clamps to `Int64`, because a sum of long waits can exceed it.
    private static func whole(_ nanoseconds: Double) -> Int64 {
        Int64(exactly: nanoseconds.rounded()) ?? .max
    }

    /// Returns a percentile by the nearest-rank method; a `share` of 0.99 is the 99th percentile. Returns zero without
    /// latencies. The result is the upper end of a bucket, so at most 1/64 too long.
    package func percentile(_ share: Double) -> Interval {
        guard count > 0 else { return .zero }
        let rank = UInt64(Swift.max(1, (Double(count) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (place, amount) in counts.enumerated() {
            seen += amount
            if seen >= rank { return min(max, Interval(nanoseconds: Self.end(of: place))) }
        }
        return max
    }

    // MARK: From one process to another

    /// JSON: the sum and the maximum in nanoseconds, and a flat list of bucket indexes and counts.
    var parcel: JSONValue {
        let pairs = counts.indices.filter { counts[$0] > 0 }
        return .object([
            "sum": .integer(Self.whole(sum)), "max": .integer(max.nanoseconds),
            "buckets": .array(pairs.flatMap { [.integer(Int64($0)), .integer(Int64(counts[$0]))] }),
        ])
    }

    init?(parcel: JSONValue) {
        guard let sum = parcel["sum"]?.integer, let max = parcel["max"]?.integer,
            let numbers = parcel["buckets"]?.array?.compactMap(\.integer), numbers.count.isMultiple(of: 2)
        else { return nil }
        for place in stride(from: 0, to: numbers.count, by: 2) {
            guard counts.indices.contains(Int(numbers[place])), numbers[place + 1] > 0 else { return nil }
            counts[Int(numbers[place])] += UInt64(numbers[place + 1])
            count += UInt64(numbers[place + 1])
        }
        (self.sum, self.max) = (Double(sum), Interval(nanoseconds: max))
    }

    /// Above 127 ns, the highest set bit and the six bits after it select the bucket.
    static func bucket(of nanoseconds: UInt64) -> Int {
        let bits = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
        guard bits > exactBits else { return Int(nanoseconds) }
        guard bits <= topBits else { return bucketCount - 1 }
        let shift = bits - exactBits
        return shift * subBuckets + Int(nanoseconds >> UInt64(shift))
    }

    static func end(of bucket: Int) -> Int64 {
        if bucket == bucketCount - 1 { return .max }
        guard bucket >= 2 * subBuckets else { return Int64(bucket) }
        let shift = bucket / subBuckets - 1
        let lead = bucket - shift * subBuckets
        return (Int64(lead) + 1) << Int64(shift) - 1
    }
}
