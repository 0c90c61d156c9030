package struct EventSummary: Equatable, Sendable {
    package enum Speaker: String, Sendable {
        case user, agent
        case liveAgent = "live-agent"
        case system
    }

    /// Nil if nobody speaks.
    package var speaker: Speaker?
    /// The name of the agent or live agent; for a scripted event, its type.
    package var name: String?
    package var text: String?
    package var message: String?
    package var isComplete: Bool?
    /// Details of an event without text, such as a reason or a queue position.
    package var detail: String?

    package var words: String { text ?? detail ?? name ?? "" }
}

extension Event {
    package var summary: EventSummary {
        switch self {
        case .sessionStarted, .heartbeat, .handoffTriggered, .idleWarning, .receipt: EventSummary()
        case .joinRequested, .userEnded: EventSummary(speaker: .user)
        case .userMessage(_, let text): EventSummary(speaker: .user, text: text)
        case .userFile(let file): EventSummary(speaker: .user, text: file.words)
        case .messageChanged(let change):
            EventSummary(speaker: change.by, message: change.messageID, detail: change.words)
        case .userTyping(let state): EventSummary(speaker: .user, detail: "\(state)")
        case .agentThinking: EventSummary(speaker: .agent)
        case .agentJoined(let agent): EventSummary(speaker: .agent, name: agent.name)
        case .agentLeft(let reason): EventSummary(speaker: .agent, detail: reason)
        case .agentMessage(let message):
            EventSummary(speaker: .agent, text: message.text, message: message.id)
        case .agentChunk(let chunk):
            EventSummary(
                speaker: .agent, text: chunk.text, message: chunk.messageID, isComplete: chunk.isComplete)
        case .liveAgentMessage(let message, let person):
            EventSummary(speaker: .liveAgent, name: person.name, text: message.text, message: message.id)
        case .liveAgentJoined(let person), .liveAgentLeft(let person, _):
            EventSummary(speaker: .liveAgent, name: person.name)
        case .liveAgentTyping(let state, let person):
            EventSummary(speaker: .liveAgent, name: person.name, detail: "\(person.name) \(state)")
        case .liveAgentStatus(let status, let person):
            EventSummary(name: person.name, detail: status.rawValue)
        case .clientHandoffRequired(let words, _, _), .handoffAccepted(let words), .handoffFailed(let words),
            .handoffTimedOut(let words):
            EventSummary(detail: words)
        case .queueStatus(let status):
            EventSummary(detail: status.position.map { "position \($0)" } ?? status.displayMessage)
        case .notice(_, .words(let text)): EventSummary(speaker: .system, text: text)
        case .notice(_, .known(let problem, _)): EventSummary(detail: problem.rawValue)
        case .languageChanged(let words), .surveyRequested(let words, _): EventSummary(detail: words)
        case .sessionEnded(let reason): EventSummary(detail: reason.rawValue)
        case .raw(let type, let payload): EventSummary(name: type, detail: payload)
        }
    }
}
