public import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ChatAction {
    /// Converts an event of the SDK, for ``ChatModel/Delivery/reported``; nil if there is no action for it.
    public init?(_ event: MessagingEvent) {
        switch event {
        case .messagePending(let draftID, let text): self = .say(id: draftID, text: text)
        case .messageConfirmed(let draftID, let messageID):
            self = .confirmed(id: draftID, messageID: messageID)
        case .messageFailed(let draftID): self = .failed(id: draftID)
        case .connected: self = .opened
        case .reconnecting, .disconnected: self = .lost
        default:
            guard let event = ChatEvent(event) else { return nil }
            self = .event(event)
        }
    }
}

extension ChatEvent {
    /// Converts an event of the SDK; nil for an event without an envelope.
    public init?(_ event: MessagingEvent) {
        guard let envelope = event.envelope else { return nil }
        self.init(
            id: envelope.id, sequence: envelope.sequence, at: Milliseconds(rounding: envelope.timestamp),
            Kind(event) ?? Kind(handoff: event) ?? .other)
    }
}

extension ChatEvent.Kind {
    fileprivate init?(_ event: MessagingEvent) {
        switch event {
        case .agentJoined(_, let payload):
            self = .agentJoined(name: payload.agentName, avatar: payload.avatarUrl?.absoluteString)
        case .agentThinking: self = .agentThinking
        case .agentLeft: self = .agentLeft
        case .agentMessage(_, let payload):
            self = .message(
                .init(
                    payload.messageId, payload.text, payload.agentName, payload.avatarUrl,
                    payload.attachments, payload.responseSuggestions, payload.chatCallActions), from: .agent)
        case .liveAgentMessage(_, let payload):
            self = .message(
                .init(
                    payload.messageId, payload.text, payload.agentName, payload.avatarUrl,
                    payload.attachments, payload.responseSuggestions, payload.chatCallActions), from: .person)
        case .agentMessageChunk(_, let payload):
            self = .chunk(
                .init(
                    payload.messageId, payload.text ?? "", nil, nil, payload.attachments,
                    payload.responseSuggestions, payload.chatCallActions),
                index: payload.chunkIndex, isLast: payload.isComplete)
        case .userMessage(let envelope, let payload):
            self = .userMessage(
                id: payload.messageId, text: payload.text,
                draftID: envelope.metadata?.custom?["local_id"],
                replyTo: envelope.metadata?.custom?["reply_to"],
                files: (envelope.metadata?.custom?["files"] ?? "").split(separator: ",").prefix(20).map {
                    RowAttachment(
                        file: String($0), name: "", type: "", state: .uploading(percent: nil))
                })
        case .messageChanged(_, let payload):
            guard let change = MessageChange(payload) else { return nil }
            self = .changed(messageID: payload.messageId, change)
        case .messageReceipt(_, let payload):
            guard !payload.isByUser else { return nil }
            self = .changed(messageID: payload.messageId, .receipt(payload.isRead ? .read : .delivered))
        case .systemMessage(_, let payload):
            self = .systemMessage(text: payload.message, level: .init(payload.level))
        case .languageChanged(_, let payload): self = .language(payload.languageCode)
        case .sessionIdleWarning: self = .idleWarning
        case .sessionEnd(_, let payload): self = .ended(by: .init(reason: payload.reason))
        case .userEndSession: self = .userEnded
        default: return nil
        }
    }

    fileprivate init?(handoff event: MessagingEvent) {
        switch event {
        case .liveAgentJoined(_, let payload):
            self = .personJoined(name: payload.agentName, avatar: payload.avatarUrl?.absoluteString)
        case .liveAgentTyping(_, let payload):
            self = .personTyping(isTyping: payload.state == .started, name: payload.agentName)
        case .liveAgentLeft(_, let payload): self = .personLeft(name: payload.agentName)
        case .agentTriggeredHandoff: self = .handoffStarted
        case .handoffAccepted: self = .handoffAccepted
        case .handoffQueueStatus(_, let payload):
            self = .queue(
                position: payload.position, waitSeconds: payload.estimatedWaitSeconds,
                text: payload.displayMessage)
        case .handoffFailed: self = .handoffFailed(hasTimedOut: false)
        case .handoffTimeout: self = .handoffFailed(hasTimedOut: true)
        case .clientHandoffRequired(_, let payload): self = .continueElsewhere(route: payload.route)
        default: return nil
        }
    }
}

extension MessageChange {
    fileprivate init?(_ payload: MessageChangedPayload) {
        switch payload.change {
        case .text(let text): self = .text(text)
        case .deleted: self = .deleted
        case .reaction(let text, let isOn):
            switch payload.by {
            case .user?: self = .reaction(text, isOn: isOn, by: .user)
            case .agent?: self = .reaction(text, isOn: isOn, by: .agent)
            case .liveAgent?: self = .reaction(text, isOn: isOn, by: .person)
            case .system?, nil: return nil
            }
        case .file(let id, let state, let name, let type):
            let shown: RowAttachment.State =
                switch state {
                case .uploading(let percent): .uploading(percent: percent)
                case .ready: .complete
                case .cancelled: .cancelled
                case .failed: .failed
                }
            self = .file(id: id, shown, name: name, type: type)
        }
    }
}

extension Milliseconds {
    /// Rounds a date to milliseconds and clamps it to the range of ``ChatEvent`` times.
    init(rounding date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.init(Swift.max(-8.64e15, Swift.min(8.64e15, milliseconds)))
    }
}

extension ChatEvent.Content {
    init(
        _ id: String, _ text: String, _ name: String?, _ avatar: URL?, _ attachments: [Attachment],
        _ suggestions: [ResponseSuggestion], _ calls: [ChatCallAction]
    ) {
        let shown = attachments.compactMap { RowAttachment($0) }
        self.init(
            id: id, text: text, name: name, avatar: avatar?.absoluteString, attachments: shown,
            unknownCount: attachments.count - shown.count,
            suggestions: suggestions.map { RowSuggestion(text: $0.messageText, payload: $0.payload) },
            calls: calls.map { RowCall(title: $0.title, number: $0.contactNumber) })
    }
}

extension RowAttachment {
    /// Converts an attachment; nil for an unknown kind, or without a safe URL.
    public init?(_ attachment: Attachment) {
        guard attachment.contentType != .unknown else { return nil }
        self.init(
            attachment.contentType == .image ? .image : .link, url: attachment.contentUrl?.absoluteString,
            title: attachment.title, preview: attachment.previewImageUrl?.absoluteString,
            button: attachment.callToActionText)
    }
}

extension RowNotice.Level {
    init(_ level: SystemMessageLevel) {
        switch level {
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}

extension Ending {
    /// Converts the API's reason for the end of a session. Any other reason, or nil, becomes ``Ending/agent``.
    init(reason: String?) {
        switch reason {
        case "REASON_USER_END", "user_ended": self = .user
        case "REASON_USER_ABANDONED": self = .idle
        default: self = .agent
        }
    }
}
