/// Formatter of dates in HTTP fields, with a cache of the last date.
package struct HTTPDate: Sendable {
    private var last: (second: Int64, text: String)?

    package init() {}

    package mutating func text(at secondsSince1970: Int64) -> String {
        if let last, last.second == secondsSince1970 { return last.text }
        let text = Self.format(secondsSince1970)
        last = (secondsSince1970, text)
        return text
    }

    /// Returns an IMF-fixdate (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. Dates outside the years 0 to
    /// 9999 are clamped.
    package static func format(_ secondsSince1970: Int64) -> String {
        let seconds = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = Int(seconds - days * 86_400)
        let (year, month, day) = date(days: Int(days))
        // 1970-01-01 was a Thursday.
        let weekday = Int(((days % 7) + 11) % 7)

        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: name(weekday, of: "SunMonTueWedThuFriSat"))
        text.append(contentsOf: ", ".utf8)
        appendTwoDigits(day, to: &text, then: " ")
        text.append(contentsOf: name(month - 1, of: "JanFebMarAprMayJunJulAugSepOctNovDec"))
        text.append(UInt8(ascii: " "))
        appendTwoDigits(year / 100, to: &text, then: "")
        appendTwoDigits(year % 100, to: &text, then: " ")
        appendTwoDigits(time / 3600, to: &text, then: ":")
        appendTwoDigits(time / 60 % 60, to: &text, then: ":")
        appendTwoDigits(time % 60, to: &text, then: " GMT")
        return String(decoding: text, as: UTF8.self)
    }

    private static func name(_ index: Int, of names: String) -> some Collection<UInt8> {
        names.utf8.dropFirst(index * 3).prefix(3)
    }

    private static func appendTwoDigits(_ value: Int, to text: inout [UInt8], then end: String) {
        text.append(UInt8(ascii: "0") + UInt8(value / 10))
        text.append(UInt8(ascii: "0") + UInt8(value % 10))
        text.append(contentsOf: end.utf8)
    }

    /// Returns the Gregorian date `days` after 1970-01-01. Calculates with years from 1 March, so the leap day is last.
    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let daysPerEra = 146_097
        let sinceMarch = days + 719_468
        let era = (sinceMarch >= 0 ? sinceMarch : sinceMarch - daysPerEra + 1) / daysPerEra
        let dayOfEra = sinceMarch - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Counted from March, every five months have 153 days.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}
