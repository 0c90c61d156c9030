import Clocks

extension Duration {
    /// - Parameter count: how many minutes.
    /// - Returns: that length of time.
    public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// - Parameter count: how many hours.
    /// - Returns: that length of time.
    public static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }

    init(_ interval: Interval) {
        self = .nanoseconds(interval.nanoseconds)
    }

    /// `5 s`, `250 ms`, `10 min`, `24 h`: the largest unit that divides it.
    var words: String {
        let nanoseconds = Interval(self).nanoseconds
        let units: [(name: String, size: Int64)] = [
            ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
        ]
        for unit in units where nanoseconds >= unit.size && nanoseconds % unit.size == 0 {
            return "\(nanoseconds / unit.size) \(unit.name)"
        }
        return "\(nanoseconds / 1_000_000) ms"
    }

    /// `00:03.412`: minutes, seconds, milliseconds.
    var stamp: String {
        let milliseconds = Interval(self).milliseconds
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(milliseconds / 60_000, 2) + ":" + padded(milliseconds / 1_000 % 60, 2) + "."
            + padded(milliseconds % 1_000, 3)
    }
}

extension Interval {
    /// Durations longer than 292 years become the longest interval there is.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? .max / 4 : whole + attoseconds / 1_000_000_000)
    }
}
