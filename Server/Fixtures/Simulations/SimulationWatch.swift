import Clocks
import ConversationEngine

/// Checker of invariants for each journal entry that a client receives.
struct SimulationWatch {
    private var lastSequence: UInt64 = 0
    private var lastTime: Instant?
    private var hasEnded = false
    private var agentHasJoined = false
    private var isLiveAgentHere = false
    private var isQueueing = false
    private var openStream: (id: String, next: Int)?
    private var messageIDs: Set<String> = []
    private var wordsToEcho: [String] = []
    /// Additional invariant. The function returns the violation, or nil.
    let extra: (@Sendable (JournalEntry) -> String?)?

    init(extra: (@Sendable (JournalEntry) -> String?)?) { self.extra = extra }

    var cursor: UInt64 { lastSequence }
    var isOver: Bool { hasEnded }

    mutating func expectEcho(_ text: String) {
        if !hasEnded { wordsToEcho.append(text) }
    }

    /// Checks invariants that must hold while the script is idle. Returns the violation, or nil.
    func atRest() -> String? {
        if let first = wordsToEcho.first, !hasEnded { return "\"\(first)\" was never echoed" }
        if openStream != nil, !hasEnded { return "a streamed reply stopped before its last chunk" }
        return nil
    }

    /// Checks an entry. Returns the violation, or nil.
    mutating func check(_ entry: JournalEntry) -> String? {
        if hasEnded { return "\(entry.kind.rawValue) came after the end" }
        if let last = lastTime, entry.time < last { return "time went back before \(entry.kind.rawValue)" }
        lastTime = entry.time
        if let sequence = entry.sequence {
            guard sequence == lastSequence + 1 else {
                return "sequence \(sequence) came after \(lastSequence)"
            }
            lastSequence = sequence
            if sequence == 1, entry.kind != .sessionStarted {
                return "the first entry is \(entry.kind.rawValue)"
            }
        }
        return check(entry.event) ?? extra?(entry)
    }

    private mutating func check(_ event: Event) -> String? {
        switch event {
        case .agentJoined: agentHasJoined = true
        case .userMessage(let id, let text):
            guard let expected = wordsToEcho.first, expected == text else {
                return "\"\(text)\" was echoed out of turn"
            }
            wordsToEcho.removeFirst()
            return unique(id.text)
        case .agentMessage(let message):
            guard agentHasJoined else { return "the agent spoke before it joined" }
            guard !isLiveAgentHere else { return "the agent spoke while a live agent was there" }
            return unique(message.id)
        case .agentChunk(let chunk): return check(chunk)
        case .handoffAccepted: isQueueing = true
        case .queueStatus: guard isQueueing else { return "a position in a queue that nobody is in" }
        case .handoffFailed, .handoffTimedOut: isQueueing = false
        case .liveAgentJoined:
            isQueueing = false
            isLiveAgentHere = true
        case .liveAgentMessage(let message, _):
            guard isLiveAgentHere else { return "a live agent spoke before joining" }
            return unique(message.id)
        case .liveAgentLeft: isLiveAgentHere = false
        case .sessionEnded: hasEnded = true
        default: break
        }
        return nil
    }

    private mutating func check(_ chunk: Chunk) -> String? {
        if let open = openStream {
            guard open.id == chunk.messageID else { return "two replies are streamed at once" }
            guard open.next == chunk.index else {
                return "chunk \(chunk.index) came in place of \(open.next)"
            }
        } else {
            if let problem = unique(chunk.messageID) { return problem }
            guard chunk.index == 1 else { return "a streamed reply began with chunk \(chunk.index)" }
        }
        openStream = chunk.isComplete ? nil : (chunk.messageID, chunk.index + 1)
        return nil
    }

    private mutating func unique(_ id: String) -> String? {
        messageIDs.insert(id).inserted ? nil : "two messages have the id \(id)"
    }
}
