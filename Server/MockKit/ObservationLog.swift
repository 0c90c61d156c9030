import Clocks
import ConversationEngine
import Matching
import MockServer

/// The log of ``ObservedEvent``s, built from the events that a server reports to its observer.
struct ObservationLog: Sendable {
    private struct Session: Sendable {
        var script: Script
        var connections: [ConnectionID] = []
        var open: Set<ConnectionID> = []
        var awaitingEcho: [Int] = []
        var hasJoined = false
        var hasEnded = false
        var sequence: UInt64 = 0
        var rule: String?
        var place: CallSite?
        var streamed: [String: Int] = [:]
        /// Ids of delivered entries without a sequence.
        var transient: Set<UniqueID> = []
    }

    private let start: Instant
    private var sessions: [String: Session] = [:]
    private(set) var observedEvents: [ObservedEvent] = []
    private(set) var scripts: [String: Script] = [:]
    private(set) var exercised: [String: Set<SourcePlace>] = [:]
    private(set) var fired: [String: Set<String>] = [:]

    init(start: Instant) { self.start = start }

    mutating func record(_ news: ServerNews, at now: Instant) {
        let time = now - start
        switch news {
        case .opened(let id, let script):
            sessions[id] = Session(script: script)
            scripts[script.file] = script
        case .connected(let id, let connection, let cursor): connect(id, connection, cursor, at: time)
        case .disconnected(let id, let connection):
            guard sessions[id]?.open.remove(connection) != nil else { return }
            append(
                ObservedEvent(
                    .disconnection, at: time, session: id, connection: number(of: connection, in: id)))
        case .said(let id, let connection, let input): record(input.word, connection, id, at: time)
        case .delivered(let id, let entry): record(entry, id)
        case .noted(let id, let note, let report): record(note, report, id, at: time)
        case .broken(let id, let connection, let protocolRule, let source):
            let number = connection.flatMap { self.number(of: $0, in: id) }
            append(
                ObservedEvent(
                    .violation, at: time, session: id, connection: number, text: protocolRule, note: source))
        case .unmatchedRequest(let request): append(ObservedEvent(.unmatchedRequest, at: time, text: request))
        }
    }

    /// Numbers and appends an event, unless the log is full (``KitLimits/observedEvents``).
    mutating func append(_ observed: ObservedEvent) {
        guard observedEvents.count < KitLimits.observedEvents else { return }
        var observed = observed
        observed.number = observedEvents.count + 1
        observedEvents.append(observed)
    }

    // MARK: - Connections and clients

    private mutating func connect(
        _ id: String, _ connection: ConnectionID, _ cursor: UInt64, at time: Interval
    ) {
        sessions[id]?.connections.append(connection)
        sessions[id]?.open.insert(connection)
        let number = number(of: connection, in: id)
        let note = (number ?? 1) > 1 ? "with cursor \(cursor)" : nil
        append(ObservedEvent(.connection, at: time, session: id, connection: number, note: note))
    }

    private func number(of connection: ConnectionID, in id: String) -> Int? {
        sessions[id]?.connections.lastIndex(of: connection).map { $0 + 1 }
    }

    private mutating func record(
        _ word: ClientInput.Word, _ connection: ConnectionID, _ id: String, at time: Interval
    ) {
        guard let session = sessions[id] else { return }
        var observed = ObservedEvent(
            .event, at: time, session: id, connection: number(of: connection, in: id))
        func set(_ event: Event) {
            observed.type = Server.type(of: event)
            describe(event, session, &observed)
        }
        switch word {
        case .join:
            set(.joinRequested)
            if session.hasJoined {
                let again = (observed.connection ?? 1) > 1 ? "sent after a reconnect; " : ""
                observed.note = again + "the agent was already in the session"
            }
            sessions[id]?.hasJoined = true
        case .say(let text): set(.userMessage(id: "", text: text))
        case .file(let file): set(.userFile(file))
        case .heartbeat: set(.heartbeat)
        case .typing(let state): set(.userTyping(state))
        case .end: set(.userEnded)
        case .refused(let problem, let detail):
            observed.text = "refused: \(problem.rawValue)" + (detail.map { " (\($0))" } ?? "")
        case .receipt(let receipt, let messageID): observed.text = "\(receipt.rawValue) \(messageID)"
        case .change(let change): set(.messageChanged(change))
        case .ignored: observed.text = "ignored"
        case .run(let request): observed.text = "run \(request.run)"
        }
        if session.hasEnded { observed.note = "the session had ended" }
        append(observed)
        switch word {
        case .join, .say, .file, .heartbeat, .end: sessions[id]?.awaitingEcho.append(observedEvents.count - 1)
        default: break
        }
    }

    // MARK: - Entries

    private mutating func record(_ entry: JournalEntry, _ id: String) {
        guard let session = sessions[id] else { return }
        if let sequence = entry.sequence {
            guard sequence > session.sequence else { return }
            sessions[id]?.sequence = sequence
        } else if sessions[id]?.transient.insert(entry.id).inserted == false {
            return
        }
        let type = Server.type(of: entry.event)
        switch entry.event {
        case .joinRequested, .userMessage, .userFile, .userEnded, .heartbeat:
            let index = session.awaitingEcho.firstIndex { observedEvents[$0].type == type }
            if let index {
                observedEvents[session.awaitingEcho[index]].sequence = entry.sequence
                sessions[id]?.awaitingEcho.remove(at: index)
                return
            }
        case .agentChunk(let chunk):
            if let index = session.streamed[chunk.messageID] {
                observedEvents[index].text += chunk.text
                return
            }
            sessions[id]?.streamed[chunk.messageID] = observedEvents.count
        case .sessionEnded: sessions[id]?.hasEnded = true
        default: break
        }
        var observed = ObservedEvent(
            .event, at: entry.time - start, session: id, sequence: entry.sequence, type: type)
        if session.open.count == 1, let only = session.open.first {
            observed.connection = number(of: only, in: id)
        }
        describe(entry.event, session, &observed)
        append(observed)
        // After a live agent has joined, messages come from the steps of the handoff, not from the rule itself.
        if case .liveAgentJoined = entry.event {
            sessions[id]?.rule = session.rule.map { "what follows " + $0 }
        }
    }

    private func describe(_ event: Event, _ session: Session, _ observed: inout ObservedEvent) {
        let summary = event.summary
        (observed.kind, observed.text) =
            switch event {
            case .sessionStarted: (.sessionStarted, "")
            case .joinRequested: (.join, "")
            case .userMessage, .userFile: (.userMessage, summary.words)
            case .heartbeat: (.heartbeat, "")
            case .agentMessage, .agentChunk: (.reply, summary.words)
            case .liveAgentMessage: (.liveAgentMessage, summary.words)
            case .agentThinking: (.typing, "agent thinks")
            case .userTyping: (.typing, "user " + summary.words)
            case .liveAgentTyping: (.typing, summary.words)
            case .queueStatus(let status): (.queue, status.position.map { "\($0)" } ?? "")
            case .handoffTriggered: (.handoff, Pattern.Handoff.triggered.rawValue)
            case .handoffAccepted: (.handoff, Pattern.Handoff.accepted.rawValue)
            case .handoffFailed: (.handoff, Pattern.Handoff.failed.rawValue)
            case .handoffTimedOut: (.handoff, Pattern.Handoff.timedOut.rawValue)
            case .clientHandoffRequired: (.handoff, Pattern.Handoff.clientRequired.rawValue)
            case .liveAgentJoined: (.liveAgentJoined, summary.words)
            case .liveAgentLeft: (.liveAgentLeft, summary.words)
            case .sessionEnded: (.sessionEnded, summary.words)
            case .languageChanged: (.event, summary.words)
            case .notice(_, let text): (.system, Server.words(of: text))
            default: (.event, "")
            }
        observed.messageID = summary.message ?? ""
        if case .notice(let level, let text) = event {
            observed.isError = level == .error
            if case .known(let problem, _) = text { observed.problem = problem.rawValue }
        }
        switch observed.kind {
        case .reply, .liveAgentMessage:
            observed.rule = session.rule ?? "greeting"
            observed.place = session.place ?? place(session.script.greeting.first?.place, session.script)
        default: break
        }
    }

    // MARK: - Notes

    private mutating func record(_ note: Note, _ report: UnmatchedReport?, _ id: String, at time: Interval) {
        guard let session = sessions[id] else { return }
        switch note {
        case .heard(_, let rule, let rulePlace, _, _):
            sessions[id]?.rule = rule
            let answering = place(rulePlace, session.script)
            sessions[id]?.place = answering
            exercised[session.script.file, default: []].insert(rulePlace)
        case .unmatched(let unmatched):
            let best = unmatched.substitute?.place ?? report?.misses.first?.place
            append(
                ObservedEvent(
                    .unmatchedMessage, at: time, session: id, text: unmatched.text, note: report?.text,
                    rule: unmatched.substitute?.name, place: place(best, session.script)))
        case .missed(let missed):
            append(
                ObservedEvent(
                    .unmatchedMessage, at: time, session: id, text: missed.text, note: missed.report,
                    place: place(missed.place, session.script)))
        case .faultFired(let name, _):
            fired[session.script.file, default: []].insert(name)
            let fault = session.script.faults.first { $0.name == name }
            append(
                ObservedEvent(
                    .fault, at: time, session: id, text: name, place: place(fault?.place, session.script))
            )
        default: break
        }
    }

    private func place(_ place: SourcePlace?, _ script: Script) -> CallSite? {
        guard let place, place.line > 0, !script.file.isEmpty else { return nil }
        return CallSite(fixture: script.file, line: place.line, column: place.column)
    }
}
