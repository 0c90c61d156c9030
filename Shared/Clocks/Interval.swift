/// Length of time in nanoseconds; negative means "already over". Arithmetic is clamped to 64 bits, about 292 years.
///
/// Written like the standard library's `Duration`, which needs iOS 16; tests of apps may need iOS 15 (decision record
/// 0011).
///
/// ```swift
/// configuration.sessions.idle = .minutes(2)
/// try await mock.expect(.reply("Hello"), within: .seconds(0.5))
/// ```
public struct Interval: Hashable, Comparable, Sendable, AdditiveArithmetic {
    /// The length in nanoseconds.
    public var nanoseconds: Int64

    /// - Parameter nanoseconds: the length; negative means "already over".
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A length of zero.
    public static let zero = Interval(nanoseconds: 0)

    /// The longest length, 73 years. The sum of a few lengths does not overflow.
    @inlinable public static var longest: Interval { Interval(nanoseconds: .max / 4) }

    /// - Parameter count: the number of nanoseconds.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func nanoseconds(_ count: some BinaryInteger) -> Interval { of(count, each: 1) }

    /// - Parameter count: the number of microseconds.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func microseconds(_ count: some BinaryInteger) -> Interval { of(count, each: 1_000) }

    /// - Parameter count: the number of milliseconds.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func milliseconds(_ count: some BinaryInteger) -> Interval { of(count, each: 1_000_000) }

    /// - Parameter count: the number of milliseconds, with a fraction: `0.5`.
    /// - Returns: that length, rounded to nanoseconds and clamped to ``longest``; zero for NaN.
    public static func milliseconds(_ count: Double) -> Interval { rounding(count * 1_000_000) }

    /// - Parameter count: the number of seconds.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func seconds(_ count: some BinaryInteger) -> Interval { of(count, each: 1_000_000_000) }

    /// - Parameter count: the number of seconds, with a fraction: `0.5`.
    /// - Returns: that length, rounded to nanoseconds and clamped to ``longest``; zero for NaN.
    public static func seconds(_ count: Double) -> Interval { rounding(count * 1_000_000_000) }

    /// - Parameter count: the number of minutes.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func minutes(_ count: some BinaryInteger) -> Interval { of(count, each: 60_000_000_000) }

    /// - Parameter count: the number of hours.
    /// - Returns: that length, clamped to ``longest``.
    @inlinable
    public static func hours(_ count: some BinaryInteger) -> Interval { of(count, each: 3_600_000_000_000) }

    @inlinable
    static func of(_ count: some BinaryInteger, each unit: Int64) -> Interval {
        let (product, overflow) = Int64(clamping: count).multipliedReportingOverflow(by: unit)
        if !overflow, product.magnitude <= longest.nanoseconds.magnitude {
            return Interval(nanoseconds: product)
        }
        return Interval(nanoseconds: count < 0 ? -longest.nanoseconds : longest.nanoseconds)
    }

    private static func rounding(_ nanoseconds: Double) -> Interval {
        guard !nanoseconds.isNaN else { return .zero }
        // `bound` is rounded up as a double, so the result is clamped again.
        let bound = Double(longest.nanoseconds)
        let whole = Int64(min(max(nanoseconds, -bound), bound).rounded())
        return Interval(nanoseconds: min(max(whole, -longest.nanoseconds), longest.nanoseconds))
    }

    /// Whole milliseconds, rounded towards zero.
    @inlinable public var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Whole seconds, rounded towards zero.
    @inlinable public var seconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Whether `left` is shorter.
    @inlinable
    public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The sum of both lengths.
    @inlinable
    public static func + (left: Interval, right: Interval) -> Interval {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return Interval(nanoseconds: overflow ? (right.nanoseconds < 0 ? .min : .max) : sum)
    }

    /// The difference; negative when `left` is shorter than `right`.
    @inlinable
    public static func - (left: Interval, right: Interval) -> Interval {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return Interval(nanoseconds: overflow ? (right.nanoseconds < 0 ? .max : .min) : difference)
    }

    /// The length multiplied by `factor`.
    @inlinable
    public static func * (left: Interval, factor: Int) -> Interval {
        let (product, overflow) = left.nanoseconds.multipliedReportingOverflow(by: Int64(factor))
        return Interval(
            nanoseconds: overflow ? ((left.nanoseconds < 0) == (factor < 0) ? .max : .min) : product)
    }

    /// The ratio of two lengths: `elapsed / .seconds(1)` is the number of seconds with fractions.
    @inlinable
    public static func / (left: Interval, right: Interval) -> Double {
        Double(left.nanoseconds) / Double(right.nanoseconds)
    }

    /// Returns the length times `factor`, rounded to nanoseconds and clamped to ``longest``. Zero for NaN.
    package func scaled(by factor: Double) -> Interval { Self.rounding(Double(nanoseconds) * factor) }
}

extension Interval: CustomStringConvertible {
    /// The length in the largest unit without a fraction, from hours to milliseconds: `5 s`, `250 ms`, `-10 min`, `24
    /// h`. Fractions of milliseconds are omitted. Below one millisecond, `µs` or `ns`.
    public var description: String {
        let units: [(name: String, size: UInt64)] = [
            ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
            ("µs", 1_000), ("ns", 1),
        ]
        let (length, sign) = (nanoseconds.magnitude, nanoseconds < 0 ? "-" : "")
        let least: UInt64 = length < 1_000_000 ? 1 : 1_000_000
        for unit in units where length >= unit.size && unit.size >= least && length % unit.size == 0 {
            return "\(sign)\(length / unit.size) \(unit.name)"
        }
        return "\(sign)\(length / 1_000_000) ms"
    }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Interval {
    /// - Parameter duration: a length of the standard library, for example from `ContinuousClock`.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Duration {
    /// - Parameter interval: a length of mock time.
    public init(_ interval: Interval) {
        self = .nanoseconds(interval.nanoseconds)
    }
}
