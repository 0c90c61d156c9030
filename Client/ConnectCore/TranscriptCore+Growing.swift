import Clocks

extension TranscriptCore {
    /// Fragments of a long message that are not yet in its row.
    struct Tail: Sendable {
        var id: String
        var text = ""
        var chunk: Int64
        var frame: [UInt8] = []
        var due: Instant
    }

    /// Returns whether the caller must add the fragment now. Otherwise the fragment is collected here, to save copies
    /// of a long text, or is dropped as out of order.
    mutating func takesAtOnce(
        _ chunk: Int64, of item: WireItem, _ old: TranscriptRow, at now: Instant
    ) -> Bool {
        let place = tails.firstIndex { $0.id == old.id }
        let next = (place.map { tails[$0].chunk } ?? old.chunk).addingReportingOverflow(1)
        guard !next.overflow, chunk == next.partialValue else { return false }
        guard old.text.utf8.count >= ConnectLimits.grownAtOnce else { return true }
        if place == nil {
            if tails.count == ConnectLimits.growingRows { grow(tails.removeFirst()) }
            tails.append(Tail(id: old.id, chunk: chunk, due: now + ConnectLimits.growthPause))
        }
        let last = place ?? tails.count - 1
        tails[last].text += item.content
        (tails[last].chunk, tails[last].frame) = (chunk, item.frame)
        if tails[last].text.utf8.count >= old.text.utf8.count / 16 { grow(tails.remove(at: last)) }
        return false
    }

    mutating func growDue(at now: Instant) {
        let due = tails.filter { $0.due <= now }
        tails.removeAll { $0.due <= now }
        for tail in due { grow(tail) }
    }

    private mutating func grow(_ tail: Tail) {
        guard let old = row(tail.id), !old.isComplete else { return }
        var row = old
        row.text += tail.text
        (row.chunk, row.frame) = (tail.chunk, tail.frame)
        replace(old, row)
    }
}
