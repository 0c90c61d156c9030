/// Moment in nanoseconds since 1970-01-01T00:00:00Z. Arithmetic is clamped to 64 bits.
///
/// Public, because the compiler inlines only public functions into other modules.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970.
    public var nanoseconds: Int64

    /// Creates the moment.
    @inlinable
    public init(nanosecondsSince1970 nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates a moment, clamped to the first or last one.
    package init(secondsSince1970 seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole milliseconds since 1970.
    package var millisecondsSince1970: Int64 { nanoseconds / 1_000_000 }
    package var secondsSince1970: Int64 { nanoseconds / 1_000_000_000 }

    package static let distantFuture = Instant(nanosecondsSince1970: .max)

    /// Whether `left` is earlier.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
    /// The moment after `right`.
    @inlinable
    public static func + (left: Instant, right: Interval) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return Instant(nanosecondsSince1970: overflow ? (right.nanoseconds < 0 ? .min : .max) : sum)
    }
    /// The moment before `right`.
    @inlinable
    public static func - (left: Instant, right: Interval) -> Instant {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return Instant(nanosecondsSince1970: overflow ? (right.nanoseconds < 0 ? .max : .min) : difference)
    }
    /// The time from `right` to `left`.
    @inlinable
    public static func - (left: Instant, right: Instant) -> Interval {
        Interval(nanoseconds: left.nanoseconds) - Interval(nanoseconds: right.nanoseconds)
    }
}
