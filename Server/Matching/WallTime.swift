package import Clocks

/// Time of day, such as "21:00", or time of the week, such as "Monday 21:00".
package struct WallTime: Equatable, Sendable {
    /// Names of weekdays. Monday is 0 (ISO 8601).
    package static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    package var weekday: Int?
    package var minute: Int

    package init(weekday: Int? = nil, minute: Int) {
        self.weekday = weekday
        self.minute = minute
    }

    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, let minute = Self.minute(last), minute < 1_440 else {
            return nil
        }
        self.minute = minute
        if parts.count == 2 {
            guard let weekday = Self.weekdays.firstIndex(of: String(parts[0])) else { return nil }
            self.weekday = weekday
        }
    }

    package var text: String { (weekday.map { Self.weekdays[$0] + " " } ?? "") + Self.text(ofMinute: minute) }

    /// Parses `21:00` or `9:00` to minutes after midnight, up to 1440 for `24:00`.
    package static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), hour <= 24, minute < 60, hour < 24 || minute == 0
        else { return nil }
        return hour * 60 + minute
    }

    package static func text(ofMinute minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}

/// Part of a day or week, such as 17:00 to 22:00 on Fridays.
package struct Hours: Equatable, Sendable {
    /// Start in minutes after midnight. The end `to` is excluded; unless later than `from`, it is on the next day.
    package var from: Int
    package var to: Int
    /// Days on which the hours begin (``WallTime/weekdays``); empty for every day.
    package var days: [Int]

    package init(from: Int = 0, to: Int = 1_440, days: [Int] = []) {
        self.from = from
        self.to = to
        self.days = days
    }

    package func contains(_ time: LocalTime) -> Bool {
        if from < to { return (from..<to).contains(time.minute) && begins(on: time.weekday) }
        if time.minute >= from { return begins(on: time.weekday) }
        return time.minute < to && begins(on: (time.weekday + 6) % 7)
    }

    private func begins(on weekday: Int) -> Bool { days.isEmpty || days.contains(weekday) }

    package var description: String {
        let times = "\(WallTime.text(ofMinute: from)) to \(WallTime.text(ofMinute: to))"
        if days.isEmpty { return times }
        return times + " on " + days.map { WallTime.weekdays[$0] }.joined(separator: " or ")
    }
}

/// Weekday and time of day of an instant.
package struct LocalTime: Equatable, Sendable {
    package let weekday: Int
    package let minute: Int

    package init(_ instant: Instant, shift: Int) {
        let seconds = instant.secondsSince1970 + Int64(shift)
        let second = (seconds % 86_400 + 86_400) % 86_400
        let day = (seconds - second) / 86_400
        // 1970-01-01 was a Thursday.
        weekday = Int(((day + 3) % 7 + 7) % 7)
        minute = Int(second / 60)
    }

    package var text: String { WallTime.text(ofMinute: minute) }

    /// Returns the UTC offset, in seconds, of a clock that shows `time` at `instant`. If `time` has a weekday, the
    /// clock shows today or the next such day. `zone` is the clock's own offset in seconds.
    package static func shift(to time: WallTime, at instant: Instant, from zone: Int) -> Int {
        let now = LocalTime(instant, shift: zone)
        let seconds = Int(((instant.secondsSince1970 + Int64(zone)) % 60 + 60) % 60)
        let days = time.weekday.map { ($0 - now.weekday + 7) % 7 } ?? 0
        return zone + days * 86_400 + (time.minute - now.minute) * 60 - seconds
    }
}
