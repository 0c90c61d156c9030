extension KindWords {
    func longestTime(at start: Int, limit: Int, in heard: PreparedMessage, bare: Bool) -> Reading? {
        guard start < limit else { return nil }
        let found =
            clockWord(at: start, limit: limit, in: heard)
            ?? relativeTime(at: start, limit: limit, in: heard)
            ?? writtenTime(at: start, limit: limit, in: heard, bare: bare)
            ?? spokenTime(at: start, limit: limit, in: heard, bare: bare)
        guard let found, heard.endsToken(found.end) else { return nil }
        return found
    }

    private func clockWord(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        clockWords.value(of: heard.atoms[start], in: heard).map {
            Reading(end: start + 1, value: ClockTime.text(hour: $0 / 60, minute: $0 % 60))
        }
    }

    /// Reads "half past seven", "half seven", "quarter to 8" or "ten past noon".
    private func relativeTime(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        var index = start
        if one.value(of: heard.atoms[index], in: heard) != nil { index += 1 }
        guard index < limit else { return nil }
        var minutes: Int
        var mayOmitPast = false
        if let fraction = fractions.value(of: heard.atoms[index], in: heard) {
            minutes = fraction
            mayOmitPast = fraction == 30
            index += 1
        } else if let small = smallNumber(at: index, limit: limit, in: heard) {
            minutes = small.value
            index = small.end
        } else if let written = heard.plainInteger(at: index) {
            minutes = written
            index += 1
        } else {
            return nil
        }
        guard index < limit, (1...59).contains(minutes) else { return nil }
        if to.value(of: heard.atoms[index], in: heard) != nil {
            minutes = -minutes
            index += 1
        } else if past.value(of: heard.atoms[index], in: heard) != nil {
            index += 1
        } else if !mayOmitPast {
            return nil
        }
        guard index < limit else { return nil }
        if let clock = clockWords.value(of: heard.atoms[index], in: heard) {
            return Reading(end: index + 1, value: ClockTime.text(minutes: clock + minutes))
        }
        guard let hour = hour(at: index, limit: limit, in: heard) else { return nil }
        let half = halfOfDay(at: hour.end, limit: limit, in: heard)
        guard let full = ClockTime.hour(hour.value, isAfterNoon: half?.isAfterNoon) else { return nil }
        return Reading(end: half?.end ?? hour.end, value: ClockTime.text(minutes: full * 60 + minutes))
    }

    /// Reads `19:30`, `7.30pm`, `7pm`, `7 pm` or `7 o'clock`. With `bare`, also `7` and `1930`.
    private func writtenTime(at start: Int, limit: Int, in heard: PreparedMessage, bare: Bool) -> Reading? {
        let token = heard.tokens[Int(heard.atoms[start].token)]
        guard Int(token.endAtom) <= limit,
            let clock = ClockTime(heard.scalars[Int(token.start)..<Int(token.end)])
        else { return nil }
        var end = Int(token.endAtom)
        var isAfterNoon = clock.isAfterNoon
        if clock.needsM {
            guard end < limit, heard.atoms[end].hash == KindWords.letterM else { return nil }
            end += 1
        } else if isAfterNoon == nil, clock.hour <= 12, let half = halfOfDay(at: end, limit: limit, in: heard)
        {
            isAfterNoon = half.isAfterNoon
            end = half.end
        } else if clock.minute == nil, end < limit, oClock.value(of: heard.atoms[end], in: heard) != nil {
            end += 1
            if let half = halfOfDay(at: end, limit: limit, in: heard) {
                isAfterNoon = half.isAfterNoon
                end = half.end
            }
        } else if clock.minute == nil || clock.isRunTogether, isAfterNoon == nil, !bare {
            return nil
        }
        guard let hour = ClockTime.hour(clock.hour, isAfterNoon: isAfterNoon) else { return nil }
        return Reading(end: end, value: ClockTime.text(hour: hour, minute: clock.minute ?? 0))
    }

    /// Reads "seven pm", "seven thirty" or "seven o'clock". With `bare`, also "seven".
    private func spokenTime(at start: Int, limit: Int, in heard: PreparedMessage, bare: Bool) -> Reading? {
        guard let hour = smallNumber(at: start, limit: limit, in: heard) else { return nil }
        var end = hour.end
        var minute = 0
        var isTime = bare
        if end < limit, oClock.value(of: heard.atoms[end], in: heard) != nil {
            end += 1
            isTime = true
        } else if let minutes = smallNumber(at: end, limit: limit, in: heard),
            (10...59).contains(minutes.value)
        {
            minute = minutes.value
            end = minutes.end
            isTime = true
        }
        let half = halfOfDay(at: end, limit: limit, in: heard)
        guard isTime || half != nil, let full = ClockTime.hour(hour.value, isAfterNoon: half?.isAfterNoon)
        else { return nil }
        return Reading(end: half?.end ?? end, value: ClockTime.text(hour: full, minute: minute))
    }

    private func hour(at start: Int, limit: Int, in heard: PreparedMessage) -> (value: Int, end: Int)? {
        if let spoken = smallNumber(at: start, limit: limit, in: heard) {
            return spoken.value < 24 ? spoken : nil
        }
        if let written = heard.plainInteger(at: start), written < 24 { return (written, start + 1) }
        // The token may contain "am" or "pm", as in "half past 7pm".
        let token = heard.tokens[Int(heard.atoms[start].token)]
        guard Int(token.endAtom) <= limit,
            let clock = ClockTime(heard.scalars[Int(token.start)..<Int(token.end)]),
            clock.minute == nil, !clock.needsM,
            let hour = ClockTime.hour(clock.hour, isAfterNoon: clock.isAfterNoon)
        else { return nil }
        return (hour, Int(token.endAtom))
    }

    private static let letterA = hash("a")
    private static let letterP = hash("p")
    private static let letterM = hash("m")
    private static let beforeNoon = hash("am")
    private static let afterNoon = hash("pm")

    /// Reads "am", "p.m." or "in the evening".
    private func halfOfDay(at start: Int, limit: Int, in heard: PreparedMessage) -> (
        isAfterNoon: Bool, end: Int
    )? {
        guard start < limit else { return nil }
        let hash = heard.atoms[start].hash
        if hash == KindWords.afterNoon || hash == KindWords.beforeNoon {
            return (hash == KindWords.afterNoon, start + 1)
        }
        if hash == KindWords.letterP || hash == KindWords.letterA, start + 1 < limit,
            heard.atoms[start + 1].hash == KindWords.letterM
        {
            return (hash == KindWords.letterP, start + 2)
        }
        for tail in timeTails {
            if let end = end(of: tail.words, at: start, limit: limit, in: heard) { return (tail.value, end) }
        }
        return nil
    }
}

/// Time of day in one token: `7`, `7pm`, `19:30`, `7.30pm`, `19h30`, `1930`.
struct ClockTime {
    let hour: Int
    let minute: Int?
    let isAfterNoon: Bool?
    /// Whether the token ends in `a` or `p`, as in `7.30p.m.`. The next token must be `m`.
    let needsM: Bool
    /// Whether hour and minute are written without a separator, as in `1930`.
    let isRunTogether: Bool

    init?(_ text: ArraySlice<UInt32>) {
        guard text.count <= 7 else { return nil }
        var index = text.startIndex
        func number() -> (value: Int, length: Int) {
            let start = index
            var value = 0
            while index < text.endIndex, text[index] &- 0x30 < 10 {
                value = value * 10 + Int(text[index] - 0x30)
                index += 1
            }
            return (value, index - start)
        }
        let first = number()
        var minute: Int?
        var hour = first.value
        isRunTogether = first.length == 4
        switch first.length {
        case 4: (hour, minute) = (first.value / 100, first.value % 100)
        case 1, 2:
            if index < text.endIndex, [0x2E, 0x3A, 0x68].contains(text[index]) {
                index += 1
                let second = number()
                guard second.length == 2 || text[index - 1] == 0x68 && index == text.endIndex else {
                    return nil
                }
                minute = second.value
            }
        default: return nil
        }
        let rest = text[index...]
        switch (rest.first, rest.dropFirst().first, rest.count) {
        case (nil, _, _): (isAfterNoon, needsM) = (nil, false)
        case (0x61, 0x6D, 2): (isAfterNoon, needsM) = (false, false)
        case (0x70, 0x6D, 2): (isAfterNoon, needsM) = (true, false)
        case (0x61, _, 1): (isAfterNoon, needsM) = (false, true)
        case (0x70, _, 1): (isAfterNoon, needsM) = (true, true)
        default: return nil
        }
        guard hour < 24, minute ?? 0 < 60 else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// Returns the hour of the day, 0 to 23; nil for an impossible hour such as "13 pm".
    static func hour(_ hour: Int, isAfterNoon: Bool?) -> Int? {
        guard let isAfterNoon else { return (0..<24).contains(hour) ? hour : nil }
        guard (1...12).contains(hour) else { return nil }
        return hour % 12 + (isAfterNoon ? 12 : 0)
    }

    static func text(minutes: Int) -> String {
        let inDay = (minutes + 1440) % 1440
        return text(hour: inDay / 60, minute: inDay % 60)
    }

    static func text(hour: Int, minute: Int) -> String {
        (hour < 10 ? "0" : "") + String(hour) + (minute < 10 ? ":0" : ":") + String(minute)
    }
}
