package import Clocks
package import ConversationEngine

package enum BucketName: Hashable, Sendable {
    /// `subject` is the caller.
    case requests(dialect: Int, operation: String, subject: String)
    case messages(SessionHandle)
}

/// Token buckets by name. A bucket starts full.
package struct TokenBuckets<Name: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Instant
        var limit: RateLimit

        mutating func refill(to now: Instant) {
            // If the clock was set back, the number of tokens does not change.
            let elapsed = max(0, (now - filledAt).nanoseconds)
            tokens = min(Double(limit.burst), tokens + Double(elapsed) / 1e9 * limit.perSecond)
            filledAt = max(filledAt, now)
        }
    }

    /// The longest reported wait.
    private static var never: Interval { .hours(24) }

    private var buckets: [Name: Bucket] = [:]
    private let maxCount: Int

    /// Default maximum number of buckets.
    package static var maxCount: Int { 4_096 }

    package init(maxCount: Int = Self.maxCount) {
        self.maxCount = maxCount
    }

    package var count: Int { buckets.count }

    /// Takes one token from a bucket. Returns the time to wait if the bucket is empty.
    package mutating func consume(from name: Name, limit: RateLimit, at now: Instant) -> Interval? {
        var bucket =
            buckets[name] ?? Bucket(tokens: Double(limit.burst), filledAt: now, limit: limit)
        bucket.limit = limit
        bucket.refill(to: now)
        defer { keep(bucket, as: name, at: now) }
        // Fractions of a token may add up to slightly less than 1.
        if bucket.tokens >= 1 - 1e-9 {
            bucket.tokens -= 1
            return nil
        }
        guard limit.perSecond > 0, limit.burst > 0 else { return Self.never }
        let wait = (1 - bucket.tokens) / limit.perSecond
        return wait < 86_400 ? Interval(nanoseconds: Int64((wait * 1e9).rounded(.up))) : Self.never
    }

    private mutating func keep(_ bucket: Bucket, as name: Name, at now: Instant) {
        if buckets[name] == nil, buckets.count >= maxCount { makeRoom(at: now) }
        buckets[name] = bucket
    }

    /// Drops all full buckets, which equal new ones. If none is full, drops the least recently used bucket.
    private mutating func makeRoom(at now: Instant) {
        let spent = buckets.filter { entry in
            var bucket = entry.value
            bucket.refill(to: now)
            return bucket.tokens < Double(bucket.limit.burst)
        }
        if spent.count < buckets.count {
            buckets = spent
        } else if let oldest = buckets.min(by: { $0.value.filledAt < $1.value.filledAt }) {
            buckets[oldest.key] = nil
        }
    }
}

/// Rate limit: `burst` requests at once, and `perSecond` on average.
package struct RateLimit: Hashable, Sendable {
    package var burst: Int
    package var perSecond: Double

    package init(burst: Int, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}
