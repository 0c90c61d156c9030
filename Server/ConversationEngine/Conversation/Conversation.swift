package import Clocks
import Matching

/// State machine of one session, with its journal, connections and script. All times are arguments.
///
/// Transitions of ``responder``, which answers the user:
///
/// | from | on | to | statement of protocol.md |
/// | --- | --- | --- | --- |
/// | nobody | join | agent | #event-request-poly-agent-join |
/// | agent | `handoff`, server-managed | waiting | #handoff-by-server |
/// | agent | `handoff`, client-managed | departed | #handoff-by-client |
/// | waiting | last position sent, outcome `joins` | liveAgent | #handoff-by-server |
/// | waiting | outcome fails or times out | agent (or departed, by option) | #handoff-fails |
/// | liveAgent | `transfer` | waiting; if that fails, liveAgent again | |
/// | liveAgent | `leave` | ended | #person-leaves |
/// | liveAgent | `giveBack` | agent | #person-leaves |
/// | agent, departed | operator triggers a handoff | conducted | #human-at-the-controls |
/// | conducted, waiting | operator lets it fail or time out | agent (or departed, by option) | #handoff-fails |
/// | agent, conducted, waiting | operator requires a client handoff | departed | #handoff-by-client |
/// | waiting | operator joins | liveAgent | #human-at-the-controls |
/// | any other but ended | operator joins | guest | #human-at-the-controls |
/// | guest | operator leaves | as before, departed becomes agent | #human-at-the-controls |
/// | liveAgent | operator makes them leave | agent, or ended | #person-leaves |
/// | conducted, guest | operator hands back | as before | |
/// | any but ended | `end`, user end, idle | ended | #natural-end, #user-end, #session-idle |
package struct Conversation: Sendable {
    /// `indirect` keeps sessions small in memory.
    package indirect enum Responder: Equatable, Sendable {
        /// The client has not joined yet.
        case nobody
        case agent
        case waiting(HandoffRun)
        case liveAgent(HandoffLiveAgent)
        /// The agent has left without a successor.
        case departed
        case conducted(isAccepted: Bool)
        /// A live agent played by an operator and not part of the script.
        case guest(SpeakerProfile)
        /// `last` is the last responder.
        case ended(at: Instant, reason: EndReason, last: Responder)
    }

    /// Event that waits for a connection's history.
    package struct Held: Equatable, Sendable {
        var entry: JournalEntry
        /// Length of the journal when the entry was recorded.
        var journalCount: Int
        var firings: [FiredFault] = []
    }

    package struct SessionConnection: Equatable, Sendable {
        package let id: ConnectionID
        package internal(set) var openedAt: Instant
        var lastInput: Instant
        package internal(set) var cursor: UInt64
        /// Time at which the history is sent; nil once sent.
        package internal(set) var historyDue: Instant?
        var held: [Held] = []

        mutating func hold(_ entry: Held) {
            if held.count == ConversationLimits.heldEntries { held.removeFirst() }
            held.append(entry)
        }
    }

    package let id: String
    package let handle: SessionHandle
    package let owner: String
    package let seed: UInt64
    package let openedAt: Instant
    package let isStreaming: Bool
    package let extensions: Extensions
    package let platform: String
    package let deviceType: String?
    package let scenario: String?
    /// The script with which the session began.
    package var script: Script { _read { yield keptScript.value } }
    var options: EngineOptions { _read { yield keptOptions.value } }
    var connectionAge: Interval? { keptOptions.read { $0.connectionAge } }
    let keptScript: SharedValue<Script>
    private let keptOptions: SharedValue<EngineOptions>
    let contextID: String?
    let terms: SharedValue<ProtocolDefaults>?
    /// Pace that the session requested; nil for the script's pace.
    @OnDemand private(set) var wishedPace: Pace?
    /// Chunk size that the session requested; nil for the script's chunk size.
    package let wishedChunks: Pace.Unit?
    /// Idle timeout, stored because every turn reads it.
    let sessionIdle: Interval
    let connectionIdle: Interval
    private(set) var clockShift: Int32

    package internal(set) var journal: [JournalEntry] = []
    package internal(set) var responder = Responder.nobody
    package internal(set) var stage: Int
    package internal(set) var memory: [String: String]
    package internal(set) var links: [SessionConnection] = []
    package internal(set) var isForgotten = false
    var lastInput: Instant
    var player = StepPlayer()
    var uses = UseCounts()
    var lastMessage = ""
    package internal(set) var userMessageCount = 0
    /// Number of all matcher steps, a measure of the cost.
    package internal(set) var matchSteps = 0
    /// Number of replies begun by the script.
    package internal(set) var replyCount = 0
    /// Number of queue updates begun by the script.
    package internal(set) var queueUpdateCount = 0
    /// Active faults: the server's, the session's, and those of `fault` steps.
    package internal(set) var faults: [ActiveFault] = []
    var handshakeCount = 0
    var connectCount = 0
    var heartbeatCount = 0
    var requestCounts: [String: Int] = [:]
    /// Journal index of each message's echo by `local_id`, for ``EngineOptions/dropsRepeatedLocalIDs``.
    var echoes: [String: Int] = [:]
    var delayedInputs: [(due: Instant, input: ClientInput, from: ConnectionID)] = []
    var areLinksClosed = false
    /// State of the paused script; nil unless an operator has paused it.
    @OnDemand var pause: ScriptPause?
    /// Author of a pushed event; nil for events of the script and of clients.
    var pusher: String?
    var cause = Cause()
    package var runs: RunLog? { hasRunLog ? log : nil }
    var hasRunLog: Bool { keptRuns != nil }
    /// Bytes of the log of agent runs; 0 without a log.
    package var runBytes: Int { keptRuns?.heldBytes ?? 0 }
    /// Log of agent runs. Requires `hasRunLog`.
    var log: RunLog {
        _read { yield runState.log }
        _modify {
            let own = ownRunState()
            yield &own.log
        }
    }
    /// State of the current or last run. Requires `hasRunLog`.
    var machine: RunMachine {
        _read { yield runState.machine }
        _modify {
            let own = ownRunState()
            yield &own.machine
        }
    }
    private(set) var keptRuns: RunState?
    private var runState: RunState {
        guard let keptRuns else { preconditionFailure("the session has no runs") }
        return keptRuns
    }
    var ledger: MessageLedger {
        _read { yield _keptLedger.existing }
        _modify { yield &_keptLedger.existing }
    }
    @OnDemand private var keptLedger: MessageLedger?
    package var ledgerBytes: Int { _keptLedger.isThere ? ledger.heldBytes : 0 }
    /// Overrides of rules. The last matching one is used.
    var overrides: [ActiveOverride] = []
    var ids: SeededGenerator
    /// Random stream for ids of transient events, so that heartbeats do not change ids in the journal.
    var transientIDs: SeededGenerator
    /// Random stream for ids of pushed events, so that ids of the script's events do not change.
    var pushedIDs: SeededGenerator
    var jitter: SeededGenerator

    private static let streams = (
        ids: SeededGenerator.Purpose("ids"), transientIDs: SeededGenerator.Purpose("transient ids"),
        pushedIDs: SeededGenerator.Purpose("pushed ids"), jitter: SeededGenerator.Purpose("jitter")
    )

    /// `opening` is borrowed: a copy took 1,500 instructions, with 140 retains and releases.
    init(
        id: String, handle: SessionHandle, opening: borrowing ConversationEngine.Opening,
        script: SharedValue<Script>, seed: UInt64, options: SharedValue<EngineOptions>, at now: Instant
    ) {
        self.id = id
        self.handle = handle
        owner = opening.owner
        self.seed = seed
        openedAt = now
        let asked = opening.terms
        isStreaming = script.value.session.streaming != false ? opening.isStreaming : false
        extensions = opening.extensions
        platform = opening.platform
        deviceType = opening.deviceType
        scenario = opening.scenario
        keptScript = script
        keptOptions = options
        contextID = opening.contextID
        terms = asked.map { SharedValue($0) }
        sessionIdle = script.value.session.idle ?? asked?.idle ?? options.value.sessionIdle
        connectionIdle = asked?.connectionIdle ?? options.value.connectionIdle
        wishedChunks = opening.chunks
        stage = script.value.begin
        memory = [:]
        for slot in script.value.memory { memory[slot.name] = opening.memory[slot.name] ?? slot.initial }
        let zone = script.value.zone
        clockShift = Int32(
            clamping: opening.localTime.map { LocalTime.shift(to: $0, at: now, from: zone) } ?? zone)
        lastInput = now
        let root = SeededGenerator(seed: seed)
        ids = root.stream(Self.streams.ids)
        transientIDs = root.stream(Self.streams.transientIDs)
        pushedIDs = root.stream(Self.streams.pushedIDs)
        jitter = root.stream(Self.streams.jitter)
        wishedPace = opening.pace
        if !extensions.isEmpty { keptLedger = MessageLedger() }
        for fault in options.value.faults + opening.faults { inject(fault, id: nil) }
    }

    /// The next deadline, nil if the session is to be removed, and whether the session has ended.
    typealias Outcome = (deadline: Instant?, hasEnded: Bool)

    /// Calls `body` to change the session in place.
    mutating func apply(
        _ body: (inout Conversation, inout [Effect]) -> Void, _ outbox: inout [Effect]
    ) -> Outcome {
        body(&self, &outbox)
        return (findNextDeadline(), hasEnded)
    }

    /// Like ``apply(_:_:)`` with ``advance(to:_:)``, but finds the next deadline only once. Saves 260 of the 21,600
    /// instructions of a streamed chunk.
    mutating func advanceInTurn(to now: Instant, _ outbox: inout [Effect]) -> Outcome {
        (advance(to: now, &outbox), hasEnded)
    }

    func lend<Result>(_ body: (borrowing Conversation) -> Result) -> Result { body(self) }

    mutating func lendInPlace<Result>(_ body: (borrowing Conversation) -> Result) -> Result { body(self) }

    package var hasEnded: Bool {
        if case .ended = responder { return true }
        return false
    }

    /// Whether only a client, a timeout or an operator can cause the next event.
    package var isQuiet: Bool { player.dueAt == nil && delayedInputs.isEmpty }

    package var connectionLimit: Int {
        script.session.connections ?? terms?.value.connections ?? options.connectionsPerSession
    }

    package mutating func remember(_ values: [String: String]) { memory.merge(values) { $1 } }

    /// Copies the state that rules depend on from a session with the same script.
    mutating func stand(like other: Conversation) {
        (responder, stage, memory, uses) = (other.responder, other.stage, other.memory, other.uses)
        (lastMessage, clockShift, userMessageCount) = (
            other.lastMessage, other.clockShift, other.userMessageCount
        )
    }

    mutating func begin(at now: Instant, _ outbox: inout [Effect]) {
        var facts = options.facts
        facts.isStreaming = isStreaming
        facts.contextID = contextID
        facts.hasReceipts = script.hasReceipts
        facts.extensions = extensions
        if let heartbeat = script.session.heartbeat {
            facts.heartbeatIntervalSeconds = Int(heartbeat.seconds)
        }
        record(.sessionStarted(facts), at: now, &outbox)
    }

    // MARK: - Sending

    /// Records an event and delivers it unless `isSilent`. `name` is the author; nil means ``pusher``.
    mutating func record(
        _ event: consuming Event, metadata: String? = nil, isSilent: Bool = false, by name: String? = nil,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        let kind = event.kind
        let isJournaled =
            extensions.contains(.receipts) && kind == .receipt || keptOptions.read { $0.isJournaled(event) }
        guard takes(kind, isJournaled: isJournaled, at: now, &outbox) else { return }
        let entry = JournalEntry(
            sequence: isJournaled ? UInt64(journal.count) + 1 : nil,
            id: entryID(isJournaled: isJournaled, at: now), time: now, event: event, metadata: metadata,
            pushedBy: name ?? pusher, cause: cause)
        add(entry, isJournaled: isJournaled, isSilent: isSilent, at: now, &outbox)
    }

    /// Like ``record(_:metadata:isSilent:by:at:_:)``, without making an event of the message.
    mutating func record(
        message id: MessageID, _ text: String, metadata: String?, isSilent: Bool, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        let isJournaled = keptOptions.read { $0.isJournaled(.userMessage) }
        guard takes(.userMessage, isJournaled: isJournaled, at: now, &outbox) else { return }
        let entry = JournalEntry(
            sequence: isJournaled ? UInt64(journal.count) + 1 : nil,
            id: entryID(isJournaled: isJournaled, at: now), time: now, message: id, text: text,
            metadata: metadata, pushedBy: pusher, cause: cause)
        add(entry, isJournaled: isJournaled, isSilent: isSilent, at: now, &outbox)
    }

    /// Whether an event can be recorded. If the journal is full, ends the session.
    private mutating func takes(
        _ kind: EventKind, isJournaled: Bool, at now: Instant, _ outbox: inout [Effect]
    ) -> Bool {
        guard !hasEnded else { return false }
        guard isJournaled, kind != .sessionEnded,
            journal.count >= max(keptOptions.read { $0.maxJournalEntries }, 2) - 1
        else { return true }
        outbox.append(.note(handle, .ignored(reason: "the journal is full")))
        end(.natural, isFull: true, at: now, &outbox)
        return false
    }

    private mutating func add(
        _ entry: consuming JournalEntry, isJournaled: Bool, isSilent: Bool, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        if isJournaled { journal.append(copy entry) }
        if !extensions.isEmpty { ledger.note(entry.event) }
        let audience = isSilent ? .nobody : audience(for: entry)
        if !faults.isEmpty, audience != .nobody, !receivesRunsOnly(audience) {
            fireOnWire(.anyEvent, &outbox)
        }
        guard hasRunLog else { return outbox.append(.deliver(handle, entry, audience: audience)) }
        let event = entry.event
        outbox.append(.deliver(handle, entry, audience: audience))
        mirror(event, at: now, &outbox)
    }

    /// Delivers a transient event to one connection, with faults at `moment`.
    mutating func deliver(
        only connection: ConnectionID, _ event: Event, metadata: String? = nil,
        firedAt moment: Fault.Moment? = nil, at now: Instant, _ outbox: inout [Effect]
    ) {
        guard let index = links.firstIndex(where: { $0.id == connection }) else { return }
        let waits = links[index].historyDue != nil
        let firings = faults.isEmpty ? [] : moment.map { wireFirings($0, on: connection) } ?? []
        for firing in firings {
            outbox.append(.note(handle, .faultFired(firing.name, mark: cause.mark)))
            if !waits { outbox.append(.fire(handle, firing)) }
        }
        let entry = JournalEntry(
            sequence: nil, id: UniqueID.version7(at: now, from: &transientIDs), time: now, event: event,
            metadata: metadata, cause: cause)
        if waits {
            links[index].hold(Held(entry: entry, journalCount: journal.count, firings: firings))
        } else {
            outbox.append(.deliver(handle, entry, audience: .one(connection)))
        }
    }

    /// Returns the connections that receive `entry` now.
    private mutating func audience(for entry: JournalEntry) -> Audience {
        if links.count == 1, links[0].historyDue == nil { return .one(links[0].id) }
        var ready: [ConnectionID] = []
        for index in links.indices {
            if links[index].historyDue == nil {
                ready.append(links[index].id)
            } else if entry.sequence == nil {
                links[index].hold(Held(entry: entry, journalCount: journal.count))
            }
        }
        switch ready.count {
        case 0: return .nobody
        case 1: return .one(ready[0])
        default: return .many(ready)
        }
    }

    private mutating func entryID(isJournaled: Bool, at now: Instant) -> UniqueID {
        if pusher != nil { return UniqueID.version7(at: now, from: &pushedIDs) }
        guard isJournaled else { return UniqueID.version7(at: now, from: &transientIDs) }
        return UniqueID.version7(at: now, from: &ids)
    }

    /// Returns an id such as `msg_4f1c09a2b35d7e60`.
    mutating func messageID(_ prefix: String) -> String { UniqueID.text(prefix, messageWord()) }

    mutating func messageWord() -> UInt64 { pusher == nil ? ids.next() : pushedIDs.next() }

    mutating func keepRuns() {
        if !hasRunLog { keptRuns = RunState(RunLog(seed: seed, script: keptScript), RunMachine()) }
    }

    private mutating func ownRunState() -> RunState {
        if !isKnownUniquelyReferenced(&keptRuns), let shared = keptRuns {
            keptRuns = RunState(shared.log, shared.machine)
        }
        return runState
    }

    // MARK: - Ending

    /// Ends the session. `name` is the operator who ended it, if any.
    mutating func end(
        _ reason: EndReason, by name: String? = nil, isFull: Bool = false, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        guard !hasEnded else { return }
        if hasRunLog, isFull {
            failRuns(RunFailure("The thread is full.", code: "thread_full"), at: now, &outbox)
        } else if hasRunLog {
            endRuns(isCut: name != nil || pusher != nil || reason != .natural, at: now, &outbox)
        }
        player = StepPlayer()
        pause = nil
        delayedInputs = []
        record(.sessionEnded(reason), by: name, at: now, &outbox)
        responder = .ended(at: now, reason: reason, last: responder)
        outbox.append(.note(handle, .ended(reason)))
    }
}
