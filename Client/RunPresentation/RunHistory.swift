import AgentRuns
import ChatPresentation
import Clocks
import RunWire
import Texts

struct RunHistory {
    var history = ChatHistory(isOpen: true)
    private let open: Set<String>
    /// Ids of the calls with a result. The value is true for a failed call.
    private var results: [String: Bool] = [:]

    init(_ open: Set<String>, _ messages: [RunWire.RunMessage]) {
        self.open = open
        for message in messages where message.role == .tool {
            if let call = message.toolCallID { results[call] = message.error != nil }
        }
    }

    mutating func event(_ kind: ChatEvent.Kind, at now: Instant) {
        history.entries.append(
            .event(
                ChatEvent(
                    id: "", sequence: history.entries.count + 1, at: now.millisecondsSince1970, kind)))
    }

    mutating func note(_ text: String, _ level: RowNotice.Level, at now: Instant) {
        event(.systemMessage(text: text, level: level), at: now)
    }

    mutating func draft(
        _ id: String, _ text: String, at now: Instant, _ state: RowMessage.Delivery,
        files: [RowAttachment] = []
    ) {
        history.entries.append(.draft(id: id, text: text, at: now.millisecondsSince1970, state, files: files))
    }

    /// Adds a message. `isRunning`: calls without a result are in progress.
    mutating func write(
        _ message: RunWire.RunMessage, at now: Instant, _ state: RowMessage.Delivery, isRunning: Bool
    ) {
        switch message.role {
        case .user:
            draft(message.id, message.content?.text ?? "", at: now, state, files: Self.files(of: message))
        case .assistant:
            let text = message.content?.text ?? ""
            if open.contains(message.id) {
                event(.chunk(.init(id: message.id, text: text), index: 1, isLast: false), at: now)
            } else if !text.isEmpty {
                event(.message(.init(id: message.id, text: text), from: .agent), at: now)
            }
            for call in message.toolCalls ?? [] { write(call, isRunning, at: now) }
        case .activity:
            guard let activity = message.activity else { return }
            let titles = ["title", "message", "text"].compactMap { activity.content[$0]?.string }
            note(titles.first ?? activity.type, .info, at: now)
        case .tool, .system, .developer, .reasoning: break
        }
    }

    private mutating func write(_ call: RunWire.RunToolCall, _ isRunning: Bool, at now: Instant) {
        let name = call.metadata?["mock.displayName"]?.string ?? call.name
        let work = call.metadata?["mock.executionText"]?.string ?? name
        note(
            results[call.id] == nil && isRunning ? work : name, results[call.id] == true ? .error : .info,
            at: now)
    }

    private static func files(of message: RunWire.RunMessage) -> [RowAttachment] {
        guard case .parts(let parts)? = message.content else { return [] }
        return parts.enumerated().compactMap { index, part in
            guard let source = ContentPart(part).source else { return nil }
            let (type, url): (String?, String?) =
                switch source {
                case .data(_, let type): (type, nil)
                case .url(let url, let type): (type, url)
                case .file(_, _, let type): (type, nil)
                }
            let kind =
                part.kind == .document || part.kind == .binary
                ? "application/octet-stream" : "\(part.kind.rawValue)/*"
            return RowAttachment(
                file: "\(message.id)-\(index)", name: part.kind.rawValue, type: type ?? kind, url: url)
        }
    }
}
