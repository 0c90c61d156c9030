package import Clocks
package import Matching

/// State machine of all sessions: receives commands with their times and returns effects, without sockets, clocks or
/// wire formats.
package struct ConversationEngine: Sendable {
    package struct Opening: Sendable {
        package var owner: String
        package var script: SharedValue<Script>
        package var isStreaming: Bool
        package var platform: String
        package var deviceType: String?
        package var contextID: String?
        /// Seed of the session; nil for the script's seed or, without one, a drawn seed.
        package var seed: UInt64?
        /// Requested pace; nil for the script's pace.
        package var pace: Pace?
        /// Requested chunk size; nil for the script's chunk size.
        package var chunks: Pace.Unit?
        /// The scenario line, for reports.
        package var scenario: String?
        /// Faults in addition to ``EngineOptions/faults``.
        package var faults: [Fault]
        /// Initial slot values, which replace the script's values.
        package var memory: [String: String]
        /// Local time at the start; nil for the time in the script's zone.
        package var localTime: WallTime?
        package var terms: ProtocolDefaults?
        package var extensions: Extensions

        package init(
            owner: String = "", script: SharedValue<Script>, isStreaming: Bool = false,
            platform: String = "web", deviceType: String? = nil, contextID: String? = nil,
            seed: UInt64? = nil, pace: Pace? = nil, chunks: Pace.Unit? = nil, scenario: String? = nil,
            faults: [Fault] = [],
            memory: [String: String] = [:], localTime: WallTime? = nil, terms: ProtocolDefaults? = nil,
            extensions: Extensions = []
        ) {
            self.owner = owner
            self.script = script
            self.isStreaming = isStreaming
            self.platform = platform
            self.deviceType = deviceType
            self.contextID = contextID
            self.seed = seed
            self.pace = pace
            self.chunks = chunks
            self.scenario = scenario
            self.faults = faults
            self.memory = memory
            self.localTime = localTime
            self.terms = terms
            self.extensions = extensions
        }

        package init(
            script: Script, isStreaming: Bool = false, seed: UInt64? = nil, memory: [String: String] = [:],
            localTime: WallTime? = nil
        ) {
            self.init(
                script: SharedValue(script), isStreaming: isStreaming, seed: seed, memory: memory,
                localTime: localTime)
        }
    }

    struct Slot {
        var generation: UInt32 = 0
        var conversation: Conversation?
        /// Whether the session is in ``EndedSessions``.
        var isListedAsEnded = false
    }

    package var options: EngineOptions { keptOptions.value }
    private let keptOptions: SharedValue<EngineOptions>
    private var scripts = ScriptCache()
    var slots = SlotTable()
    private var free: [Int32] = []
    private var handles: [ExactText: SessionHandle] = [:]
    private var names: [SessionName: SessionHandle] = [:]
    private(set) var heap = DeadlineHeap()
    private var ended = EndedSessions()
    private var identities: SeededGenerator
    private var seeds: SeededGenerator
    /// Overrides of rules. The last matching one is used.
    var overrides: [ActiveOverride] = []
    var overrideCount = 0
    /// Sessions that have changed; nil if changes are not collected.
    private var changed: Set<SessionHandle>?
    var retiredUses: [RuleUse: Int] = [:]

    package init(options: EngineOptions = EngineOptions(), seed: UInt64 = 1) {
        keptOptions = SharedValue(options)
        let root = SeededGenerator(seed: seed)
        identities = root.stream("session ids")
        seeds = root.stream("session seeds")
    }

    /// Whether changes are collected for ``takeChanges()``.
    package var notesChanges: Bool {
        get { changed != nil }
        set { changed = newValue ? changed ?? [] : nil }
    }

    package mutating func takeChanges() -> Set<SessionHandle> {
        guard let found = changed else { return [] }
        changed = []
        return found
    }

    package var sessionCount: Int { handles.count }

    /// All sessions, including ended ones.
    package var sessions: [Conversation] { slots.compactMap { $0.conversation } }

    package var sessionHandles: [SessionHandle] { Array(handles.values) }

    /// Returns at most `limit` session ids with this prefix, unsorted.
    package func ids(beginning prefix: String, limit: Int) -> [String] {
        var found: [String] = []
        for id in handles.keys where id.text.hasPrefix(prefix) {
            guard found.count < limit else { break }
            found.append(id.text)
        }
        return found
    }

    package func handle(of id: String) -> SessionHandle? { handles[ExactText(id)] }

    package func handle(of name: SessionName) -> SessionHandle? {
        names[name].flatMap { liveSlot($0) == nil ? nil : $0 }
    }

    package subscript(handle: SessionHandle) -> Conversation? {
        guard let slot = liveSlot(handle) else { return nil }
        return slots[slot].conversation
    }

    /// Calls `body` without copying the session. Returns nil if the session was removed.
    package func with<Result>(_ handle: SessionHandle, _ body: (borrowing Conversation) -> Result) -> Result?
    {
        guard let slot = liveSlot(handle) else { return nil }
        return slots.read(slot) { $0.conversation?.lend(body) }
    }

    /// Calls `body` without copying the session. `body` must not call the engine.
    package mutating func lend<Result>(
        _ handle: SessionHandle, _ body: (borrowing Conversation) -> Result
    ) -> Result? {
        guard let slot = liveSlot(handle) else { return nil }
        return slots[slot].conversation?.lendInPlace(body)
    }

    /// Whether the session has ended; nil if it was removed.
    package func hasEnded(_ handle: SessionHandle) -> Bool? {
        liveSlot(handle).map { slots.read($0) { $0.isListedAsEnded } }
    }

    /// Calls `body` with the journal; nil if the session was removed. The entry at index n has sequence n + 1.
    package func withJournal<Result>(
        of handle: SessionHandle, _ body: ([JournalEntry]) -> Result
    ) -> Result? {
        with(handle) { body($0.journal) }
    }

    /// Opens a session. If there are too many, removes the session that ended first; returns nil if none has ended.
    package mutating func open(
        _ opening: Opening, at now: Instant, into effects: inout [Effect]
    ) -> (id: String, handle: SessionHandle)? {
        var oldest: Int?
        if sessionCount >= keptOptions.value.maxSessions {
            oldest = oldestEndedSlot()
            if oldest == nil { return nil }
        }
        let any = UniqueID.version4(from: &identities)
        let id = (keptOptions.value.shard?.own(any) ?? any).text
        let drawn = seeds.next()
        // The slot is allocated before the old session is dropped, so that the new session gets a different slot.
        let slot = allocateSlot()
        if let oldest { drop(oldest, into: &effects) }
        let handle = SessionHandle(slot: slot, generation: slots[Int(slot)].generation)
        handles[ExactText(id)] = handle
        slots[Int(slot)].conversation = Conversation(
            id: id, handle: handle, opening: opening, script: scripts.keep(opening.script),
            seed: opening.seed ?? opening.script.value.seed ?? drawn, options: keptOptions, at: now)
        if !overrides.isEmpty {
            let held = overrides(for: handle)
            slots[Int(slot)].conversation?.overrides = held
        }
        mutate(handle, into: &effects) { $0.begin(at: now, &$1) }
        return (id, handle)
    }

    /// Adds a connection, whose history is due at `firstFrameAt`. Returns false if the session has ended or has too
    /// many connections.
    package mutating func attach(
        _ connection: ConnectionID, to handle: SessionHandle, cursor: UInt64, firstFrameAt: Instant,
        at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        var attached = false
        mutate(handle, into: &effects) { conversation, outbox in
            // A due idle timeout fires first: an abandoned session accepts no connection.
            conversation.advance(to: now, &outbox)
            attached = conversation.attach(
                connection, cursor: cursor, firstFrameAt: firstFrameAt, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return attached
    }

    /// Sets the time at which a connection's history is sent, unless it was already sent. Returns false if the
    /// connection is gone.
    package mutating func expectHistory(
        of connection: ConnectionID, in handle: SessionHandle, due: Instant, at now: Instant,
        into effects: inout [Effect]
    ) -> Bool {
        var hasPlace = false
        mutate(handle, into: &effects) { conversation, outbox in
            conversation.advance(to: now, &outbox)
            hasPlace = conversation.expectHistory(of: connection, due: due)
            conversation.advance(to: now, &outbox)
        }
        return hasPlace
    }

    /// Counts a handshake and returns the faults that affect it.
    package mutating func handshake(in handle: SessionHandle) -> [FiredFault] {
        guard let slot = liveSlot(handle) else { return [] }
        return slots[slot].conversation?.handshake() ?? []
    }

    /// Counts a request and returns the faults that affect it.
    package mutating func request(_ operation: String, in handle: SessionHandle) -> [FiredFault] {
        guard let slot = liveSlot(handle) else { return [] }
        return slots[slot].conversation?.request(operation) ?? []
    }

    /// Adds a name for the session. Another session with this name loses the name.
    package mutating func name(_ handle: SessionHandle, _ name: SessionName) {
        if liveSlot(handle) != nil { names[name] = handle }
    }

    /// Adds a fault to a session.
    package mutating func inject(
        _ fault: Fault, id: UInt64, in handle: SessionHandle, connection: ConnectionID? = nil
    ) {
        guard let slot = liveSlot(handle) else { return }
        slots[slot].conversation?.inject(fault, id: id, connection: connection)
    }

    package mutating func remove(_ id: UInt64) {
        for slot in slots.indices where slots[slot].conversation?.faults.isEmpty == false {
            slots[slot].conversation?.remove(id)
        }
    }

    package mutating func detach(_ connection: ConnectionID, from handle: SessionHandle) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        slots[slot].conversation?.detach(connection)
    }

    package mutating func abandonRuns(
        of connection: ConnectionID, in handle: SessionHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard with(handle, { $0.hasRunLog }) == true else { return }
        mutate(handle, into: &effects) { $0.abandonRuns(of: connection, at: now, &$1) }
    }

    /// Records a client's activity other than a message, such as a WebSocket ping.
    package mutating func touch(_ connection: ConnectionID, of handle: SessionHandle, at now: Instant) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        slots[slot].conversation?.touch(connection, at: now)
    }

    /// Handles a client's input. `mark` replaces the input's mark, which saves a copy of the input.
    package mutating func handle(
        _ input: borrowing ClientInput, mark: UInt32? = nil, from connection: ConnectionID,
        in handle: SessionHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        // No timer is due before the noted deadline, which is the earliest or earlier.
        let isDue = heap.deadline(of: handle.slot).map { $0 <= now } ?? true
        let outcome = slots.receive(
            slot, input, mark: mark ?? input.mark, from: connection, isDue: isDue, at: now, &effects)
        settle(handle, outcome, fires: false, into: &effects)
    }

    package mutating func end(
        _ handle: SessionHandle, reason: EndReason, by name: String? = nil, isFull: Bool = false,
        at now: Instant, into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { conversation, outbox in
            conversation.advance(to: now, &outbox)
            conversation.end(reason, by: name, isFull: isFull, at: now, &outbox)
        }
    }

    /// Ends a session as abandoned, closes its connections and removes it at once.
    package mutating func remove(
        _ handle: SessionHandle, by name: String? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard let slot = liveSlot(handle) else { return }
        end(handle, reason: .abandoned, by: name, at: now, into: &effects)
        drop(slot, into: &effects)
    }

    /// Removes the session that ended first. Returns nil if none has ended.
    package mutating func forgetOldestEnded(into effects: inout [Effect]) -> SessionHandle? {
        guard let slot = oldestEndedSlot(), let handle = slots[slot].conversation?.handle else { return nil }
        drop(slot, into: &effects)
        return handle
    }

    /// Records and delivers an event that is not in the script. `name` is the author. ``Event/sessionEnded`` ends the
    /// session.
    package mutating func push(
        _ event: Event, in handle: SessionHandle, by name: String = ConversationEngine.controls,
        at now: Instant, into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { conversation, outbox in
            conversation.advance(to: now, &outbox)
            conversation.pusher = name
            defer { conversation.pusher = nil }
            if case .sessionEnded(let reason) = event {
                conversation.end(reason, at: now, &outbox)
            } else {
                conversation.record(event, at: now, &outbox)
            }
        }
    }

    /// Applies an operator's input as if it came from the client that connected last.
    package mutating func speak(
        _ input: ClientInput, in handle: SessionHandle, by name: String, at now: Instant,
        into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { $0.speak(input, by: name, at: now, &$1) }
    }

    /// Time for the next ``advance(to:into:)``: the next deadline or earlier.
    package var nextDeadline: Instant? { heap.first?.deadline }

    /// Fires due timers in the order of their deadlines. After ``EngineLimits/turnsOfSessions`` sessions have
    /// continued, the remaining timers stay due. Returns the first deadline, nil if none was due.
    @discardableResult
    package mutating func advance(to now: Instant, into effects: inout [Effect]) -> Instant? {
        guard let earliest = heap.first?.deadline, earliest <= now else { return nil }
        var left = EngineLimits.turnsOfSessions
        while left > 0, let first = heap.first, first.deadline <= now {
            left -= 1
            // Each step runs at the time of its deadline, so that events have the time at which they were due.
            let handle = SessionHandle(slot: first.slot, generation: slots[Int(first.slot)].generation)
            changed?.insert(handle)
            let outcome = slots.update(Int(first.slot)) { slot in
                slot.conversation?.advanceInTurn(to: first.deadline, &effects)
            }
            settle(handle, outcome, fires: true, into: &effects)
            // If the session's deadline has not moved, the session has reached `stepsOfTurn`. The remaining timers fire
            // in the next call.
            if let again = heap.deadline(of: first.slot), again <= first.deadline { break }
        }
        return earliest
    }

    // MARK: - Slots

    private func liveSlot(_ handle: SessionHandle) -> Int? {
        let slot = Int(handle.slot)
        guard slot < slots.count, slots[slot].generation == handle.generation else { return nil }
        return slot
    }

    private mutating func allocateSlot() -> Int32 {
        if let slot = free.popLast() { return slot }
        slots.append(Slot())
        return Int32(slots.count - 1)
    }

    /// Copies another conversation's state, to try a message.
    package mutating func place(_ handle: SessionHandle, like other: Conversation) {
        var effects: [Effect] = []
        mutate(handle, into: &effects) { conversation, _ in conversation.stand(like: other) }
    }

    /// Changes a session in place and updates its deadline.
    mutating func mutate(
        _ handle: SessionHandle, into effects: inout [Effect],
        _ body: (inout Conversation, inout [Effect]) -> Void
    ) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        // Reading these values after the call would copy the session.
        let outcome = slots.update(slot) { $0.conversation?.apply(body, &effects) }
        settle(handle, outcome, fires: false, into: &effects)
    }

    private mutating func settle(
        _ handle: SessionHandle, _ outcome: Conversation.Outcome?, fires: Bool, into effects: inout [Effect]
    ) {
        let slot = Int(handle.slot)
        guard let (deadline, hasEnded) = outcome, let deadline else {
            return forget(slot, into: &effects)
        }
        if hasEnded, !slots[slot].isListedAsEnded {
            slots[slot].isListedAsEnded = true
            list(handle)
        }
        if !fires, let noted = heap.deadline(of: handle.slot), noted <= deadline { return }
        heap.set(deadline, for: handle.slot)
    }

    private mutating func list(_ handle: SessionHandle) {
        if ended.isCrowded(held: sessionCount) { ended.keep(ended.handles.filter { liveSlot($0) != nil }) }
        ended.append(handle)
    }

    private mutating func oldestEndedSlot() -> Int? {
        while let first = ended.first {
            if let slot = liveSlot(first) { return slot }
            ended.removeFirst()
        }
        return nil
    }

    private mutating func drop(_ slot: Int, into effects: inout [Effect]) {
        for link in slots[slot].conversation?.links ?? [] { effects.append(.close(link.id, .sessionEnded)) }
        forget(slot, into: &effects)
    }

    private mutating func forget(_ slot: Int, into effects: inout [Effect]) {
        heap.remove(Int32(slot))
        guard let conversation = slots[slot].conversation else { return }
        handles[ExactText(conversation.id)] = nil
        if !names.isEmpty { names = names.filter { $0.value != conversation.handle } }
        conversation.countUses(into: &retiredUses)
        effects.append(.forgotten(conversation.handle))
        slots[slot].conversation = nil
        slots[slot].isListedAsEnded = false
        slots[slot].generation &+= 1
        free.append(Int32(slot))
    }
}
