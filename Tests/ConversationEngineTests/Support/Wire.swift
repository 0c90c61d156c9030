import Clocks
import ConversationEngine
import Expectations
import Testing

/// The least that a shell does with the effects of one session: applies them in order and keeps what each
/// connection was sent.
struct Wire {
    /// Everything that happened, whoever heard it.
    private(set) var told: [JournalEntry] = []
    /// The journaled part of `told`.
    private var history: [JournalEntry] = []
    private var known: Set<UniqueID> = []
    private(set) var received: [ConnectionID: [JournalEntry]] = [:]
    private(set) var batches: [ConnectionID: [[JournalEntry]]] = [:]
    private(set) var closes: [ConnectionID: CloseCause] = [:]
    private(set) var notes: [Note] = []
    private(set) var firings: [FiredFault] = []
    private(set) var forgotten: [SessionHandle] = []

    mutating func apply(_ effects: [Effect]) {
        for effect in effects { apply(effect) }
    }

    private mutating func apply(_ effect: Effect) {
        switch effect {
        case .deliver(_, let entry, let audience):
            // What a connection had to wait for is told again when it is sent.
            if known.insert(entry.id).inserted {
                told.append(entry)
                if entry.sequence != nil { history.append(entry) }
            }
            switch audience {
            case .nobody: break
            case .one(let connection): send([entry], to: connection)
            case .many(let connections): for connection in connections { send([entry], to: connection) }
            }
        case .replay(_, let connection, let after, let includesStart):
            // Not the engine's journal: that may be ahead of the effects.
            #expect(after <= UInt64(history.count))
            var batch = Array(history[Int(after)...])
            if includesStart, after > 0, let start = history.first { batch.insert(start, at: 0) }
            expectEqual(received[connection], nil, "nothing may come before the history")
            send(batch, to: connection)
            batches[connection, default: []].append(batch)
        case .close(let connection, let cause):
            expectEqual(closes[connection], nil, "a connection is closed once")
            closes[connection] = cause
        case .forgotten(let handle):
            forgotten.append(handle)
        case .note(_, let note):
            notes.append(note)
        case .fire(_, let firing):
            firings.append(firing)
        case .run: break
        }
    }

    private mutating func send(_ entries: [JournalEntry], to connection: ConnectionID) {
        expectEqual(closes[connection], nil, "nothing may come after the close")
        received[connection, default: []] += entries
    }
}

extension JournalEntry {
    /// Such as `4 MESSAGE Welcome`, or `- THINKING` when transient.
    var line: String { (sequence.map { "\($0) " } ?? "- ") + event.line }
}

extension Event {
    /// The event in the words of the protocol, short enough for a list in a test.
    var line: String {
        switch self {
        case .sessionStarted: "SESSION_START"
        case .joinRequested: "JOIN"
        case .agentJoined(let agent): "JOINED \(agent.name)"
        case .agentThinking: "THINKING"
        case .userMessage(_, let text): "USER \(text)"
        case .userFile(let file): "FILE \(file.name)"
        case .messageChanged(let change): "CHANGED \(change.by.rawValue) \(change.words)"
        case .userTyping: "USER_TYPING"
        case .userEnded: "USER_END"
        case .heartbeat: "HEARTBEAT"
        case .agentMessage(let message): "MESSAGE \(message.text)"
        case .agentChunk(let chunk): "CHUNK \(chunk.index) \(chunk.text)\(chunk.isComplete ? "|" : "")"
        case .agentLeft: "LEFT"
        case .handoffTriggered: "TRIGGERED"
        case .clientHandoffRequired(let reason, let queue, let route):
            "CLIENT_HANDOFF \([reason, queue, route].compactMap { $0 }.joined(separator: " "))"
        case .handoffAccepted: "ACCEPTED"
        case .queueStatus(let status): "QUEUE \(status.position ?? 0)"
        case .handoffFailed: "FAILED"
        case .handoffTimedOut: "TIMEOUT"
        case .liveAgentJoined(let person): "PERSON_JOINED \(person.name)"
        case .liveAgentTyping(let state, _): state == .started ? "TYPING" : "TYPING_STOPPED"
        case .liveAgentMessage(let message, let person): "\(person.name) \(message.text)"
        case .liveAgentLeft(let person, _): "PERSON_LEFT \(person.name)"
        case .liveAgentStatus(let status, let person): "STATUS \(person.name) \(status.rawValue)"
        case .languageChanged(let code): "LANGUAGE \(code)"
        case .notice(let level, .known(let problem, _)): "\(level.rawValue) \(problem.rawValue)"
        case .notice(let level, .words(let words)): "\(level.rawValue) \(words)"
        case .idleWarning: "IDLE_WARNING"
        case .receipt: "RECEIPT"
        case .surveyRequested: "SURVEY"
        case .sessionEnded(let reason): "SESSION_END \(reason.rawValue)"
        case .raw(let type, _): "RAW \(type)"
        }
    }
}
