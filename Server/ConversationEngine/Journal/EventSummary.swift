/// An event in short, for those who show it to people: who acts, what is said, and what else is to be known.
package struct EventSummary: Equatable, Sendable {
    package enum Speaker: String, Sendable { case user, agent, person, system }

    /// Nil where nobody acts.
    package var speaker: Speaker?
    /// Of whom it is about; of a scripted event its type.
    package var name: String?
    /// What is said.
    package var text: String?
    /// The id of a reply.
    package var message: String?
    /// Of a piece of a reply: nothing of it follows.
    package var isComplete: Bool?
    /// What is to be known where nothing is said.
    package var detail: String?

    /// What was said, or what else is to be known; empty when the kind says all.
    package var words: String { text ?? detail ?? name ?? "" }
}

extension Event {
    package var summary: EventSummary {
        switch self {
        case .sessionStarted, .heartbeat, .handoffTriggered, .idleWarning, .receipt: EventSummary()
        case .joinRequested, .userEnded: EventSummary(speaker: .user)
        case .userMessage(_, let text): EventSummary(speaker: .user, text: text)
        case .userTyping(let state): EventSummary(speaker: .user, detail: "\(state)")
        case .agentThinking: EventSummary(speaker: .agent)
        case .agentJoined(let agent): EventSummary(speaker: .agent, name: agent.name)
        case .agentLeft(let reason): EventSummary(speaker: .agent, detail: reason)
        case .agentMessage(let message):
            EventSummary(speaker: .agent, text: message.text, message: message.id)
        case .agentChunk(let chunk):
            EventSummary(
                speaker: .agent, text: chunk.text, message: chunk.messageID, isComplete: chunk.isComplete)
        case .personMessage(let message, let person):
            EventSummary(speaker: .person, name: person.name, text: message.text, message: message.id)
        case .personJoined(let person), .personLeft(let person, _):
            EventSummary(speaker: .person, name: person.name)
        case .personTyping(let state, let person):
            EventSummary(speaker: .person, name: person.name, detail: "\(person.name) \(state)")
        case .personStatus(let status, let person):
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
