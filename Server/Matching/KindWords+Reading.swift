/// Value of an entity type in a message, and the index of the atom after it.
struct Reading: Equatable {
    var end: Int
    var value: String
}

extension KindWords {
    /// Returns the values of `kind` that begin at atom `start`, longest first; none for `words`.
    func readings(_ kind: SlotKind, at start: Int, in heard: PreparedMessage, bareTime: Bool) -> [Reading] {
        switch kind {
        case .word: return [Reading(end: heard.tokenEnd(start), value: "")]
        case .words: return []
        case .email:
            let token = heard.tokens[Int(heard.atoms[start].token)]
            return token.isEmail ? [Reading(end: Int(token.endAtom), value: heard.original(token))] : []
        case .phone: return phones(at: start, in: heard)
        case .code: return code(at: start, in: heard)
        case .number, .day, .time:
            guard mayStart(heard.atoms[start], in: heard),
                var reading = longest(
                    kind, at: start, limit: heard.atoms.count, in: heard, bareTime: bareTime)
            else { return [] }
            var result = [reading]
            while let shorter = longest(
                kind, at: start, limit: reading.end - 1, in: heard, bareTime: bareTime)
            {
                result.append(shorter)
                reading = shorter
            }
            return result
        }
    }

    private func longest(
        _ kind: SlotKind, at start: Int, limit: Int, in heard: PreparedMessage, bareTime: Bool
    ) -> Reading? {
        switch kind {
        case .day: longestDay(at: start, limit: limit, in: heard)
        case .time: longestTime(at: start, limit: limit, in: heard, bare: bareTime)
        default: longestNumber(at: start, limit: limit, in: heard)
        }
    }

    /// Returns the index after `words` if they begin at `start`; otherwise nil.
    func end(of words: [UInt64], at start: Int, limit: Int, in heard: PreparedMessage) -> Int? {
        guard start + words.count <= limit else { return nil }
        for (offset, hash) in words.enumerated() where heard.atoms[start + offset].hash != hash { return nil }
        return start + words.count
    }

    // MARK: Numbers

    private func longestNumber(at start: Int, limit: Int, in heard: PreparedMessage) -> Reading? {
        guard start < limit else { return nil }
        if let value = heard.writtenNumber(at: start), heard.tokenEnd(start) <= limit {
            let end = heard.tokenEnd(start)
            if let spoken = spokenNumber(at: start, limit: limit, in: heard), spoken.end > end {
                return Reading(end: spoken.end, value: String(spoken.value))
            }
            return Reading(end: end, value: value)
        }
        guard let spoken = spokenNumber(at: start, limit: limit, in: heard) else { return nil }
        return Reading(end: spoken.end, value: String(spoken.value))
    }

    /// Reads a number in words, such as "two hundred and five", "a dozen" or "3 thousand".
    private func spokenNumber(at start: Int, limit: Int, in heard: PreparedMessage) -> (value: Int, end: Int)?
    {
        for phrase in numberPhrases {
            if let end = end(of: phrase.words, at: start, limit: limit, in: heard), heard.endsToken(end) {
                return (phrase.value, end)
            }
        }
        var sum = NumberSum()
        var best: (value: Int, end: Int)?
        var index = start
        if one.value(of: heard.atoms[start], in: heard) != nil {
            sum.begin(1)
            index += 1
        } else if let written = heard.plainInteger(at: start), written < 1000 {
            guard start + 1 < limit, multipliers.value(of: heard.atoms[start + 1], in: heard) != nil else {
                return nil
            }
            sum.begin(written)
            index += 1
        }
        while index < limit {
            let atom = heard.atoms[index]
            if let number = numbers.value(of: atom, in: heard) {
                guard sum.add(number) else { break }
            } else if let factor = multipliers.value(of: atom, in: heard) {
                guard sum.multiply(by: factor) else { break }
            } else if atom.hash == and, sum.mayJoin {
                index += 1
                continue
            } else {
                break
            }
            index += 1
            if heard.endsToken(index) { best = (sum.value, index) }
        }
        return best
    }

    /// Reads a number below 100 in words, such as "seven" or "twenty five".
    func smallNumber(at start: Int, limit: Int, in heard: PreparedMessage) -> (value: Int, end: Int)? {
        guard start < limit, let first = numbers.value(of: heard.atoms[start], in: heard) else { return nil }
        if first >= 20, start + 1 < limit, let unit = numbers.value(of: heard.atoms[start + 1], in: heard),
            (1...9).contains(unit)
        {
            return (first + unit, start + 2)
        }
        return (first, start + 1)
    }

    // MARK: Telephone numbers and codes

    private func phones(at start: Int, in heard: PreparedMessage) -> [Reading] {
        var result: [Reading] = []
        var digits = ""
        var tokenIndex = Int(heard.atoms[start].token)
        let firstToken = tokenIndex
        while tokenIndex < heard.tokens.count {
            let token = heard.tokens[tokenIndex]
            if tokenIndex > firstToken, !heard.arePhoneSeparators(between: tokenIndex - 1) { break }
            guard heard.isPhonePart(token, mayHavePlus: tokenIndex == firstToken) else { break }
            let isTrunkZero =
                digits.hasPrefix("+") && token.end - token.start == 1
                && heard.scalars[Int(token.start)] == 0x30 && heard.scalars[Int(token.start) - 1] == 0x28
            if !isTrunkZero {
                for value in heard.scalars[Int(token.start)..<Int(token.end)] {
                    if let scalar = Unicode.Scalar(value), value == 0x2B || value &- 0x30 < 10 {
                        digits.unicodeScalars.append(scalar)
                    }
                }
            }
            let count = digits.utf8.count - (digits.hasPrefix("+") ? 1 : 0)
            if count > 15 { break }
            if count >= 7 { result.append(Reading(end: Int(token.endAtom), value: digits)) }
            tokenIndex += 1
        }
        return result.reversed()
    }

    private func code(at start: Int, in heard: PreparedMessage) -> [Reading] {
        let token = heard.tokens[Int(heard.atoms[start].token)]
        let last = heard.atoms[Int(token.endAtom) - 1]
        guard token.end == last.end, token.end - token.start <= MatchingLimits.kindCharacters else {
            return []
        }
        var value = ""
        var digits = 0
        var others = 0
        for scalar in heard.scalars[Int(heard.atoms[start].start)..<Int(last.end)] {
            switch scalar {
            case 0x30...0x39: digits += 1
            case 0x61...0x7A, 0x2D, 0x5F: others += 1
            default: return []
            }
            value.unicodeScalars.append(Unicode.Scalar(UInt8(scalar)))
        }
        guard digits > 0, others > 0 || digits >= 4 else { return [] }
        return [Reading(end: Int(token.endAtom), value: value.uppercased())]
    }
}

private struct NumberSum {
    private var thousands: Int?
    private var group: Int?
    private var isClosed = false

    var value: Int { (thousands ?? 0) + (group ?? 0) }

    /// Whether "and" may follow, as in "hundred and five".
    var mayJoin: Bool {
        if isClosed { return false }
        if let group { return group >= 100 && group % 100 == 0 }
        return thousands != nil
    }

    mutating func begin(_ number: Int) { group = number }

    mutating func add(_ number: Int) -> Bool {
        if isClosed { return false }
        guard let current = group else {
            if number == 0, thousands != nil { return false }
            group = number
            isClosed = number == 0
            return true
        }
        let rest = current % 100
        let fits = rest == 0 && current > 0 || (rest >= 20 && rest % 10 == 0 && number < 10)
        guard fits, number > 0 else { return false }
        group = current + number
        return true
    }

    mutating func multiply(by factor: Int) -> Bool {
        if isClosed { return false }
        switch factor {
        case 1000:
            guard thousands == nil, group != 0 else { return false }
            thousands = (group ?? 1) * 1000
            group = nil
        case 100:
            let current = group ?? 1
            guard current > 0, current < 100 else { return false }
            group = current * 100
        default:
            guard thousands == nil else { return false }
            group = (group ?? 1) * factor
            isClosed = true
        }
        return true
    }
}
