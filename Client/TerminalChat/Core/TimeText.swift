import Clocks
import Texts

enum TimeText {
    /// Returns ISO 8601 in UTC with milliseconds: `2026-01-15T09:30:00.250Z`.
    static func iso(_ instant: Instant) -> String {
        TimeStamp.text(nanoseconds: instant.nanoseconds)
    }

    static func iso(_ seconds: Double) -> String {
        iso(Instant(nanosecondsSince1970: Int64(seconds * 1_000) * 1_000_000))
    }

    /// Returns hours and minutes in a time zone `offset` seconds ahead of UTC.
    static func clock(_ secondsSince1970: Int64, offset: Int64 = 0) -> String {
        let second = ((secondsSince1970 + offset) % 86_400 + 86_400) % 86_400
        return "\(padded(second / 3_600)):\(padded(second / 60 % 60))"
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
