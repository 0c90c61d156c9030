import RunWire
import Texts

/// Snapshots, user messages and tool results of a recorded thread.
package struct RecordedThread: Sendable {
    enum Snapshot: Equatable, Sendable {
        /// All messages of the thread.
        case whole
        /// The messages before the run, then these.
        case own([JSONValue])
    }

    /// Snapshots that can be made from the thread, by run and event.
    private(set) var snapshots: [[Int: Snapshot]] = []
    /// Indexes of runs, by the id of the user's message that began the run.
    package private(set) var said: [String: Int] = [:]
    /// Text of the user's last message of each run; nil if unknown.
    private(set) var words: [String?] = []
    /// The client's results of its tools, in order.
    package private(set) var answers: [String] = []
    /// Number of messages that the first snapshot lists before the user's message.
    package private(set) var earlier = 0

    init(_ runs: [RunRecording.Run]) {
        var reducer = RunReducer()
        for (number, run) in runs.enumerated() {
            snapshots.append([:])
            words.append(nil)
            var base = reducer.messages
            var isKnown = false
            func add(_ messages: ArraySlice<RunMessage>) {
                let own = reducer.messages[base.count...]
                base += messages
                isKnown = true
                answers += messages.filter { $0.role == .tool }.map { $0.content?.text ?? "" }
                if let last = messages.last(where: { $0.role == .user }) {
                    said[last.id] = number
                    words[number] = last.content?.text
                }
                reducer = RunReducer(messages: base + own, state: reducer.state)
            }
            if let sent = run.start?.input?.messages {
                let known = Set(base.map(\.id))
                add(sent.filter { !known.contains($0.id) }[...])
            }
            let own = run.events.reduce(into: Set<String>()) { ids, event in
                if event.body["type"]?.string != "MESSAGES_SNAPSHOT" {
                    ids.formUnion(RecordedIDs.ids(in: event.body))
                }
            }
            let results = run.events.compactMap { event -> String? in
                if case .toolResult(let result) = event.event.kind { result.toolCallID } else { nil }
            }
            for (place, event) in run.events.enumerated() {
                guard case .messagesSnapshot(let listed) = event.event.kind else {
                    _ = reducer.apply(event.event)
                    continue
                }
                if !isKnown, listed.starts(with: base, by: Self.isSame) {
                    let new = listed.dropFirst(base.count)
                    let sent = { (message: RunMessage) in
                        !own.contains(message.id)
                            && (message.role == .user
                                || message.role == .tool && !results.contains(message.toolCallID ?? ""))
                    }
                    if !base.isEmpty {
                        add(new.prefix(while: sent))
                    } else if let last = new.lastIndex(where: { sent($0) && $0.role == .user }) {
                        earlier = last
                        add(new[...last])
                    }
                }
                if words[number] == nil {
                    let ids = own.union(base.map(\.id))
                    words[number] = listed.last { $0.role == .user && !ids.contains($0.id) }?.content?.text
                }
                // A snapshot that does not begin with the known messages cannot be made from the thread.
                if !base.isEmpty, listed.starts(with: base, by: Self.isSame) {
                    if listed.elementsEqual(reducer.messages, by: Self.isSame) {
                        snapshots[number][place] = .whole
                    } else if let items = event.body["messages"]?.array, items.count == listed.count {
                        snapshots[number][place] = .own(Array(items.dropFirst(base.count)))
                    }
                }
                reducer = RunReducer(messages: listed, state: reducer.state)
            }
        }
    }

    private static func isSame(_ one: RunMessage, _ other: RunMessage) -> Bool {
        func plain(_ message: RunMessage) -> RunMessage {
            var message = message
            if message.content?.text == "" { message.content = nil }
            if message.toolCalls?.isEmpty == true { message.toolCalls = nil }
            return message
        }
        return one.id == other.id && plain(one) == plain(other)
    }
}
