import Clocks

/// Times as text.
enum TimeText {
    /// ISO 8601 in UTC with milliseconds: `2026-01-15T09:30:00.250Z`.
    static func iso(_ instant: Instant) -> String {
        let milliseconds = instant.millisecondsSince1970
        let seconds = (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = date(daysSince1970: days)
        let fraction = milliseconds - seconds * 1_000
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(second / 3_600)):"
            + "\(padded(second / 60 % 60)):\(padded(second % 60)).\(padded(fraction, 3))Z"
    }

    /// The same, of seconds since 1970.
    static func iso(_ seconds: Double) -> String {
        iso(Instant(nanosecondsSince1970: Int64(seconds * 1_000) * 1_000_000))
    }

    /// Hours and minutes of a day that begins `offset` seconds from UTC.
    static func clock(_ secondsSince1970: Int64, offset: Int64 = 0) -> String {
        let second = ((secondsSince1970 + offset) % 86_400 + 86_400) % 86_400
        return "\(padded(second / 3_600)):\(padded(second / 60 % 60))"
    }

    /// Counts from 1 March of year 0, so that the leap day is the last of its year.
    private static func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + 719_468
        let era = (days - (days % 146_097 + 146_097) % 146_097) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }

    private static func padded(_ number: Int64, _ digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
