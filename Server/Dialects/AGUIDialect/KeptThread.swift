import ConversationEngine
import RunWire
import Texts

/// Byte ranges of messages and state in a stored long request.
struct ThreadIndex: Sendable {
    /// Range of the messages, without the brackets.
    let messages: Range<Int>
    /// Range of the state; empty if the request has none.
    let state: Range<Int>
    /// Sorted hashes of message ids and tool call ids.
    private let hashes: [UInt64]
    /// Whether the messages can be sent unchanged to clients of every version.
    let isPlain: Bool

    static func text(of input: RunInput) -> (bytes: [UInt8], index: ThreadIndex) {
        var bytes = Array(#"{"threadId":"","runId":"""#.utf8)
        if let version = input.protocolVersion {
            bytes += Array(#","protocolVersion":"#.utf8)
            JSONWriter.string(version, into: &bytes)
        }
        var state = bytes.count..<bytes.count
        if let value = input.state {
            bytes += Array(#","state":"#.utf8)
            let start = bytes.count
            JSONWriter.value(value, into: &bytes)
            state = start..<bytes.count
        }
        bytes += Array(#","messages":["#.utf8)
        let start = bytes.count
        RunEventWriter.write(input.messages, into: &bytes)
        let messages = start..<bytes.count
        bytes += Array("]}".utf8)
        return (bytes, ThreadIndex(input.messages, messages, state))
    }

    private init(_ all: [RunMessage], _ messages: Range<Int>, _ state: Range<Int>) {
        (self.messages, self.state) = (messages, state)
        var hashes: [UInt64] = []
        hashes.reserveCapacity(all.count)
        var isPlain = true
        for message in all {
            hashes.append(Self.hash(message.id))
            for call in message.toolCalls ?? [] { hashes.append(Self.hash(call.id)) }
            if message.subagentRunID != nil || message.role == .activity || message.role == .reasoning {
                isPlain = false
            }
            if message.role == .tool, case .parts? = message.content { isPlain = false }
        }
        hashes.sort()
        (self.hashes, self.isPlain) = (hashes, isPlain)
    }

    /// Whether the request may contain the id. If false, the request certainly does not contain the id.
    func mayHave(_ id: String) -> Bool {
        let wanted = Self.hash(id)
        let place = hashes.firstPlace { $0 >= wanted }
        return place < hashes.count && hashes[place] == wanted
    }

    /// Returns the 64-bit FNV-1a hash.
    private static func hash(_ id: String) -> UInt64 {
        id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The thread that consists of a stored request's messages and the runs after that request.
struct KeptThread {
    let base: RunBody
    let index: ThreadIndex
    /// The messages added after those of the request.
    private(set) var messages: [RunMessage] = []
    /// The state; nil if the request's state is unchanged.
    private(set) var state: JSONValue?

    /// Creates the thread from its runs. Nil if the bytes of the request cannot be reused: ``RunThread`` must then
    /// parse the request.
    init?(_ log: RunLog) {
        guard let index = log.base.notes as? ThreadIndex, index.isPlain, let first = log.runs.first else {
            return nil
        }
        (base, self.index) = (log.base, index)
        if index.state.isEmpty {
            guard first.facts.number >= log.baseRun else { return nil }
            state = .object(JSONObject())
        }
        var reducer = RunReducer()
        for run in log.runs {
            guard run.facts.number >= log.baseRun else {
                guard Self.leavesNothing(run) else { return nil }
                continue
            }
            guard !run.isReplaced else { continue }
            if run.facts.number > log.baseRun {
                let isLast = run.facts.number == log.inputRun
                let whole = isLast && log.input !== log.base ? RunThread.read(log.input.thread) : nil
                let small = whole ?? RunThread.read(Array(run.facts.said.utf8))
                if let brought = small?.state { state = brought }
                RunThread.add(run.facts, whole, to: &reducer)
            }
            guard apply(run, &reducer) else { return nil }
        }
        messages = reducer.messages
        guard messages.allSatisfy({ isNew($0) }) else { return nil }
    }

    private func isNew(_ message: RunMessage) -> Bool {
        !index.mayHave(message.id) && !(message.toolCallID.map { index.mayHave($0) } ?? false)
            && !(message.toolCalls ?? []).contains { index.mayHave($0.id) }
    }

    /// Whether a request with the whole thread replaces everything that a run added.
    private static func leavesNothing(_ run: Run) -> Bool {
        guard run.facts.said.isEmpty else { return false }
        return run.entries.allSatisfy { entry in
            switch entry.event {
            case .activity, .reasoningStarted, .reasoningTextStarted, .written: false
            default: true
            }
        }
    }

    /// Applies the events of a run. Returns false if this is not possible without the parsed request.
    private mutating func apply(_ run: Run, _ reducer: inout RunReducer) -> Bool {
        var expander = RunExpander(profile: .v1)
        var encoder = RunEventEncoder()
        for entry in run.entries where entry.event != .messages {
            for event in encoder.events(entry, of: run.facts, nil) {
                for event in (try? expander.expand(event)) ?? [] {
                    switch event.kind {
                    case .messagesSnapshot: return false
                    case .stateSnapshot(let value): state = value
                    case .stateDelta(let patch):
                        guard var document = state else { return false }
                        // A failed patch changes nothing.
                        document = (try? JSONPatch.apply(patch, to: document)) ?? document
                        state = document
                    default: guard reducer.apply(event).isEmpty else { return false }
                    }
                }
            }
        }
        return true
    }

    /// Returns a messages snapshot, and a state snapshot if `isWhole`.
    func snapshots(isWhole: Bool) -> [RunEvent] {
        [RunEvent(.messagesSnapshot(messages))]
            + (isWhole ? [RunEvent(.stateSnapshot(state ?? .null))] : [])
    }

    /// Returns the event-stream text of a snapshot, with the bytes of the request inserted.
    func text(of event: RunEvent) -> [UInt8] {
        var text: [UInt8] = []
        EventStreamWriter.event(event, into: &text)
        switch event.kind {
        case .messagesSnapshot: return completed(text)
        case .stateSnapshot where state == nil: return stated(text)
        default: return text
        }
    }

    private func completed(_ text: [UInt8]) -> [UInt8] {
        let beginning = Array(#"data: {"type":"MESSAGES_SNAPSHOT","messages":["#.utf8)
        var whole = beginning
        whole.reserveCapacity(text.count + index.messages.count + 1)
        whole += base.thread[index.messages]
        let rest = text[beginning.count...]
        if rest.first != UInt8(ascii: "]"), !index.messages.isEmpty { whole.append(UInt8(ascii: ",")) }
        whole += rest
        return whole
    }

    /// Replaces `null` by the stored state.
    private func stated(_ text: [UInt8]) -> [UInt8] {
        let beginning = Array(#"data: {"type":"STATE_SNAPSHOT","snapshot":"#.utf8)
        return beginning + base.thread[index.state] + text[(beginning.count + "null".utf8.count)...]
    }
}
