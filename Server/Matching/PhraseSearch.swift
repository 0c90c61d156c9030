import Patterns

/// Depth-first search for a phrase in a message.
struct PhraseSearch {
    struct Capture {
        var slot: Int
        var value: String
    }

    private let elements: [Phrase.Element]
    private let phrase: Phrase.Compiled
    private let isWhole: Bool
    /// Captured values, from the last placeholder to the first.
    private(set) var captures: [Capture] = []
    /// Pairs of element and atom that the search has visited, with one bit per pair. Empty until the first placeholder.
    private var tried: [UInt64] = []

    init(_ phrase: Phrase.Compiled, isWhole: Bool) {
        self.phrase = phrase
        elements = phrase.elements
        self.isWhole = isWhole
    }

    mutating func run(_ heard: PreparedMessage, cost: inout MatchCost) -> Bool {
        if isWhole { return match(0, at: 0, heard, &cost) }
        switch elements[0] {
        case .word(let first):
            for (index, atom) in heard.atoms.enumerated()
            where atom.hash == first.hash || atom.joinedHash == first.hash {
                if match(0, at: index, heard, &cost) { return true }
                if cost.isExhausted { return false }
            }
        case .elision, .gap, .choice:
            for index in heard.atoms.indices {
                if match(0, at: index, heard, &cost) { return true }
                if cost.isExhausted { return false }
            }
        }
        return false
    }

    private mutating func match(
        _ first: Int, at start: Int, _ heard: PreparedMessage, _ cost: inout MatchCost
    ) -> Bool {
        var element = first
        var place = start
        while element < elements.count {
            guard cost.spend() else { return false }
            switch elements[element] {
            case .word(let word):
                guard let next = end(of: word, at: place, heard) else { return false }
                place = next
            case .elision(let word, let second, let joined):
                guard let next = endOfElision(word, second, joined, at: place, heard) else { return false }
                place = next
            case .gap(let slot, let kind, let bareTime):
                guard heard.startsToken(place), firstVisit(element, place, isInside: false, heard) else {
                    return false
                }
                if kind == .words { return matchWords(slot, element, at: place, heard, &cost) }
                for reading in phrase.words.readings(kind, at: place, in: heard, bareTime: bareTime) {
                    guard match(element + 1, at: reading.end, heard, &cost) else { continue }
                    let value = kind == .word ? heard.original(atoms: place..<reading.end) : reading.value
                    captures.append(Capture(slot: slot, value: value))
                    return true
                }
                return false
            case .choice(let slot, let kind):
                guard heard.startsWord(place), firstVisit(element, place, isInside: false, heard) else {
                    return false
                }
                for reading in kind.readings(at: place, in: heard) {
                    guard match(element + 1, at: reading.end, heard, &cost) else { continue }
                    captures.append(Capture(slot: slot, value: reading.value))
                    return true
                }
                return false
            }
            element += 1
        }
        return place == heard.atoms.count || !isWhole && !heard.isInsideContraction(place)
    }

    private mutating func matchWords(
        _ slot: Int, _ element: Int, at start: Int, _ heard: PreparedMessage, _ cost: inout MatchCost
    ) -> Bool {
        var end = element == elements.count - 1 ? heard.atoms.count : heard.tokenEnd(start)
        while true {
            // If the search has visited this position, it has failed from here before.
            guard cost.spend(), firstVisit(element, end, isInside: true, heard) else { return false }
            if match(element + 1, at: end, heard, &cost) {
                captures.append(Capture(slot: slot, value: heard.original(atoms: start..<end)))
                return true
            }
            guard end < heard.atoms.count, !cost.isExhausted else { return false }
            end = heard.tokenEnd(end)
        }
    }

    private mutating func firstVisit(_ element: Int, _ place: Int, isInside: Bool, _ heard: PreparedMessage)
        -> Bool
    {
        let columns = heard.atoms.count + 1
        let bit = (element * 2 + (isInside ? 1 : 0)) * columns + place
        if tried.isEmpty { tried = [UInt64](repeating: 0, count: (elements.count * 2 * columns + 63) / 64) }
        let mask: UInt64 = 1 << UInt64(bit % 64)
        if tried[bit / 64] & mask != 0 { return false }
        tried[bit / 64] |= mask
        return true
    }

    private func end(of word: Phrase.Word, at place: Int, _ heard: PreparedMessage) -> Int? {
        guard place < heard.atoms.count else { return nil }
        let atom = heard.atoms[place]
        if atom.hash == word.hash {
            return heard.spelling(of: atom).elementsEqual(word.letters) ? place + 1 : nil
        }
        // "l'addition" has two atoms in the message, and the phrase has the word "laddition".
        return atom.joinedHash == word.hash && place + 1 < heard.atoms.count ? place + 2 : nil
    }

    private func endOfElision(
        _ word: Phrase.Word, _ second: Phrase.Word, _ joined: UInt64, at place: Int, _ heard: PreparedMessage
    ) -> Int? {
        guard place < heard.atoms.count else { return nil }
        if heard.atoms[place].hash == joined { return place + 1 }
        guard let next = end(of: word, at: place, heard) else { return nil }
        return end(of: second, at: next, heard)
    }
}
