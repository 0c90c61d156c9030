import Texts

extension ChatModel {
    mutating func add(_ item: ChatItem) -> Int {
        items.append(item)
        return items.count - 1
    }

    /// Inserts the row of an item after all rows with an equal or lower `order`.
    mutating func place(_ slot: Int) {
        placeCount += 1
        (items[slot].isPlaced, items[slot].placed) = (true, placeCount)
        let index = rows.indices.firstPlace { isBehind(rows[$0].slot, slot) }
        if items[slot].speaker != nil {
            spoken.insert(slot, at: spoken.firstPlace { isBehind($0, slot) })
        }
        rows.insert(
            ChatRow(id: items[slot].id, content: items[slot].content, at: items[slot].at, slot: slot),
            at: index)
        rows[index] = made(at: index)
        effects.append(.rows(.inserted(rows[index], at: index)))
        spoilNeighbours(of: index)
    }

    mutating func removeRow(_ slot: Int) {
        guard let index = index(of: slot) else { return }
        if items[slot].speaker != nil {
            let place = spoken.firstPlace { !isBehind(slot, $0) }
            if place < spoken.count, spoken[place] == slot { spoken.remove(at: place) }
        }
        items[slot].isPlaced = false
        rows.remove(at: index)
        effects.append(.rows(.removed(at: index)))
        spoilNeighbours(of: index - 1)
    }

    /// Moves a row to another position and time.
    mutating func reorder(_ slot: Int, to order: Int, at time: Milliseconds) {
        guard order != items[slot].order else { return }
        let isPlaced = items[slot].isPlaced
        if isPlaced { removeRow(slot) }
        items[slot].order = order
        items[slot].at = time
        if isPlaced { place(slot) }
    }

    mutating func setMark(_ slot: Int?) {
        guard mark != slot else { return }
        for each in [mark, slot] {
            guard let each else { continue }
            stale.append(each)
            if let index = index(of: each), index > 0 { stale.append(rows[index - 1].slot) }
        }
        mark = slot
        markUntil = nil
    }

    mutating func refreshStale() {
        for slot in stale {
            guard let index = index(of: slot) else { continue }
            let row = made(at: index)
            guard row != rows[index] else { continue }
            rows[index] = row
            effects.append(.rows(.updated(row, at: index)))
        }
        stale = []
    }

    /// Marks the rows around this index as stale: their group position and time divider may have changed.
    private mutating func spoilNeighbours(of index: Int) {
        for each in [index - 1, index] where each >= 0 { stale.append(rows[each].slot) }
        let next = index < 0 ? 0 : spoken.firstPlace { isBehind($0, rows[index].slot) }
        if next < spoken.count { stale.append(spoken[next]) }
    }

    private func made(at index: Int) -> ChatRow {
        let slot = rows[index].slot
        let item = items[slot]
        var row = ChatRow(id: item.id, content: item.content, at: item.at, slot: slot)
        guard item.speaker != nil else { return row }
        let place = spoken.firstPlace { !isBehind(slot, $0) }
        let before = place > 0 ? items[spoken[place - 1]] : nil
        row.hasTimeDivider =
            before.map { item.at - $0.at > Times.group || day($0.at) != day(item.at) } ?? true
        row.hasUnreadDivider = mark == slot
        let isUp = index > 0 && isTogether(rows[index - 1].slot, slot)
        let isDown = index + 1 < rows.count && isTogether(slot, rows[index + 1].slot)
        row.position = isUp ? (isDown ? .middle : .last) : isDown ? .first : .single
        return row
    }

    private func isTogether(_ first: Int, _ second: Int) -> Bool {
        guard mark != second, let upper = items[first].message, let lower = items[second].message else {
            return false
        }
        let times = (items[first].at, items[second].at)
        return upper.speaker == lower.speaker && upper.name == lower.name
            && abs(times.1 - times.0) <= Times.group && day(times.0) == day(times.1)
    }

    private func day(_ at: Milliseconds) -> Int64 {
        DayAge.day(at, secondsFromUTC: options.secondsFromUTC)
    }

    private func isBehind(_ slot: Int, _ other: Int) -> Bool {
        items[slot].order != items[other].order
            ? items[slot].order > items[other].order : items[slot].placed > items[other].placed
    }

    private func index(of slot: Int) -> Int? {
        guard items[slot].isPlaced else { return nil }
        let index = rows.indices.firstPlace { !isBehind(slot, rows[$0].slot) }
        return index < rows.count && rows[index].slot == slot ? index : nil
    }
}

/// Age of a day, for the form of the day's label.
public enum DayAge: String, Equatable, Sendable {
    /// Today or later.
    case today
    case yesterday
    /// Two to six days ago: shown as a weekday.
    case week
    case year
    case old

    /// Makes the age of the day of `at` at the time `now`. `secondsFromUTC` is the offset of the user's time zone.
    public init(
        of at: Milliseconds, seenFrom now: Milliseconds,
        secondsFromUTC: (Milliseconds) -> Int = { _ in 0 }
    ) {
        let (day, today) = (
            Self.day(at, secondsFromUTC: secondsFromUTC), Self.day(now, secondsFromUTC: secondsFromUTC)
        )
        self =
            switch today - day {
            case ..<1: .today
            case 1: .yesterday
            case 2...6: .week
            default: Self.year(day) == Self.year(today) ? .year : .old
            }
    }

    static func day(_ at: Milliseconds, secondsFromUTC: (Milliseconds) -> Int) -> Int64 {
        let local = at.addingReportingOverflow(Int64(secondsFromUTC(at)) * 1_000).partialValue
        return local >= 0 ? local / 86_400_000 : -((-local + 86_399_999) / 86_400_000)
    }

    /// Returns the Gregorian year of a day, given as days since 1970-01-01.
    private static func year(_ day: Int64) -> Int64 {
        // Days since 0000-03-01. Years begin in March here, so a leap day is the last day of its year.
        let days = day + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        return yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
    }
}
