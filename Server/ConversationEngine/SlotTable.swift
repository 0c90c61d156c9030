import Clocks

/// Storage of sessions in blocks. A single array for all sessions would copy them whenever it grows.
struct SlotTable: RandomAccessCollection, MutableCollection, Sendable {
    /// A block has 64 sessions.
    private static let shift = 6
    private static let mask = 1 << shift - 1

    private var pieces: [[ConversationEngine.Slot]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    /// Inlined always, because a call would allocate the coroutine's frame.
    subscript(index: Int) -> ConversationEngine.Slot {
        @inline(__always) _read { yield pieces[index >> Self.shift][index & Self.mask] }
        @inline(__always) _modify { yield &pieces[index >> Self.shift][index & Self.mask] }
    }

    /// Reads a slot in place. An array's subscript would copy it: 14 copies or 18,600 instructions per run.
    @inline(__always)
    func read<Result>(_ index: Int, _ body: (borrowing ConversationEngine.Slot) -> Result) -> Result {
        pieces[index >> Self.shift].withUnsafeBufferPointer { body($0[index & Self.mask]) }
    }

    /// Changes a slot in place, without the coroutine frame that a `_modify` accessor of another file allocates.
    @inline(__always)
    mutating func update<Result>(_ index: Int, _ body: (inout ConversationEngine.Slot) -> Result) -> Result {
        body(&pieces[index >> Self.shift][index & Self.mask])
    }

    /// Passes an input to a session. A closure would copy the input, which costs 760 instructions per message.
    mutating func receive(
        _ index: Int, _ input: borrowing ClientInput, mark: UInt32, from connection: ConnectionID,
        isDue: Bool,
        at now: Instant, _ outbox: inout [Effect]
    ) -> Conversation.Outcome? {
        pieces[index >> Self.shift][index & Self.mask].conversation?.receiveInTurn(
            input, mark: mark, from: connection, isDue: isDue, at: now, &outbox)
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

/// Queue of ended sessions.
struct EndedSessions: Sendable {
    private var listed: [SessionHandle] = []
    private var head = 0

    var handles: ArraySlice<SessionHandle> { listed[head...] }
    var first: SessionHandle? { head < listed.count ? listed[head] : nil }

    /// Whether at least half of the entries are removed sessions. `held` is the number of sessions.
    func isCrowded(held: Int) -> Bool { listed.count >= 2 * held + EngineLimits.spareEndings }

    mutating func append(_ handle: SessionHandle) { listed.append(handle) }

    mutating func removeFirst() {
        head += 1
        guard head >= listed.count else { return }
        listed.removeAll(keepingCapacity: true)
        head = 0
    }

    mutating func keep(_ handles: [SessionHandle]) {
        listed = handles
        head = 0
    }
}
