extension KindWords {
    func longestDay(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        guard start < limit else { return nil }
        if dayPrefixes.value(of: heard.atoms[start], in: heard) != nil {
            guard start + 1 < limit, heard.startsToken(start + 1) else { return nil }
            return plainDay(at: start + 1, limit: limit, in: heard)
        }
        return plainDay(at: start, limit: limit, in: heard)
    }

    private func plainDay(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        guard let day = dayParts(at: start, limit: limit, in: heard) else { return nil }
        return heard.endsToken(day.end) ? day : nil
    }

    private func dayParts(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        for phrase in dayPhrases {
            if let end = end(of: phrase.words, at: start, limit: limit, in: heard) {
                return withPart(Reading(end: end, value: phrase.value), limit: limit, in: heard)
            }
        }
        let token = heard.tokens[Int(heard.atoms[start].token)]
        if Int(token.endAtom) <= limit, let date = heard.writtenDate(token) {
            return Reading(end: Int(token.endAtom), value: date)
        }
        if let weekday = weekday(at: start, limit: limit, in: heard) {
            if let date = date(at: weekday.end, limit: limit, in: heard) {
                return Reading(end: date.end, value: weekday.value + " " + date.value)
            }
            return withPart(weekday, limit: limit, in: heard)
        }
        return date(at: start, limit: limit, in: heard)
    }

    /// Reads "Friday" or "next Friday".
    private func weekday(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        if let name = weekdays.value(of: heard.atoms[start], in: heard) {
            return Reading(end: start + 1, value: name)
        }
        guard start + 1 < limit, let lead = dayLeads.value(of: heard.atoms[start], in: heard),
            let name = weekdays.value(of: heard.atoms[start + 1], in: heard)
        else { return nil }
        return Reading(end: start + 2, value: lead + " " + name)
    }

    private func withPart(_ day: Reading, limit: Int, in heard: PreparedMessage) -> Reading {
        guard day.end < limit, let part = partsOfDay.value(of: heard.atoms[day.end], in: heard) else {
            return day
        }
        return Reading(end: day.end + 1, value: day.value + " " + part)
    }

    /// Reads a date: "5 May", "the 5th of May 2026", "May 5th" or "the 5th".
    private func date(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        guard start < limit else { return nil }
        if let month = months.value(of: heard.atoms[start], in: heard) {
            var next = start + 1
            if next < limit, heard.atoms[next].hash == the { next += 1 }
            guard let day = dayOfMonth(at: next, limit: limit, in: heard), heard.endsToken(day.end) else {
                return nil
            }
            return withYear(Reading(end: day.end, value: "\(day.value) \(month)"), limit: limit, in: heard)
        }
        let hasArticle = heard.atoms[start].hash == the
        let first = hasArticle ? start + 1 : start
        guard let day = dayOfMonth(at: first, limit: limit, in: heard) else { return nil }
        var next = day.end
        if next < limit, heard.atoms[next].hash == of { next += 1 }
        if next < limit, let month = months.value(of: heard.atoms[next], in: heard) {
            return withYear(Reading(end: next + 1, value: "\(day.value) \(month)"), limit: limit, in: heard)
        }
        guard hasArticle, day.isOrdinal else { return nil }
        return Reading(end: day.end, value: "the \(day.value)\(ordinalEnding(day.value))")
    }

    private func withYear(_ date: Reading, limit: Int, in heard: PreparedMessage) -> Reading {
        guard date.end < limit, let year = heard.plainInteger(at: date.end), (1900...2199).contains(year)
        else { return date }
        return Reading(end: date.end + 1, value: "\(date.value) \(year)")
    }

    private func dayOfMonth(
        at start: Int, limit: Int, in heard: PreparedMessage
    ) -> (value: Int, isOrdinal: Bool, end: Int)? {
        guard start < limit else { return nil }
        let atom = heard.atoms[start]
        if let value = heard.plainInteger(at: start), (1...31).contains(value) {
            return (value, false, start + 1)
        }
        if let value = ordinals.value(of: atom, in: heard) { return (value, true, start + 1) }
        if let tens = numbers.value(of: atom, in: heard), tens == 20 || tens == 30, start + 1 < limit,
            let unit = ordinals.value(of: heard.atoms[start + 1], in: heard), unit < 10, tens + unit <= 31
        {
            return (tens + unit, true, start + 2)
        }
        let word = heard.spelling(of: atom)
        guard word.count <= 5, word.count > 2 else { return nil }
        let text = heard.word(start)
        guard let ending = ordinalEndings.first(where: { text.hasSuffix($0) }),
            let value = Int(text.dropLast(ending.count)), (1...31).contains(value)
        else { return nil }
        return (value, true, start + 1)
    }

    private func ordinalEnding(_ day: Int) -> String {
        guard ordinalEndings.count == 4, !(11...13).contains(day) else { return ordinalEndings.last ?? "" }
        return ordinalEndings[(1...3).contains(day % 10) ? day % 10 - 1 : 3]
    }
}

extension PreparedMessage {
    /// Returns a date in digits as written: `2026-05-05`, `5/5`, `5/5/26` or `5.5.2026`. Nil for other tokens.
    func writtenDate(_ token: Token) -> String? {
        let range = Int(token.start)..<Int(token.end)
        guard range.count <= 10, range.count >= 3 else { return nil }
        var parts: [Int] = []
        var lengths: [Int] = []
        var separator: UInt32 = 0
        var start = range.lowerBound
        for index in range where index == range.upperBound - 1 || scalars[index] &- 0x30 >= 10 {
            let isLast = index == range.upperBound - 1
            guard let part = integer(start..<(isLast ? index + 1 : index)) else { return nil }
            parts.append(part)
            lengths.append((isLast ? index + 1 : index) - start)
            if isLast { break }
            if separator != 0, separator != scalars[index] { return nil }
            separator = scalars[index]
            start = index + 1
        }
        let isDate: Bool
        switch (separator, parts.count) {
        case (0x2D, 3): isDate = lengths == [4, 2, 2] && areMonthAndDay(parts[1], parts[2])
        case (0x2F, 2): isDate = areMonthAndDay(parts[0], parts[1]) || areMonthAndDay(parts[1], parts[0])
        case (0x2F, 3):
            isDate =
                (lengths[2] == 2 || lengths[2] == 4)
                && (areMonthAndDay(parts[0], parts[1]) || areMonthAndDay(parts[1], parts[0]))
        case (0x2E, 3): isDate = lengths[2] == 4 && areMonthAndDay(parts[1], parts[0])
        default: isDate = false
        }
        return isDate ? original(token) : nil
    }

    private func areMonthAndDay(_ month: Int, _ day: Int) -> Bool {
        (1...12).contains(month) && (1...31).contains(day)
    }
}
