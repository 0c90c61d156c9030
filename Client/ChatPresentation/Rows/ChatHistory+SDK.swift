import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ChatHistory {
    init(_ transcript: ChatTranscript) {
        self.init(isOpen: transcript.connection == .open)
        entries = transcript.history.compactMap { entry in
            switch entry {
            case .message(let message): Entry(message)
            case .event(let event): Entry(event)
            }
        }
        entries += transcript.changes.compactMap { ChatEvent($0).map { .event($0) } }
        growingID = transcript.growingMessageID
        isTyping = transcript.isAgentTyping
        if transcript.isOver, transcript.failureReason == nil { ending = .user }
    }
}

extension ChatHistory.Entry {
    /// Converts an event, without its id and sequence number, so that its row stays at the event's place in the list.
    fileprivate init?(_ event: MessagingEvent) {
        guard var event = ChatEvent(event) else { return nil }
        (event.id, event.sequence) = ("", nil)
        self = .event(event)
    }

    init(_ message: ChatMessage) {
        let at = Milliseconds(rounding: message.timestamp)
        switch message {
        case .user(let message):
            let delivery: RowMessage.Delivery =
                switch message.delivery {
                case .pending: .pending
                case .sent: .sent
                case .failed: .failed
                }
            self = .draft(
                id: message.draftId, text: message.text, at: at, delivery, replyTo: message.replyTo,
                messageID: message.messageId)
        case .agent(let message):
            let content = ChatEvent.Content(
                message.messageId, message.text, message.agentName, message.avatarUrl, message.attachments,
                message.suggestions, message.callActions)
            self = .event(
                ChatEvent(
                    id: "", sequence: nil, at: at,
                    .message(content, from: message.agentKind == .live ? .person : .agent)))
        case .system(let message):
            self = .event(ChatEvent(id: "", sequence: nil, at: at, ChatEvent.Kind(message.event)))
        }
    }
}

extension ChatEvent.Kind {
    fileprivate init(_ event: SystemEvent) {
        switch event {
        case .conversationEnded(let reason): self = .ended(by: Ending(reason: reason))
        case .agentLeft: self = .agentLeft
        case .liveAgentJoined(let name): self = .personJoined(name: name, avatar: nil)
        case .liveAgentLeft: self = .personLeft(name: nil)
        case .queueStatus(let position, let text):
            self = .queue(position: position, waitSeconds: nil, text: text)
        case .handoffStarted: self = .handoffStarted
        case .handoffRequired(let route): self = .continueElsewhere(route: route)
        case .handoffAccepted: self = .handoffAccepted
        case .handoffFailed: self = .handoffFailed(hasTimedOut: false)
        case .handoffTimeout: self = .handoffFailed(hasTimedOut: true)
        case .idleWarning: self = .idleWarning
        case .serverMessage(let text, let level): self = .systemMessage(text: text, level: .init(level))
        }
    }
}
