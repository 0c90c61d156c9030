import Clocks
import Expectations
import Testing
import Texts

@testable import LoadTest

@Suite("Histogram of latencies")
struct LatencyHistogramTests {
    /// Spread over nine powers of ten, as latencies are.
    static func samples(_ seed: UInt64) -> [Int64] {
        var generator = SeededGenerator(seed: seed)
        return (0..<20_000).map { _ in
            let bits = Int(generator.next() % 40)
            return Int64(generator.next() >> UInt64(63 - bits))
        }
    }

    @Test(
        "A percentile is what sorting all lengths gives, at most 1/64 more", arguments: [1, 2, 3] as [UInt64])
    func againstSorting(_ seed: UInt64) {
        let samples = Self.samples(seed)
        var histogram = LatencyHistogram()
        for sample in samples { histogram.add(Interval(nanoseconds: sample)) }
        let sorted = samples.sorted()
        for share in [0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
            let rank = max(1, Int((Double(sorted.count) * share).rounded(.up)))
            let exact = sorted[rank - 1]
            let told = histogram.percentile(share).nanoseconds
            #expect(told >= exact && told - exact <= exact / 64, "share \(share)")
        }
        expectEqual(histogram.max.nanoseconds, sorted.last)
        expectEqual(histogram.count, UInt64(samples.count))
        let mean = Double(samples.reduce(0, +)) / Double(samples.count)
        #expect(abs(Double(histogram.mean.nanoseconds) - mean) <= 1)
    }

    @Test("Buckets cover all lengths without a gap, and each ends where the next begins")
    func buckets() {
        var bucket = 0
        while LatencyHistogram.end(of: bucket) < 1 << 42 - 1 {
            let end = LatencyHistogram.end(of: bucket)
            expectEqual(LatencyHistogram.bucket(of: UInt64(end)), bucket)
            expectEqual(LatencyHistogram.bucket(of: UInt64(end) + 1), bucket + 1)
            bucket += 1
        }
        expectEqual(LatencyHistogram.bucket(of: .max), LatencyHistogram.bucket(of: 1 << 42))
    }

    @Test("A negative length counts as zero, and one beyond the last bucket keeps its exact maximum")
    func extremes() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == .zero && histogram.mean == .zero)
        histogram.add(Interval(nanoseconds: -5))
        #expect(histogram.max == .zero && histogram.count == 1)
        histogram.add(.hours(3))
        expectEqual(histogram.percentile(1), .hours(3))
    }

    @Test("A sum that no whole number holds is the largest one, also in another process")
    func longest() throws {
        var histogram = LatencyHistogram()
        for _ in 0..<2 { histogram.add(Interval(nanoseconds: .max)) }
        expectEqual(histogram.mean, Interval(nanoseconds: .max))
        expectEqual(histogram.parcel["sum"]?.integer, Int64.max)
        let read = try #require(LatencyHistogram(parcel: histogram.parcel))
        #expect(read.count == 2 && read.max == histogram.max)
    }

    @Test("Two histograms added are the histogram of both")
    func adding() {
        let (first, second) = (Self.samples(4), Self.samples(5))
        var (left, right, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for sample in first { left.add(Interval(nanoseconds: sample)) }
        for sample in second { right.add(Interval(nanoseconds: sample)) }
        for sample in first + second { both.add(Interval(nanoseconds: sample)) }
        left.add(right)
        expectEqual(left.percentile(0.99), both.percentile(0.99))
        #expect(left.count == both.count && left.max == both.max)
    }
}
