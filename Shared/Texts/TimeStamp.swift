/// Converter of nanoseconds since 1970 (UTC) and timestamps of RFC 3339, a profile of ISO 8601.
package enum TimeStamp {
    private static let secondsPerDay: Int64 = 86_400

    /// Appends a timestamp in UTC with three fraction digits: `2026-01-15T09:30:00.000Z`
    /// (protocol.md#timestamp-digits).
    package static func write(nanoseconds: Int64, into bytes: inout [UInt8]) {
        ByteRoom.append(atMost: length, to: &bytes) {
            $0.write(atMost: length) { write(nanoseconds: nanoseconds, to: $0) }
        }
    }

    /// Bytes of a written timestamp.
    package static let length = 24

    /// Writes a timestamp like ``write(nanoseconds:into:)``. Returns its length.
    package static func write(nanoseconds: Int64, to room: UnsafeMutableRawBufferPointer) -> Int {
        precondition(room.count >= length)
        let (seconds, rest) = floorDivide(nanoseconds, 1_000_000_000)
        let (days, second) = floorDivide(seconds, secondsPerDay)
        let date = civil(days: days)
        pair(date.year / 100, to: room, at: 0)
        pair(date.year % 100, to: room, at: 2)
        room[4] = UInt8(ascii: "-")
        pair(date.month, to: room, at: 5)
        room[7] = UInt8(ascii: "-")
        pair(date.day, to: room, at: 8)
        room[10] = UInt8(ascii: "T")
        pair(second / 3_600, to: room, at: 11)
        room[13] = UInt8(ascii: ":")
        pair(second / 60 % 60, to: room, at: 14)
        room[16] = UInt8(ascii: ":")
        pair(second % 60, to: room, at: 17)
        room[19] = UInt8(ascii: ".")
        let milliseconds = rest / 1_000_000
        room[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: milliseconds / 100)
        pair(milliseconds % 100, to: room, at: 21)
        room[23] = UInt8(ascii: "Z")
        return length
    }

    package static func text(nanoseconds: Int64) -> String {
        var bytes: [UInt8] = []
        write(nanoseconds: nanoseconds, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a date and time that ends with `Z` or an offset. A fraction is optional (RFC 3339 §5.6).
    ///
    /// - Returns: nanoseconds since 1970. Nil for any other text, and for a time that does not fit into 64 bits (before
    ///   September 1677 or after April 2262).
    package static func parse(_ text: String) -> Int64? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.consume("-"), let month = reader.number(2),
            reader.consume("-"),
            let day = reader.number(2), reader.consume("T") || reader.consume("t"),
            let hour = reader.number(2), reader.consume(":"), let minute = reader.number(2),
            reader.consume(":"),
            let second = reader.number(2)
        else { return nil }
        guard 1...12 ~= month, 1...daysIn(month, of: year) ~= day, hour < 24, minute < 60, second <= 60 else {
            return nil  // 60 is a leap second (RFC 3339 §5.7)
        }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else {
            return nil
        }
        let seconds =
            days(year: year, month: month, day: day) * secondsPerDay + hour * 3_600 + minute * 60 + second
            - offset
        let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFarBehind) = product.addingReportingOverflow(fraction)
        return isTooFar || isTooFarBehind ? nil : sum
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
            index += 1
            return true
        }

        mutating func digit() -> Int64? {
            guard index < bytes.count, 0x30...0x39 ~= bytes[index] else { return nil }
            index += 1
            return Int64(bytes[index - 1]) - 0x30
        }

        mutating func number(_ count: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Reads a fraction of a second in nanoseconds: 0 if absent, nil if no digit follows the point. Ignores digits
        /// after the ninth.
        mutating func fraction() -> Int64? {
            guard consume(".") else { return 0 }
            var scale: Int64 = 100_000_000
            var sum: Int64 = 0
            let start = index
            while let digit = digit() {
                sum += digit * scale
                scale /= 10
            }
            return index > start ? sum : nil
        }

        /// Reads the offset in seconds east of UTC.
        mutating func offset() -> Int64? {
            if consume("Z") || consume("z") { return 0 }
            let sign: Int64
            if consume("+") { sign = 1 } else if consume("-") { sign = -1 } else { return nil }
            guard let hours = number(2), hours < 24 else { return nil }
            _ = consume(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }

    // MARK: Calendar. Years are counted from March, so that the leap day is the last day of a year.

    private static let daysPerEra: Int64 = 146_097  // 400 Gregorian years
    private static let daysToEpoch: Int64 = 719_468  // from 0000-03-01 to 1970-01-01

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysToEpoch
    }

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + daysToEpoch, daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    private static func pair(_ number: Int64, to room: UnsafeMutableRawBufferPointer, at offset: Int) {
        let number = UInt32(truncatingIfNeeded: number)
        room[offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
        room[offset + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
    }
}
