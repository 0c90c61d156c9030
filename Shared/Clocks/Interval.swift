/// A length of time in nanoseconds. Negative lengths are allowed in arithmetic and mean "already over".
package struct Interval: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = Interval(nanoseconds: 0)
    package static func microseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000) }
    package static func milliseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000_000) }
    package static func seconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000_000_000) }
    package static func minutes(_ count: Int64) -> Interval { .seconds(count * 60) }
    package static func hours(_ count: Int64) -> Interval { .seconds(count * 3_600) }

    /// Whole milliseconds, rounded towards zero.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Whole seconds, rounded towards zero.
    package var seconds: Int64 { nanoseconds / 1_000_000_000 }

    package static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }
    package static func + (left: Interval, right: Interval) -> Interval {
        Interval(nanoseconds: left.nanoseconds + right.nanoseconds)
    }
    package static func - (left: Interval, right: Interval) -> Interval {
        Interval(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
    package static func * (left: Interval, factor: Int) -> Interval {
        Interval(nanoseconds: left.nanoseconds * Int64(factor))
    }

    /// This length times `factor`, rounded to the nearest nanosecond.
    package func scaled(by factor: Double) -> Interval {
        Interval(nanoseconds: Int64((Double(nanoseconds) * factor).rounded()))
    }
}
