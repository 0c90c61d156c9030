import Clocks
import Matching

/// An agent run, from the client input to the end of the agent's turn.
package struct Run: Equatable, Sendable {
    package let facts: RunInfo
    package internal(set) var entries: [RunEntry] = []
    fileprivate(set) var eventBytes = 0
    /// Whether a later run of the same request has replaced this run.
    package internal(set) var isReplaced = false

    package var hasEnded: Bool { entries.last?.event.isEnd ?? false }
}

/// The constant data of a run, shared by its events.
package final class RunInfo: Equatable, Sendable {
    package let thread: String
    package let id: String
    package let parent: String?
    package let number: Int
    /// The connection that requested the run; ``ConnectionID/none`` if no connection did.
    package let connection: ConnectionID
    package let words: RunRequest.Content
    /// The client's id of the request's message.
    package let message: String?
    /// The new parts of the thread that `words` and `message` do not contain, in the form of the dialect.
    package let said: String
    let digest: UInt64
    /// The number of the requested encoding. The dialect defines the numbers.
    package let manner: Int
    package var manners: RunSettings { _read { yield script.value.runs } }
    private let script: SharedValue<Script>
    /// The body of the request. Empty for a client without runs; nil if no event needs the body.
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

/// The agent runs of a session, not part of the journal. ``RunMachine`` has the open parts of the current run.
package struct RunLog: Sendable {
    struct OpenCall: Equatable, Sendable {
        var id: String
        var tool: String
        var isOfClient: Bool
    }

    /// The rest of a turn that waits for answers of the client.
    struct Suspension: Sendable {
        var rest: Turn
        var calls: [OpenCall] = []
        var open: [OpenCall] = []
        var asks: [RunAsk] = []
        /// Ids of the calls that are already answered while other calls are pending.
        var answered: [String] = []
    }

    package internal(set) var runs: [Run] = []
    /// The last run request of a client.
    package internal(set) var input = RunBody.empty
    /// The number of the run that ``input`` requested. All later runs answer clients of protocols without runs.
    package internal(set) var inputRun = 0
    /// The last request that contained its whole thread, and the number of the run that it started. Later runs add to
    /// this thread.
    package internal(set) var base = RunBody.empty
    package internal(set) var baseRun = 0
    package internal(set) var isRunning = false
    package var pendingCalls: [(id: String, tool: String)] {
        (suspension?.calls ?? []).map { ($0.id, $0.tool) }
    }
    package var pendingAsks: [RunAsk] { suspension?.asks ?? [] }
    /// Returns the failure of a request without decisions on all pending interrupts; nil if the request has decisions
    /// on all of them.
    func uncovered(by words: RunRequest.Content) -> RunFailure? {
        var decided: [String] = []
        if case .decisions(let decisions) = words { decided = decisions.map(\.ask) }
        let open = pendingAsks.filter { !decided.contains($0.id) }
        guard !open.isEmpty else { return nil }
        let names = open.map { "\"\($0.id)\"" }.joined(separator: ", ")
        return RunFailure("No decision on \(names).", code: "interrupt_not_covered")
    }
    /// True if a fault may have changed events that were sent.
    package internal(set) var hasFired = false
    var count = 0
    var waiting: [(request: RunRequest, connection: ConnectionID)] = []
    @OnDemand var suspension: Suspension?
    @OnDemand var checkpoint: RunCheckpoint?
    /// Values for placeholders and conditions, in addition to slots.
    package internal(set) var given: [String: String] = [:]
    var ids: SeededGenerator
    private let script: SharedValue<Script>
    private var counts: [String: Int] = [:]

    /// For protocol rules: ids of the calls and interrupts of the stored runs, and whether a script has written events.
    package private(set) var called: Set<String> = []
    package private(set) var asked: Set<String> = []
    package private(set) var hasWritten = false
    private var eventBytes = 0
    private var requestBytes = 0

    /// Size of the log's events and requests in bytes, updated at each change.
    package var heldBytes: Int { waiting.reduce(eventBytes + requestBytes) { $0 + $1.request.heldBytes } }

    /// Size of the stored requests and of their values in bytes. Each request is counted once.
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

    /// Returns the log as it was after `count` events of run `number`; nil if the run's request is not stored.
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

    /// Returns the log as it was before an event; nil if that state is unknown.
    package func before(_ entry: RunEntry, of run: RunInfo) -> RunLog? {
        // A replay is a run with the number 0, which is not in the log.
        run.number == 0 ? self : asItWas(in: run.number, at: Int(entry.number) - 1)
    }

    var isFull: Bool { (runs.last?.entries.count ?? 0) >= ConversationLimits.runEntries }

    /// True if all runs since the last request that contained its whole thread are stored.
    var isWhole: Bool { runs.first.map { $0.facts.number <= baseRun + 1 } ?? true }

    /// Appends an event to the current run. `behind` is the number of journal entries before the event.
    mutating func note(_ event: AgentEvent, at now: Instant, behind: Int) -> (run: RunInfo, entry: RunEntry) {
        let place = runs.count - 1
        let count = runs[place].entries.count
        let entry = RunEntry(event, count, behind: behind, at: now)
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
            // The request came from a client without runs, so the values of the last run request stay.
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
