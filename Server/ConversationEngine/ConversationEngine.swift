package import Clocks
package import Matching

/// State machine of all sessions of a server: commands and time in, effects out. No sockets, no clock, no wire formats.
///
/// A session is a ``Conversation``; the engine looks it up, keeps the earliest of all deadlines, and removes it.
package struct ConversationEngine: Sendable {
    /// Parameters of a new session.
    package struct Opening: Sendable {
        package var owner: String
        package var script: Script
        package var isStreaming: Bool
        package var platform: String
        package var deviceType: String?
        package var contextID: String?
        /// nil draws from the engine's own seed.
        package var seed: UInt64?
        /// The pace that the session asked for, in place of the script's.
        package var pace: Pace?
        /// How streamed replies are cut, in place of the script's way.
        package var chunks: Pace.Unit?
        /// Name of the scenario, for reports.
        package var scenario: String?
        /// Troubles of this session, in addition to ``EngineOptions/troubles``.
        package var troubles: [Trouble]
        /// Initial slot values, in place of the script's.
        package var memory: [String: String]
        /// Wall-clock time of the conversation at its start; nil for the time of the script's zone.
        package var localTime: WallTime?
        /// Defaults of its protocol; nil for none.
        package var terms: ProtocolDefaults?

        package init(
            owner: String = "", script: Script, isStreaming: Bool = false, platform: String = "web",
            deviceType: String? = nil, contextID: String? = nil, seed: UInt64? = nil, pace: Pace? = nil,
            chunks: Pace.Unit? = nil, scenario: String? = nil, troubles: [Trouble] = [],
            memory: [String: String] = [:], localTime: WallTime? = nil, terms: ProtocolDefaults? = nil
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
            self.troubles = troubles
            self.memory = memory
            self.localTime = localTime
            self.terms = terms
        }
    }

    struct Slot {
        var generation: UInt32 = 0
        var conversation: Conversation?
        /// The session is over, and listed among those that are.
        var isListedAsEnded = false
    }

    package var options: EngineOptions { keptOptions.value }
    private let keptOptions: Box<EngineOptions>
    private var scripts = ScriptCache()
    var slots = SlotTable()
    private var free: [Int32] = []
    private var handles: [ExactText: SessionHandle] = [:]
    private var names: [SessionName: SessionHandle] = [:]
    private(set) var heap = DeadlineHeap()
    private var ended = EndedSessions()
    private var identities: SeededGenerator
    private var seeds: SeededGenerator
    /// Overrides of rules by code; the latest is last.
    var improvisations: [ActiveOverride] = []
    var improvisationCount = 0
    /// Sessions that changed; nil while no feed asks for them.
    private var changed: Set<SessionHandle>?
    /// Rules that answered in sessions that are forgotten.
    var retiredUses: [RuleUse: Int] = [:]

    package init(options: EngineOptions = EngineOptions(), seed: UInt64 = 1) {
        keptOptions = Box(options)
        let root = SeededGenerator(seed: seed)
        identities = root.stream("session ids")
        seeds = root.stream("session seeds")
    }

    /// Whether sessions that change are noted for ``takeChanges()``.
    package var notesChanges: Bool {
        get { changed != nil }
        set { changed = newValue ? changed ?? [] : nil }
    }

    /// Returns and clears the set of sessions that changed.
    package mutating func takeChanges() -> Set<SessionHandle> {
        guard let found = changed else { return [] }
        changed = []
        return found
    }

    package var sessionCount: Int { handles.count }

    /// Every session held, ended ones included.
    package var sessions: [Conversation] { slots.compactMap { $0.conversation } }

    /// The handle of every session held, in no order.
    package var sessionHandles: [SessionHandle] { Array(handles.values) }

    /// The ids with this prefix, at most `limit`, in no order.
    package func ids(beginning prefix: String, limit: Int) -> [String] {
        var found: [String] = []
        for id in handles.keys where id.text.hasPrefix(prefix) {
            guard found.count < limit else { break }
            found.append(id.text)
        }
        return found
    }

    /// The session with this id.
    package func handle(of id: String) -> SessionHandle? { handles[ExactText(id)] }

    /// The session that was given this name.
    package func handle(of name: SessionName) -> SessionHandle? {
        names[name].flatMap { liveSlot($0) == nil ? nil : $0 }
    }

    package subscript(handle: SessionHandle) -> Conversation? {
        guard let slot = liveSlot(handle) else { return nil }
        return slots[slot].conversation
    }

    /// Calls `body` with the session in place, without a copy; nil when it is gone.
    package func with<Result>(_ handle: SessionHandle, _ body: (borrowing Conversation) -> Result) -> Result?
    {
        guard let slot = liveSlot(handle) else { return nil }
        return slots[slot].conversation?.lend(body)
    }

    /// Calls `body` with the session in place, from a mutating context. Called with each request, so neither the session
    /// nor the engine is copied. `body` must not call the engine.
    package mutating func lend<Result>(
        _ handle: SessionHandle, _ body: (borrowing Conversation) -> Result
    ) -> Result? {
        guard let slot = liveSlot(handle) else { return nil }
        return slots[slot].conversation?.lendInPlace(body)
    }

    /// Whether the session is over; nil when it is gone.
    package func hasEnded(_ handle: SessionHandle) -> Bool? {
        // Stored by the last mutation: reading the conversation would copy it.
        liveSlot(handle).map { slots[$0].isListedAsEnded }
    }

    /// Calls `body` with the whole journal of `handle`; nil when the session is gone. Entry n has sequence n.
    package func withJournal<Result>(
        of handle: SessionHandle, _ body: ([JournalEntry]) -> Result
    ) -> Result? {
        with(handle) { body($0.journal) }
    }

    /// Opens a session and journals its start. When ``EngineOptions/maxSessions`` are held already, the one that
    /// ended first is forgotten for it; nil when none has ended.
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
        // Taken before the oldest session is dropped, so that the new one does not get its slot.
        let slot = takeSlot()
        if let oldest { drop(oldest, into: &effects) }
        let handle = SessionHandle(slot: slot, generation: slots[Int(slot)].generation)
        handles[ExactText(id)] = handle
        slots[Int(slot)].conversation = Conversation(
            id: id, handle: handle, opening: opening, script: scripts.keep(opening.script),
            seed: opening.seed ?? opening.script.seed ?? drawn, options: keptOptions, at: now)
        if !improvisations.isEmpty {
            let held = improvisations(for: handle)
            slots[Int(slot)].conversation?.improvisations = held
        }
        mutate(handle, into: &effects) { $0.begin(at: now, &$1) }
        return (id, handle)
    }

    /// Registers a connection; its history follows at `firstFrameAt`. False when no place is free.
    package mutating func attach(
        _ connection: ConnectionID, to handle: SessionHandle, cursor: UInt64, firstFrameAt: Instant,
        at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        var attached = false
        mutate(handle, into: &effects) { conversation, outbox in
            // Due timers run first: an abandoned session accepts no connection.
            conversation.advance(to: now, &outbox)
            attached = conversation.attach(
                connection, cursor: cursor, firstFrameAt: firstFrameAt, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return attached
    }

    /// The connection is ready for its history at `due`, in place of the moment that ``attach`` was given.
    /// False when it has no place in the session any more.
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

    /// Counts a handshake for a connection of a session.
    ///
    /// - Returns: the troubles that strike it.
    package mutating func handshake(in handle: SessionHandle) -> [Strike] {
        guard let slot = liveSlot(handle) else { return [] }
        return slots[slot].conversation?.handshake() ?? []
    }

    /// Counts a request that belongs to a session.
    ///
    /// - Returns: the troubles that strike it.
    package mutating func request(_ operation: String, in handle: SessionHandle) -> [Strike] {
        guard let slot = liveSlot(handle) else { return [] }
        return slots[slot].conversation?.request(operation) ?? []
    }

    /// Adds `name` as an alias of the session while it is held. An alias of another session is replaced.
    package mutating func name(_ handle: SessionHandle, _ name: SessionName) {
        if liveSlot(handle) != nil { names[name] = handle }
    }

    /// Puts a trouble in force in one session, until ``disarm(_:)``.
    package mutating func arm(
        _ trouble: Trouble, id: UInt64, in handle: SessionHandle, connection: ConnectionID? = nil
    ) {
        guard let slot = liveSlot(handle) else { return }
        slots[slot].conversation?.arm(trouble, id: id, connection: connection)
    }

    /// Takes a trouble out of force, wherever it was armed.
    package mutating func disarm(_ id: UInt64) {
        for slot in slots.indices where slots[slot].conversation?.troubles.isEmpty == false {
            slots[slot].conversation?.disarm(id)
        }
    }

    package mutating func detach(_ connection: ConnectionID, from handle: SessionHandle) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        slots[slot].conversation?.detach(connection)
    }

    /// The client that asked for runs over this connection is gone: they stop.
    package mutating func abandonRuns(
        of connection: ConnectionID, in handle: SessionHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard with(handle, { $0.hasRunLog }) == true else { return }
        mutate(handle, into: &effects) { $0.abandonRuns(of: connection, at: now, &$1) }
    }

    /// A client frame that says nothing to the engine, such as a WebSocket ping.
    package mutating func touch(_ connection: ConnectionID, of handle: SessionHandle, at now: Instant) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        slots[slot].conversation?.touch(connection, at: now)
    }

    /// Applies an input of a client.
    package mutating func handle(
        _ input: ClientInput, from connection: ConnectionID, in handle: SessionHandle, at now: Instant,
        into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { $0.receive(input, from: connection, at: now, &$1) }
    }

    /// Ends a session from outside, as the admin API does. The journal keeps the `name` of the caller.
    package mutating func end(
        _ handle: SessionHandle, reason: EndReason, by name: String? = nil, isFull: Bool = false,
        at now: Instant, into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { conversation, outbox in
            conversation.advance(to: now, &outbox)
            conversation.end(reason, by: name, isFull: isFull, at: now, &outbox)
        }
    }

    /// Ends a session as abandoned and forgets it at once, with all it holds; its connections are closed.
    package mutating func remove(
        _ handle: SessionHandle, by name: String? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard let slot = liveSlot(handle) else { return }
        end(handle, reason: .abandoned, by: name, at: now, into: &effects)
        drop(slot, into: &effects)
    }

    /// Forgets the session that ended first; nil when none has ended.
    package mutating func forgetOldestEnded(into effects: inout [Effect]) -> SessionHandle? {
        guard let slot = oldestEndedSlot(), let handle = slots[slot].conversation?.handle else { return nil }
        drop(slot, into: &effects)
        return handle
    }

    /// Injects an event that is not from the script: pushed by a test or an operator, whose `name` the journal keeps. A
    /// pushed end of the session ends it.
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

    /// Injects an input in place of the client that connected last. The echo carries `name`; the reply is the script's.
    package mutating func speak(
        _ input: ClientInput, in handle: SessionHandle, by name: String, at now: Instant,
        into effects: inout [Effect]
    ) {
        mutate(handle, into: &effects) { $0.speak(input, by: name, at: now, &$1) }
    }

    /// The next deadline for ``advance(to:into:)``; may be early, never late.
    package var nextDeadline: Instant? { heap.first?.deadline }

    /// Fires everything due at or before `now`, in the order of the deadlines, ``EngineLimits/turnsOfSessions`` at
    /// most. What is left stays due: ``nextDeadline`` is not after `now` then, and the next call goes on.
    package mutating func advance(to now: Instant, into effects: inout [Effect]) {
        var left = EngineLimits.turnsOfSessions
        while left > 0, let first = heap.first, first.deadline <= now {
            left -= 1
            // Each deadline is its own instant, so that events carry the time at which they were due. A deadline that moved
            // since it was stored is only stored again.
            let handle = SessionHandle(slot: first.slot, generation: slots[Int(first.slot)].generation)
            mutate(handle, fires: true, into: &effects) { $0.advance(to: first.deadline, &$1) }
            // A session with more work at this moment than its turn allows continues in the next call.
            if let again = heap.deadline(of: first.slot), again <= first.deadline { return }
        }
    }

    // MARK: - Slots

    private func liveSlot(_ handle: SessionHandle) -> Int? {
        let slot = Int(handle.slot)
        guard slot < slots.count, slots[slot].generation == handle.generation else { return nil }
        return slot
    }

    private mutating func takeSlot() -> Int32 {
        if let slot = free.popLast() { return slot }
        slots.append(Slot())
        return Int32(slots.count - 1)
    }

    /// Copies the state of `other` to a session (``Conversation/stand(like:)``), for trials.
    package mutating func place(_ handle: SessionHandle, like other: Conversation) {
        var effects: [Effect] = []
        mutate(handle, into: &effects) { conversation, _ in conversation.stand(like: other) }
    }

    /// Mutates a session in place and updates the heap of deadlines. A later deadline is stored lazily, when the earlier
    /// one fires.
    mutating func mutate(
        _ handle: SessionHandle, fires: Bool = false, into effects: inout [Effect],
        _ body: (inout Conversation, inout [Effect]) -> Void
    ) {
        guard let slot = liveSlot(handle) else { return }
        changed?.insert(handle)
        // Computed inside the call: each read from here would copy the conversation.
        guard let (deadline, hasEnded) = slots[slot].conversation?.apply(body, &effects), let deadline else {
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

    /// Forgets a session that has ended, and closes the connections it still has.
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
