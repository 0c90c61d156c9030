extension Pattern {
    var one: String {
        let noun = noun
        // These are the only nouns that begin with a vowel sound.
        let article = ["event", "unmatched", "agent"].contains { noun.hasPrefix($0) } ? "an" : "a"
        return "\(article) \(noun)\(detail)"
    }

    func counted(_ count: Int) -> String {
        switch count {
        case 0: "no \(noun)\(detail)"
        case 1: "1 \(noun)\(detail)"
        default: "\(count) \(plural)\(detail)"
        }
    }

    var noun: String {
        if isAgain { return "reconnect" }
        if isError { return "agent error" }
        switch kind {
        case .join: return "join"
        case .userMessage: return "user message"
        case .reply: return "reply"
        case .liveAgentMessage: return "live agent's message"
        case .heartbeat: return "heartbeat"
        case .system: return "system message"
        case .typing: return "typing"
        case .queue: return "queue update"
        case .liveAgentJoined: return "live agent joining"
        case .liveAgentLeft: return "live agent leaving"
        case .handoff: return "handoff step"
        case .connection: return "connection"
        case .disconnection: return "disconnection"
        case .sessionStarted: return "session"
        case .sessionEnded: return "session end"
        case .unmatchedMessage: return "unmatched message"
        case .unmatchedRequest: return "unmatched request"
        case .fault: return "fault"
        case .violation: return "violation"
        case .event: return "event"
        }
    }

    var plural: String {
        switch kind {
        case .reply: "replies"
        case .liveAgentMessage: "live agent's messages"
        case .liveAgentJoined: "live agents joining"
        case .liveAgentLeft: "live agents leaving"
        case .typing: "typings"
        default: noun + "s"
        }
    }

    private var detail: String {
        if let type { return " \(type)" }
        guard let text else { return "" }
        switch kind {
        case .queue: return " with position \(text)"
        case .handoff, .fault, .violation: return " \"\(text)\""
        case .sessionEnded: return " (\(text))"
        default: return " with \"\(text)\""
        }
    }
}
