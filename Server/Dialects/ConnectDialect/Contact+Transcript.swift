import Clocks

struct TranscriptPage {
    enum Direction: String, CaseIterable {
        case forward = "FORWARD"
        case backward = "BACKWARD"
    }

    enum Order: String, CaseIterable {
        case ascending = "ASCENDING"
        case descending = "DESCENDING"
    }

    /// Index of an item in the whole transcript. This contact's items count up from 0, and those of the contacts it
    /// continues count down from -1.
    typealias Place = Int

    enum Start: Equatable {
        case newest
        case item(UniqueID)
        case past(UniqueID)
        case time(Instant)
        case mostRecent(Int)
        /// The id is not a UUID: the page is empty.
        case nowhere
    }

    enum Reach: Equatable {
        case all
        /// Only this contact, without the contacts that it continues.
        case present
        case segment(String)

        var word: String {
            switch self {
            case .all: ""
            case .present: " -"
            case .segment(let contact): " " + contact
            }
        }
    }

    var start = Start.newest
    var reach = Reach.all
    var direction = Direction.backward
    var order = Order.descending
    var limit = 10

    /// Continues from a `NextToken`. Returns false if the token is malformed or of another direction.
    mutating func goOn(from pass: BearerToken, asked: Direction?) -> Bool {
        // The token has an item's id instead of an index, because a late item changes indices.
        let words = pass.detail.split(separator: " ")
        guard let known = words.first.flatMap({ Direction(rawValue: String($0)) }), asked ?? known == known
        else { return false }
        direction = known
        guard words.count > 1, let id = UniqueID(String(words[1])) else { return false }
        start = pass.party < 0 ? .past(id) : .item(id)
        if words.count > 2 { reach = words[2] == "-" ? .present : .segment(String(words[2])) }
        return true
    }

    func takes(_ item: Item) -> Bool {
        if case .segment(let contact) = reach, item.contact != contact { return false }
        return !item.isPending
    }
}

extension Contact {
    func pass(
        to place: TranscriptPage.Place, after page: TranscriptPage, of contact: String, at now: Instant
    ) -> BearerToken {
        let past = start.continued?.items ?? []
        let item = place < 0 ? past[past.count + place] : items[place]
        return BearerToken(
            kind: .page, contact: contact, party: place < 0 ? -1 : 0,
            detail: "\(page.direction.rawValue) \(item.id.text)\(page.reach.word)", issued: now)
    }

    func page(_ page: TranscriptPage) -> (items: [UInt8], next: TranscriptPage.Place?) {
        let (places, next) = places(of: page)
        var bytes: [UInt8] = []
        for place in places {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            write(place, into: &bytes)
        }
        return (bytes, next)
    }

    func places(of page: TranscriptPage) -> (places: [TranscriptPage.Place], next: TranscriptPage.Place?) {
        guard let first = place(of: page) else { return ([], nil) }
        var places: [Int] = []
        var place = first
        var next: Int?
        let isPast = first < 0
        while true {
            guard holds(place, isPast: isPast) else {
                // When going backward, the last item of the earlier contacts follows this contact's first item.
                if page.direction == .backward, page.reach == .all, !isPast, hasPast { next = -1 }
                break
            }
            if isPast || page.takes(items[place]) {
                guard places.count < page.limit else {
                    next = place
                    break
                }
                places.append(place)
            }
            place += page.direction == .forward ? 1 : -1
        }
        let isBackward = page.direction == .backward
        if isBackward == (page.order == .ascending) { places.reverse() }
        return (places, next)
    }

    private var hasPast: Bool { start.continued?.items.isEmpty == false }

    private func holds(_ place: Int, isPast: Bool) -> Bool {
        isPast ? -place <= start.continued?.items.count ?? 0 && place < 0 : items.indices.contains(place)
    }

    private func place(of page: TranscriptPage) -> Int? {
        let isForward = page.direction == .forward
        switch page.start {
        case .nowhere: return nil
        case .newest:
            if isForward { return nil }
            return items.isEmpty && hasPast && page.reach == .all ? -1 : items.count - 1
        case .mostRecent(let count):
            var (place, left) = (items.count, count)
            while place > 0, left > 0 {
                place -= 1
                if page.takes(items[place]) { left -= 1 }
            }
            return place
        case .time(let time):
            let first = items.firstIndex { $0.time >= time }
            if isForward { return first ?? items.count }
            return items.lastIndex { $0.time <= time }
        case .past(let id):
            let past = start.continued?.items ?? []
            guard page.reach == .all, let place = past.firstIndex(where: { $0.id == id }) else { return nil }
            return place - past.count
        case .item(let id):
            let place = items.place(of: id)
            if place < items.count, items[place].id == id { return place }
            guard passing.contains(id) else { return nil }
            return isForward ? place : place == 0 ? nil : place - 1
        }
    }

    private func write(_ place: Int, into bytes: inout [UInt8]) {
        if place >= 0 {
            let item = items[place]
            ItemWriter.write(item, for: .transcript(receipts: receipts[item.id] ?? []), into: &bytes)
        } else if let past = start.continued?.items {
            ItemWriter.write(past[past.count + place], for: .past, into: &bytes)
        }
    }

    /// Returns the transcript up to the last item of the contact id `segment`.
    func past(through segment: String) -> [Item] {
        let later = Set((formerly + [current]).drop { $0 != segment }.dropFirst())
        let own = items.filter { !$0.isPending && !later.contains($0.contact) }
        return Continued.latest((start.continued?.items ?? []) + own)
    }
}

extension UniqueID {
    /// Parses a UUID in canonical form.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        self.init(high: high, low: low)
    }
}
