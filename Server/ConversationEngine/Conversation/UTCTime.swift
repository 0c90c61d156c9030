import Clocks

/// The text of `{now}`.
enum UTCTime {
    /// Hours and minutes in UTC, such as `09:30`.
    static func text(of instant: Instant) -> String {
        let minutes = (instant.secondsSince1970 % 86_400 + 86_400) % 86_400 / 60
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func two(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
