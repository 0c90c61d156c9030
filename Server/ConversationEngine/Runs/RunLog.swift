import Clocks
import Matching

/// One run: what happens between what a client says and the end of the agent's turn.
package struct Run: Equatable, Sendable {
    package let facts: RunInfo
    package internal(set) var entries: [RunEntry] = []
    /// Bytes of the run's events.
    fileprivate(set) var eventBytes = 0
    /// The run's request came again: the events of the later run replace those of this run.
    package internal(set) var isReplaced = false

    package var hasEnded: Bool { entries.last?.event.isEnd ?? false }
}

/// Constants of a run. A class, because all its events refer to it.
package final class RunInfo: Equatable, Sendable {
    package let thread: String
    package let id: String
    package let parent: String?
    /// From 1 within the session.
    package let number: Int
    /// The connection that asked for it; ``ConnectionID/none`` for a session without runs that is read as one.
    package let connection: ConnectionID
    package let words: RunRequest.Words
    /// ``RunRequest/message``
    package let message: String?
    /// ``RunRequest/said``
    package let said: String
    /// ``RunRequest/digest``
    let digest: UInt64
    /// ``RunRequest/manner``
    package let manner: Int
    package var manners: RunSettings { _read { yield script.value.runs } }
    private let script: Box<Script>
    /// Its request; empty where its client knows no runs, nil where no event gives it back.
    package let input: RunBody?

    init(_ request: RunRequest, number: Int, connection: ConnectionID, script: Box<Script>) {
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

/// The runs of a session, as dialects read them: apart from its journal, without a sequence and with ids of their own. The
/// open parts of the run under way are in ``RunMachine``.
package struct RunLog: Sendable {
    /// A call that has no result yet.
    struct OpenCall: Equatable, Sendable {
        var id: String
        var tool: String
        /// The client has to answer it.
        var isOfClient: Bool
    }

    /// The rest of a turn that waits for answers of the client.
    struct Suspension: Sendable {
        var rest: Turn
        /// Those that the client has to answer.
        var calls: [OpenCall] = []
        /// All calls without a result.
        var open: [OpenCall] = []
        var asks: [RunAsk] = []
        /// Calls of the client that have their answer while others lack it.
        var answered: [String] = []
    }

    package internal(set) var runs: [Run] = []
    /// The last request of a client that knows runs; empty where none does.
    package internal(set) var input = RunBody.empty
    /// The number of the run that ``input`` asked for. Words of later ones came from elsewhere.
    package internal(set) var inputRun = 0
    /// The last request that brought the thread along, and the number of its run. Later ones go on from it.
    package internal(set) var base = RunBody.empty
    package internal(set) var baseRun = 0
    /// The last run goes on.
    package internal(set) var isRunning = false
    /// Calls that the client has to answer.
    package var pendingCalls: [(id: String, tool: String)] {
        (suspension?.calls ?? []).map { ($0.id, $0.tool) }
    }
    /// Open interrupts: questions to the client without a decision.
    package var pendingAsks: [RunAsk] { suspension?.asks ?? [] }
    /// The refusal of a request that does not answer all open interrupts; nil where it does.
    func uncovered(by words: RunRequest.Words) -> RunFailure? {
        var decided: [String] = []
        if case .decisions(let decisions) = words { decided = decisions.map(\.ask) }
        let open = pendingAsks.filter { !decided.contains($0.id) }
        guard !open.isEmpty else { return nil }
        let names = open.map { "\"\($0.id)\"" }.joined(separator: ", ")
        return RunFailure("No decision on \(names).", code: "interrupt_not_covered")
    }
    /// A trouble may have changed the events sent to clients.
    package internal(set) var isStruck = false
    var count = 0
    var waiting: [(request: RunRequest, connection: ConnectionID)] = []
    @OnDemand var suspension: Suspension?
    @OnDemand var checkpoint: RunCheckpoint?
    /// Values for placeholders and conditions, in addition to slots.
    package internal(set) var given: [String: String] = [:]
    var ids: SeededGenerator
    private let script: Box<Script>
    /// Id counters by prefix.
    private var counts: [String: Int] = [:]

    /// Ids of calls and questions of the kept runs, and whether a script wrote out events of them: laws need not look
    /// through all that happened.
    package private(set) var called: Set<String> = []
    package private(set) var asked: Set<String> = []
    package private(set) var hasWritten = false
    /// Bytes of the events of the kept runs.
    private var eventBytes = 0
    /// Bytes of the kept parts of requests, as of the last request.
    private var requestBytes = 0

    /// Bytes of the log in memory, without its constant parts; kept up to date, so that nothing is counted
    /// here.
    package var heldBytes: Int {
        waiting.reduce(eventBytes + requestBytes) { $0 + $1.request.heldBytes }
    }

    /// The texts of the last requests, each once however often it is named, and the values that they gave.
    private var bytesOfRequests: Int {
        var bytes = input.byteCount
        if base !== input { bytes += base.byteCount }
        for run in runs {
            bytes += run.facts.said.utf8.count + run.facts.words.heldBytes
            if let body = run.facts.input, body !== input, body !== base { bytes += body.byteCount }
        }
        return given.reduce(bytes) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    init(seed: UInt64, script: Box<Script>) {
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

    /// The log when the run `number` had told `count` events; nil where the request of that run is not kept.
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

    /// The log when this event came, without it; nil where that is not known any more.
    package func before(_ entry: RunEntry, of run: RunInfo) -> RunLog? {
        // What happened so far, told as a run of its own, stands in no log.
        run.number == 0 ? self : asItWas(in: run.number, at: Int(entry.number) - 1)
    }

    /// The run under way has as many events as are kept.
    var isFull: Bool { (runs.last?.entries.count ?? 0) >= ConversationLimits.runEntries }

    /// No run is forgotten whose messages no request brought since.
    var isWhole: Bool { runs.first.map { $0.facts.number <= baseRun + 1 } ?? true }

    /// Appends an event of the run under way, with the number of journal entries before it (`behind`).
    mutating func note(
        _ event: AgentEvent, at now: Instant, behind: Int
    ) -> (run: RunInfo, entry: RunEntry) {
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
        case .finished(let end):
            if case .asks(let asks) = end.outcome { asked.formUnion(asks.map(\.id)) }
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
            // The thread goes on as it stood.
            given = given.filter { !$0.key.hasPrefix("metadata.") && !$0.key.hasPrefix("answer.") }
            given["run.id"] = request.run
        } else {
            let body = script.value.runs.echoes ? request.input : request.input.threadAlone
            (input, inputRun) = (body, body.isEmpty ? 0 : count)
            if request.bringsThread || baseRun == 0 { (base, baseRun) = (input, inputRun) }
            // What was called with which arguments stays known, and so do answers that came before the others.
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
