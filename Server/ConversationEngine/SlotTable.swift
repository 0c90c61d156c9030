/// The places of an engine's sessions. It grows by pieces: an array would copy all sessions to double its room, and
/// a half-empty room of a megabyte and more would stay.
struct SlotTable: RandomAccessCollection, MutableCollection, Sendable {
    /// 64 sessions, some thirty kilobytes.
    private static let shift = 6
    private static let mask = 1 << shift - 1

    private var pieces: [[ConversationEngine.Slot]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> ConversationEngine.Slot {
        _read { yield pieces[index >> Self.shift][index & Self.mask] }
        _modify { yield &pieces[index >> Self.shift][index & Self.mask] }
    }

    mutating func append(_ slot: ConversationEngine.Slot) {
        if count & Self.mask == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.mask + 1)
        }
        pieces[pieces.count - 1].append(slot)
        count += 1
    }
}
