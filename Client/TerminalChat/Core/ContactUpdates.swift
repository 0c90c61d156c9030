import ChatPresentation
import ConnectCore
import ContactPresentation
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ContactUpdates: Sendable {
    private var reader = ContactReader()
    private var sequence = 0
    private var hasStarted = false
    private var drafts: [String: String] = [:]
    private var receipts: [ChatInput] = []

    mutating func read(_ event: ChatSessionEvent) -> [ChatInput] {
        if case .connectionFailed(let error) = event { return [.failed(ChatFailure(error))] }
        let updates = updates(event).map { ChatInput.update($0) }
        defer { receipts = [] }
        return updates + receipts
    }

    private mutating func updates(_ event: ChatSessionEvent) -> [ClientUpdate] {
        let actions = reader.read(event)
        switch event {
        case .connectionEstablished, .connectionReEstablished:
            guard !hasStarted else { return [.status(.open)] }
            hasStarted = true
            let start = SessionStartPayload(capabilities: SessionCapabilities(streaming: true))
            return [.status(.open), .event(.sessionStart(envelope(), start))]
        case .connectionBroken: return [.status(.reconnecting(attempt: 1))]
        case .waiting(_, let attempt) where hasStarted: return [.status(.reconnecting(attempt: attempt))]
        default:
            var updates = actions.compactMap { update($0).map(ClientUpdate.event) }
            if event == .chatEnded { updates.append(.status(.closed(nil))) }
            return updates
        }
    }

    private mutating func update(_ action: ChatAction) -> MessagingEvent? {
        switch action {
        case .say(let id, let text, _):
            drafts[id] = text
            return .messagePending(draftId: id, text: text)
        case .draft(let id, let text, _, let files):
            let shown = Self.text(text, files)
            drafts[id] = shown
            return .messagePending(draftId: id, text: shown)
        case .retry(let id, _):
            // The reader gives a retried message a new draft id. Chat programs expect the first draft's id.
            let id = ContactReader.persistentID(ofDraft: id)
            return .messagePending(draftId: id, text: drafts[id] ?? "")
        case .failed(let id): return .messageFailed(draftId: ContactReader.persistentID(ofDraft: id))
        case .event(let event), .earlier(let event): return update(event)
        default: return nil
        }
    }

    private mutating func update(_ event: ChatEvent) -> MessagingEvent? {
        switch event.kind {
        case .changed(let id, .receipt(let state)):
            receipts.append(.receipt(messageID: id, state))
            return nil
        case .userMessage(let id, _, let draft?, _, _):
            let draft = ContactReader.persistentID(ofDraft: draft)
            drafts[draft] = nil
            return .messageConfirmed(draftId: draft, messageId: id)
        case .userMessage(let id, let text, nil, _, let files):
            return .userMessage(
                envelope(event), UserMessageEchoPayload(messageId: id, text: Self.text(text, files)))
        case .chunk(let piece, let index, let isLast):
            return .agentMessageChunk(
                envelope(event),
                AgentMessageChunkPayload(
                    messageId: piece.id, chunkIndex: index, isComplete: isLast, text: piece.text))
        case .message(let message, let author):
            let suggestions = message.suggestions.map { ResponseSuggestion(messageText: $0.text) }
            guard author == .person else {
                return .agentMessage(
                    envelope(event),
                    AgentMessagePayload(
                        messageId: message.id, text: Self.text(message.text, message.attachments),
                        agentName: message.name, responseSuggestions: suggestions))
            }
            return .liveAgentMessage(
                envelope(event),
                LiveAgentMessagePayload(
                    messageId: message.id, text: Self.text(message.text, message.attachments),
                    agentName: message.name, responseSuggestions: suggestions))
        case .personJoined(let name, _):
            return .liveAgentJoined(envelope(event), LiveAgentJoinedPayload(agentName: name))
        case .personLeft: return .liveAgentLeft(envelope(event), LiveAgentLeftPayload())
        case .personTyping(let isTyping, let name):
            return .liveAgentTyping(
                envelope(event),
                LiveAgentTypingPayload(state: isTyping ? .started : .stopped, agentName: name))
        case .ended: return .sessionEnd(envelope(event), SessionEndPayload())
        default: return nil
        }
    }

    private static func text(_ text: String, _ files: [RowAttachment]) -> String {
        ([text] + files.map { "[\($0.title ?? "file")]" }).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns an envelope with the next sequence number, and with the id and time of `event` if given.
    private mutating func envelope(_ event: ChatEvent? = nil) -> Envelope {
        sequence += 1
        let seconds = Double(event?.at ?? 0) / 1_000
        return Envelope(
            id: event?.id ?? "", sequence: sequence, timestamp: Date(timeIntervalSince1970: seconds))
    }
}

extension ChatFailure {
    /// Converts any error.
    init(_ error: any Error) {
        guard let error = error as? ConnectChatError else {
            self.init(code: "network", message: "\(error)", isRetryable: true)
            return
        }
        self.init(
            code: Self.code(of: error), message: Self.message(of: error), isRetryable: error.isRetryable)
    }

    private static func code(of error: ConnectChatError) -> String {
        switch error {
        case .service(let answer):
            switch answer.status {
            case 429: "throttled"
            case 500...: "unavailable"
            default: "refused"
            }
        case .uploadRefused, .downloadRefused: "refused"
        case .notConnected: "not_connected"
        case .chatEnded: "ended"
        case .unexpectedAnswer: "protocol"
        case .invalidArgument, .encryptionUnavailable: "configuration"
        default: "network"
        }
    }

    private static func message(of error: ConnectChatError) -> String {
        guard case .service(let answer) = error, !answer.message.isEmpty else { return error.text }
        let name = answer.type.isEmpty ? "" : ", \(answer.type)"
        return "\(answer.message) (status \(answer.status)\(name))"
    }
}
