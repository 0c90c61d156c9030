import Clocks
import Matching

/// An agent run, from the client input to the end of the agent's turn.
package struct Run: Equatable, Sendable {
    package let facts: RunInfo
    package internal(set) var entries: [RunEntry] = []
    fileprivate(set) var eventBytes = 0
    /// Whether a later run of this request has replaced the run.
    package internal(set) var isReplaced = false

    package var hasEnded: Bool { entries.last?.event.isEnd ?? false }
}

/// Constant data of a run, shared by its events.
package final class RunInfo: Equatable, Sendable {
    package let thread: String
    package let id: String
    package let parent: String?
    package let number: Int
    /// Connection that requested the run, or ``ConnectionID/none``.
    package let connection: ConnectionID
    package let words: RunRequest.Content
    /// The client's id of the message.
    package let message: String?
    /// New parts of the thread outside `words` and `message`, in the dialect's form.
    package let said: String
    let digest: UInt64
    /// Number of the requested encoding, defined by the dialect.
    package let manner: Int
    package var manners: RunSettings { _read { yield script.value.runs } }
    // Parts of `manners`, whose copy takes 200 instructions in another module.
    package var profile: String? { script.value.runs.profile }
    package var stamps: Bool { script.value.runs.stamps }
    private let script: SharedValue<Script>
    /// Body of the request, kept if the script echoes requests.
    package let input: RunBody?

    init(_ request: RunRequest, number: Int, connection: ConnectionID, script: SharedValue<Script>) {
        self.script = script
        input = script.value.runs.echoes || request.input.isEmpty ? request.input : nil
        thread = request.thread
        id = request.run
        parent = request.parent
        words = request.words
        message = request.message
        said = request.said
        digest = request.digest
        manner = request.manner
        self.number = number
        self.connection = connection
    }

    package static func == (left: RunInfo, right: RunInfo) -> Bool {
        left.thread == right.thread && left.id == right.id && left.number == right.number
    }
}

/// Agent runs of a session, outside the journal.
package struct RunLog: Sendable {
    struct OpenCall: Equatable, Sendable {
        var id: String
        var tool: String
        var isOfClient: Bool
    }

    struct Suspension: Sendable {
        var rest: Turn
        var calls: [OpenCall] = []
        var open: [OpenCall] = []
        var asks: [RunAsk] = []
        /// Ids of calls that the client has answered while further calls are pending.
        var answered: [String] = []
    }

    package internal(set) var runs: [Run] = []
    package internal(set) var input = RunBody.empty
    /// Number of the run that ``input`` requested.
    package internal(set) var inputRun = 0
    /// Last request that contained its whole thread, and the number of the run that it started (`baseRun`).
    package internal(set) var base = RunBody.empty
    package internal(set) var baseRun = 0
    package internal(set) var isRunning = false
    package var pendingCalls: [(id: String, tool: String)] {
        (suspension?.calls ?? []).map { ($0.id, $0.tool) }
    }
    package var pendingAsks: [RunAsk] { suspension?.asks ?? [] }
    /// Returns the failure if a request lacks a decision on a pending interrupt; otherwise nil.
    func uncovered(by words: RunRequest.Content) -> RunFailure? {
        var decided: [String] = []
        if case .decisions(let decisions) = words { decided = decisions.map(\.ask) }
        let open = pendingAsks.filter { !decided.contains($0.id) }
        guard !open.isEmpty else { return nil }
        let names = open.map { "\"\($0.id)\"" }.joined(separator: ", ")
        return RunFailure("No decision on \(names).", code: "interrupt_not_covered")
    }
    /// Whether a fault may have changed sent events.
    package internal(set) var hasFired = false
    var count = 0
    /// Clients that have joined the thread during the current run, and get its further events.
    var followers: [RunInfo] = []
    var waiting: [(request: RunRequest, connection: ConnectionID)] = []
    @OnDemand var suspension: Suspension?
    @OnDemand var checkpoint: RunCheckpoint?
    /// Values for placeholders and conditions, in addition to slots.
    package internal(set) var given: [String: String] = [:]
    var ids: SeededGenerator
    private let script: SharedValue<Script>
    private var counts: [String: Int] = [:]

    /// Ids of the session's calls and interrupts, and whether its script has written events, for protocol rules.
    package private(set) var called: Set<String> = []
    package private(set) var asked: Set<String> = []
    package private(set) var hasWritten = false
    private(set) var eventBytes = 0
    private(set) var requestBytes = 0

    /// Bytes of the log's events and requests.
    package var heldBytes: Int { waiting.reduce(eventBytes + requestBytes) { $0 + $1.request.heldBytes } }

    /// Bytes of the stored requests and their values, each counted once.
    private var bytesOfRequests: Int {
        var bytes = input.byteCount
        if base !== input { bytes += base.byteCount }
        for run in runs {
            bytes += run.facts.said.utf8.count + run.facts.words.heldBytes
            if let body = run.facts.input, body !== input, body !== base { bytes += body.byteCount }
        }
        return given.reduce(bytes) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    init(seed: UInt64, script: SharedValue<Script>) {
        ids = SeededGenerator(seed: seed).stream("run ids")
        self.script = script
    }

    mutating func id(_ prefix: String) -> String {
        switch script.value.runs.ids {
        case .seeded: return UniqueID.text(prefix, ids.next())
        case .uuid: return UniqueID.version4(from: &ids).text
        case .counted:
            counts[prefix, default: 0] += 1
            return "\(prefix.dropLast())-\(counts[prefix] ?? 1)"
        }
    }

    /// Returns the log after `count` events of run `number`; nil if it cannot be restored.
    package func asItWas(in number: Int, at count: Int) -> RunLog? {
        guard let place = runs.firstIndex(where: { $0.facts.number == number }) else { return nil }
        var log = self
        if place < runs.count - 1 {
            if number < baseRun {
                guard let input = runs[place].facts.input else { return nil }
                (log.base, log.baseRun) = (input, number)
            }
            if number < inputRun { (log.input, log.inputRun) = (.empty, 0) }
            log.runs.removeLast(runs.count - 1 - place)
        }
        log.runs[place].isReplaced = false
        log.runs[place].entries.removeLast(max(0, runs[place].entries.count - count))
        return log
    }

    /// Returns the log as it was before an event; nil if it cannot be restored.
    package func before(_ entry: RunEntry, of run: RunInfo) -> RunLog? {
        // A replay has run number 0, which is not in the log.
        run.number == 0 ? self : asItWas(in: run.number, at: Int(entry.number) - 1)
    }

    var isFull: Bool { (runs.last?.entries.count ?? 0) >= ConversationLimits.runEntries }

    /// Whether all runs since the last request with its whole thread are stored.
    var isWhole: Bool { runs.first.map { $0.facts.number <= baseRun + 1 } ?? true }

    /// Appends an event to the current run.
    mutating func note(
        _ event: AgentEvent, at now: Instant, precedingCount: Int
    ) -> (run: RunInfo, entry: RunEntry) {
        let place = runs.count - 1
        let count = runs[place].entries.count
        let entry = RunEntry(event, count, precedingCount: precedingCount, at: now)
        if count < ConversationLimits.runEntries || event.isEnd {
            runs[place].entries.append(entry)
            let bytes = MemoryLayout<RunEntry>.stride + event.textBytes
            runs[place].eventBytes += bytes
            eventBytes += bytes
        }
        switch event {
        case .callStarted(let call): called.insert(call.id)
        case .finished(let end): if case .asks(let asks) = end.outcome { asked.formUnion(asks.map(\.id)) }
        case .written: hasWritten = true
        default: break
        }
        if event.isEnd { isRunning = false }
        return (runs[place].facts, entry)
    }

    mutating func begin(_ request: RunRequest, for connection: ConnectionID) {
        count += 1
        let facts = RunInfo(request, number: count, connection: connection, script: script)
        if runs.count == ConversationLimits.runs { eventBytes -= runs.removeFirst().eventBytes }
        runs.append(Run(facts: facts))
        if request.input.isEmpty, !input.isEmpty {
            // Without a run request, the values of the last one stay, except metadata and answers.
            given = given.filter { !$0.key.hasPrefix("metadata.") && !$0.key.hasPrefix("answer.") }
            given["run.id"] = request.run
        } else {
            let body = script.value.runs.echoes ? request.input : request.input.threadAlone
            (input, inputRun) = (body, body.isEmpty ? 0 : count)
            if request.bringsThread || baseRun == 0 { (base, baseRun) = (input, inputRun) }
            // Arguments and answers of pending calls stay.
            given =
                suspension == nil
                ? [:] : given.filter { Self.outlivesRun($0.key) }
        }
        if given.isEmpty { given = request.given } else { given.merge(request.given) { $1 } }
        given["run.number"] = "\(count)"
        requestBytes = bytesOfRequests
        isRunning = true
    }
}
