import ConversationEngine

/// Entries of a journal in words.
enum EventWords {
    /// What was said, or what else is to be known; empty when the type says all.
    static func text(of event: Event) -> String {
        switch event {
        case .userMessage(_, let text): text
        case .agentMessage(let message), .personMessage(let message, _): message.text
        case .agentChunk(let chunk): chunk.text
        case .agentJoined(let profile), .personJoined(let profile), .personLeft(let profile, _): profile.name
        case .agentLeft(let reason), .handoffFailed(let reason), .handoffTimedOut(let reason): reason ?? ""
        case .handoffAccepted(let queue): queue ?? ""
        case .clientHandoffRequired(let reason, _, _): reason ?? ""
        case .queueStatus(let status):
            status.position.map { "position \($0)" } ?? status.displayMessage ?? ""
        case .languageChanged(let code): code
        case .notice(_, .words(let words)): words
        case .notice(_, .known(let problem, _)): problem.rawValue
        case .surveyRequested(let title, _): title
        case .sessionEnded(let reason): reason.rawValue
        case .userTyping(let state): "\(state)"
        case .personTyping(let state, let profile): "\(profile.name) \(state)"
        case .raw(_, let payload): payload
        default: ""
        }
    }
}
