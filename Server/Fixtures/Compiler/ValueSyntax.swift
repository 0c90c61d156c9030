package import Clocks
import ConversationEngine
import Texts

/// Parser of the notations inside texts: durations, percentages, chunk sizes, and moments of faults.
package enum ValueSyntax {
    /// Whether `text` is a date and time of day to the minute, with UTC offset: `2026-01-31T18:00+00:00`.
    static func isSlot(_ text: String) -> Bool {
        let form = Array("dddd-dd-ddTdd:dd+dd:dd".utf8)
        guard text.utf8.count == form.count else { return false }
        let fits = zip(text.utf8, form).allSatisfy { byte, place in
            switch place {
            case UInt8(ascii: "d"): JSON5Escape.isDigit(byte)
            case UInt8(ascii: "+"): byte == place || byte == UInt8(ascii: "-")
            default: byte == place
            }
        }
        let clock = text.dropFirst(11)
        return fits && TimeStamp.parse(String(text.prefix(16)) + ":00Z") != nil
            && clock.dropFirst(6).prefix(2) <= "14"
            && clock.suffix(2) <= "59"
    }

    /// Parses `800ms`, `1.5s`, `5m` or `1h`; nil for other texts, and for a number that is too long.
    static func interval(_ text: String) -> Interval? {
        guard let (number, rest) = decimal(text) else { return nil }
        let nanoseconds: Double
        switch rest {
        case "ms": nanoseconds = 1e6
        case "s": nanoseconds = 1e9
        case "m": nanoseconds = 60e9
        case "h": nanoseconds = 3_600e9
        default: return nil
        }
        let total = (number * nanoseconds).rounded()
        return total < 9e18 ? Interval(nanoseconds: Int64(total)) : Interval(nanoseconds: .max)
    }

    /// Returns the valid spelling of a duration such as `8 seconds`, `1,5 s` or `1m 30s`; nil if none is sure.
    package static func intervalMeant(by text: String) -> String? {
        var rest = text.lowercased().filter { $0 != " " }
        if let comma = rest.firstIndex(of: ",") { rest.replaceSubrange(comma...comma, with: ".") }
        var total = Int64(0)
        var count = 0
        while !rest.isEmpty {
            guard count < 3, let (_, tail) = decimal(rest) else { return nil }
            let digits = rest.dropLast(tail.count)
            let word = tail.prefix { $0.isLetter }
            guard let unit = units.first(where: { $0.names.contains(String(word)) })?.unit,
                let part = interval(digits + unit)
            else { return nil }
            let (sum, isTooLong) = total.addingReportingOverflow(part.nanoseconds)
            guard !isTooLong else { return nil }
            (total, rest, count) = (sum, String(tail.dropFirst(word.count)), count + 1)
            if rest.isEmpty, count == 1 { return digits + unit }
        }
        return count > 0 ? self.text(Interval(nanoseconds: total)) : nil
    }

    private static let units: [(unit: String, names: [String])] = [
        ("ms", ["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"]),
        ("s", ["s", "sec", "secs", "second", "seconds"]), ("m", ["m", "min", "mins", "minute", "minutes"]),
        ("h", ["h", "hr", "hrs", "hour", "hours"]),
    ]

    /// Returns a duration as `2h`, `10m`, `1.5s` or `20ms`, which ``interval(_:)`` can read. A negative duration gives
    /// `0s`.
    package static func text(_ interval: Interval) -> String {
        let nanoseconds = rounded(max(0, interval.nanoseconds))
        if nanoseconds == 0 { return "0s" }
        if nanoseconds % 3_600_000_000_000 == 0 { return "\(nanoseconds / 3_600_000_000_000)h" }
        if nanoseconds % 60_000_000_000 == 0 { return "\(nanoseconds / 60_000_000_000)m" }
        if nanoseconds >= 1_000_000_000 { return decimal(nanoseconds, 1_000_000_000) + "s" }
        return decimal(nanoseconds, 1_000_000) + "ms"
    }

    /// Returns the nearest duration that can be written as seconds with at most 12 digits.
    private static func rounded(_ nanoseconds: Int64) -> Int64 {
        let spare = mostDigits - 9
        var (step, seconds) = (Int64(1), nanoseconds / 1_000_000_000)
        for _ in 0..<spare { seconds /= 10 }
        while seconds > 0 { (step, seconds) = (step * 10, seconds / 10) }
        return nanoseconds / step * step + (nanoseconds % step * 2 >= step ? step : 0)
    }

    private static let mostDigits = 12

    /// Returns `nanoseconds / unit` as decimal text with at most nine fraction digits and no trailing zeros.
    private static func decimal(_ nanoseconds: Int64, _ unit: Int64) -> String {
        let rest = nanoseconds % unit
        guard rest > 0 else { return "\(nanoseconds / unit)" }
        var digits = String(unit + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(nanoseconds / unit).\(digits)"
    }

    static func number(_ text: Substring) -> Double? {
        guard let (number, rest) = decimal(String(text)), rest.isEmpty else { return nil }
        return number
    }

    /// Parses a percentage: `20%` gives 0.2. Nil for other texts, and above 100 %.
    static func share(_ text: String) -> Double? {
        guard let (number, rest) = decimal(text), rest == "%", number <= 100 else { return nil }
        return number / 100
    }

    /// Parses `3 words`, `1 character`, `5 tokens`, `2 sentences`, `1 line` or `whole`.
    static func chunk(_ text: String) -> ChunkSize? {
        if text == Pace.Unit.whole.rawValue { return ChunkSize(unit: .whole) }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = count(parts[0], upTo: FixtureLimits.chunkSize),
            let unit = Pace.Unit.allCases.first(where: { $0.names.contains(String(parts[1])) })
        else { return nil }
        return ChunkSize(count: size, unit: unit)
    }

    /// Returns the likely spelling of an invalid chunk size; nil if no known spelling is similar.
    static func chunkMeant(by text: String) -> String? {
        let parts = text.split(separator: " ")
        guard let last = parts.last else { return nil }
        let size = parts.count == 2 ? parts[0] : "1"
        if parts.count == 1, let whole = NearestName.suggestion(for: text, among: ["whole"]) { return whole }
        let units = Pace.Unit.allCases.flatMap(\.names)
        guard count(size, upTo: FixtureLimits.chunkSize) != nil, parts.count <= 2,
            let unit = NearestName.suggestion(for: String(last), among: units)
        else { return nil }
        return "\(size) \(unit)"
    }

    static func moment(_ text: String) -> Fault.Moment? {
        Fault.Moment(text, count: { count($0, upTo: FixtureLimits.momentNumber) }, isOperation: isOperation)
    }

    private static func isOperation(_ word: Substring) -> Bool {
        word.first?.isLetter == true && word.utf8.count <= FixtureLimits.operationBytes
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Returns the text of a moment with every number replaced by 1.
    static func momentShape(_ text: String) -> String {
        text.split(separator: " ").map { Int($0) == nil ? String($0) : "1" }.joined(separator: " ")
    }

    static func count(_ digits: Substring, upTo limit: Int) -> Int? {
        guard digits.utf8.allSatisfy(JSON5Escape.isDigit), let count = Int(digits) else { return nil }
        return (1...limit).contains(count) ? count : nil
    }

    /// Parses an unsigned decimal number at the start of `text`. Returns the number and the rest of the text.
    private static func decimal(_ text: String) -> (Double, rest: String)? {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count, JSON5Escape.isDigit(bytes[index]) { index += 1 }
        guard index > 0 else { return nil }
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), JSON5Escape.isDigit(bytes[index + 1]) {
            index += 1
            while index < bytes.count, JSON5Escape.isDigit(bytes[index]) { index += 1 }
        }
        guard index <= mostDigits + 1, let number = Double(String(decoding: bytes[..<index], as: UTF8.self))
        else {
            return nil
        }
        return (number, String(decoding: bytes[index...], as: UTF8.self))
    }
}

extension Pace.Unit {
    /// The unit's name in singular and plural, for use after a number; empty for `whole`.
    fileprivate var names: [String] { self == .whole ? [] : [String(rawValue.dropLast()), rawValue] }
}
