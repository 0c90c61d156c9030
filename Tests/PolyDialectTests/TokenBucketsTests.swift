import Clocks
import DialectKit
import Expectations
import Testing

@Suite("Token buckets")
struct TokenBucketsTests {
    private let start = Instant(secondsSince1970: 1_000)
    private let limit = RateLimit(burst: 3, perSecond: 2)

    @Test("A burst passes at once; the next has to wait for one token")
    func burst() {
        var buckets = TokenBuckets<String>()
        for _ in 0..<3 { expectEqual(buckets.consume(from: "a", limit: limit, at: start), nil) }
        expectEqual(buckets.consume(from: "a", limit: limit, at: start), .milliseconds(500))
        expectEqual(
            buckets.consume(from: "a", limit: limit, at: start + .milliseconds(200)), .milliseconds(300))
    }

    @Test("After the wait it was told, a client is let through")
    func waiting() {
        var buckets = TokenBuckets<String>()
        let slow = RateLimit(burst: 1, perSecond: 0.3)
        var now = start
        for _ in 0..<50 {
            expectEqual(buckets.consume(from: "a", limit: slow, at: now), nil)
            guard let wait = buckets.consume(from: "a", limit: slow, at: now) else {
                Issue.record("no wait")
                return
            }
            now = now + wait
        }
    }

    @Test("A client that a billionth of a token is missing to is let through")
    func nearlyWhole() {
        var buckets = TokenBuckets<String>()
        let limit = RateLimit(burst: 1, perSecond: 1 - 1e-9)
        expectEqual(buckets.consume(from: "a", limit: limit, at: start), nil)
        #expect(buckets.consume(from: "a", limit: limit, at: start + .milliseconds(999)) != nil)
        var others = TokenBuckets<String>()
        expectEqual(others.consume(from: "a", limit: limit, at: start), nil)
        expectEqual(others.consume(from: "a", limit: limit, at: start + .seconds(1)), nil)
    }

    @Test("A bucket fills up to its burst and no further")
    func refill() {
        var buckets = TokenBuckets<String>()
        for _ in 0..<3 { _ = buckets.consume(from: "a", limit: limit, at: start) }
        let later = start + .hours(1)
        for _ in 0..<3 { expectEqual(buckets.consume(from: "a", limit: limit, at: later), nil) }
        #expect(buckets.consume(from: "a", limit: limit, at: later) != nil)
    }

    @Test("Names have buckets of their own")
    func names() {
        var buckets = TokenBuckets<String>()
        let one = RateLimit(burst: 1, perSecond: 1)
        expectEqual(buckets.consume(from: "a", limit: one, at: start), nil)
        expectEqual(buckets.consume(from: "b", limit: one, at: start), nil)
        expectEqual(buckets.consume(from: "a", limit: one, at: start), .seconds(1))
    }

    @Test(
        "A limit that lets nothing through tells a long wait",
        arguments: [(0, 1.0), (1, 0.0), (1, 1e-12)] as [(Int, Double)])
    func never(_ burst: Int, _ perSecond: Double) {
        var buckets = TokenBuckets<String>()
        let limit = RateLimit(burst: burst, perSecond: perSecond)
        _ = buckets.consume(from: "a", limit: limit, at: start)
        expectEqual(buckets.consume(from: "a", limit: limit, at: start), .hours(24))
    }

    @Test("A clock that was set back neither refills nor empties")
    func backwards() {
        var buckets = TokenBuckets<String>()
        for _ in 0..<2 { _ = buckets.consume(from: "a", limit: limit, at: start) }
        expectEqual(buckets.consume(from: "a", limit: limit, at: start - .hours(1)), nil)
        #expect(buckets.consume(from: "a", limit: limit, at: start - .hours(1)) != nil)
    }

    @Test("The number of buckets is bounded: full ones are forgotten first, then the oldest")
    func bounded() {
        var buckets = TokenBuckets<String>(maxCount: 3)
        let one = RateLimit(burst: 1, perSecond: 1)
        for (index, name) in ["a", "b", "c", "d"].enumerated() {
            _ = buckets.consume(from: name, limit: one, at: start + .milliseconds(Int64(index)))
            #expect(buckets.count <= 3)
        }
        #expect(buckets.consume(from: "d", limit: one, at: start + .milliseconds(5)) != nil)
        _ = buckets.consume(from: "e", limit: one, at: start + .seconds(60))
        expectEqual(buckets.count, 1)
    }
}
