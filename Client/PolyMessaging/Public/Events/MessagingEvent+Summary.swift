extension MessagingEvent {
    /// One line about the event: its case, sequence and short facts, without message text.
    public var debugSummary: String {
        let place = envelope?.sequence.map { " #\($0)" } ?? ""
        let facts = facts
        return caseName + place + (facts.isEmpty ? "" : " " + facts)
    }

    /// The summary and the fields of the event, one per line, with message texts. The SDK never logs this text.
    public var debugDetail: String {
        var lines = [debugSummary]
        if let envelope {
            lines.append("id: \(envelope.id)")
            for (key, value) in (envelope.metadata?.custom ?? [:]).sorted(by: { $0.key < $1.key }) {
                lines.append("metadata.\(key): \(value)")
            }
        }
        for value in Mirror(reflecting: self).children.flatMap({ Self.associatedValues($0.value) }) {
            if value.value is Envelope { continue }
            lines += Self.lines(label: value.label ?? "value", value: value.value)
        }
        return lines.joined(separator: "\n")
    }

    private var caseName: String {
        Mirror(reflecting: self).children.first?.label ?? "\(self)"
    }

    private var facts: String {
        switch self {
        case .sessionStart(_, let payload): payload.capabilities.streaming ? "streaming" : "not streaming"
        case .sessionEnd(_, let payload): payload.reason ?? ""
        case .userMessage(_, let payload): Self.size(payload.text)
        case .messagePending(_, let text): Self.size(text)
        case .agentMessage(_, let payload): Self.size(payload.text)
        case .agentMessageChunk(_, let payload):
            "\(payload.chunkIndex)\(payload.isComplete ? " (last)" : ""), \(Self.size(payload.text ?? ""))"
        case .agentLeft(_, let payload): payload.reason ?? ""
        case .liveAgentTyping(_, let payload): payload.state == .started ? "started" : "stopped"
        case .liveAgentMessage(_, let payload): Self.size(payload.text)
        case .liveAgentLeft(_, let payload): payload.reason ?? ""
        case .systemMessage(_, let payload): "\(payload.level)"
        case .languageChanged(_, let payload): payload.languageCode
        case .clientHandoffRequired(_, let payload): payload.route ?? payload.reason ?? ""
        case .handoffQueueStatus(_, let payload): payload.position.map { "position \($0)" } ?? ""
        case .handoffAccepted(_, let payload): payload.queueName ?? ""
        case .handoffFailed(_, let payload): payload.reason ?? ""
        case .handoffTimeout(_, let payload): payload.reason ?? ""
        case .reconnecting(let attempt): "attempt \(attempt)"
        case .disconnected(let error): error.map { String(reflecting: $0) } ?? ""
        default: ""
        }
    }

    private static func size(_ text: String) -> String { "\(text.utf8.count) bytes" }

    private static func associatedValues(_ value: Any) -> [(label: String?, value: Any)] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else { return [(nil, value)] }
        return mirror.children.map { (label: $0.label, value: $0.value) }
    }

    /// Returns the fields of a payload, one per line, without nil and empty lists.
    private static func lines(label: String, value: Any) -> [String] {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.flatMap { lines(label: label, value: $0.value) }
        case .collection: return mirror.children.flatMap { lines(label: label, value: $0.value) }
        case .struct where !(value is any CustomStringConvertible):
            return mirror.children.flatMap { lines(label: $0.label ?? label, value: $0.value) }
        default: return ["\(label): \(value)"]
        }
    }
}
