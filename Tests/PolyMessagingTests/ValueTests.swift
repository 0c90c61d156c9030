import Expectations
import Foundation
import PolyMessaging
import Testing

@Suite("Messages, statuses and states")
struct ValueTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("A row answers for the message inside it")
    func chatMessage() throws {
        let suggestion = ResponseSuggestion(messageText: "Yes")
        let attachment = Attachment(contentType: .url, contentUrl: URL(string: "https://a.example"))
        let user = UserMessage(text: "Hi", timestamp: time, delivery: .pending, draftId: "d")
        let agent = AgentMessage(
            messageId: "m", agentName: nil, agentKind: .poly, text: "Hello", timestamp: time,
            attachments: [attachment], suggestions: [suggestion])
        let system = SystemMessage(event: .handoffAccepted, timestamp: time)
        let rows: [ChatMessage] = [.user(user), .agent(agent), .system(system)]
        expectEqual(rows.map(\.id), [user.id, agent.id, system.id])
        expectEqual(rows.map(\.timestamp), [time, time, time])
        expectEqual(rows.map(\.text), ["Hi", "Hello", nil])
        expectEqual(rows.map(\.isUser), [true, false, false])
        expectEqual(rows.map(\.isAgent), [false, true, false])
        expectEqual(rows.map(\.isSystem), [false, false, true])
        expectEqual(rows.map(\.delivery), [.pending, nil, nil])
        expectEqual(rows.map(\.suggestions), [[], [suggestion], []])
        expectEqual(rows.map(\.attachments), [[], [attachment], []])
    }

    @Test("Rows made without an id and a time get new ones")
    func rowDefaults() {
        let first = UserMessage(text: "a", delivery: .sent, draftId: "d")
        let second = UserMessage(text: "a", delivery: .sent, draftId: "d")
        #expect(first.id != second.id)
        #expect(first.timestamp <= second.timestamp)
        let agent = AgentMessage(messageId: "m", agentName: "A", agentKind: .live, text: "t")
        #expect(agent.avatarUrl == nil && agent.attachments.isEmpty)
        #expect(agent.suggestions.isEmpty && agent.callActions.isEmpty)
    }

    private static let systemEvents: [SystemEvent] = [
        .conversationEnded(reason: "a"), .agentLeft(reason: "b"), .liveAgentJoined(name: "Grace"),
        .liveAgentLeft(reason: "c"), .queueStatus(position: 1, displayMessage: "d"), .handoffStarted,
        .handoffRequired(reason: "e"), .handoffAccepted, .handoffFailed(reason: "f"), .handoffTimeout,
        .idleWarning, .serverMessage(text: "g", level: .error),
    ]

    @Test("System events know handoffs, ends and reasons; a name is no reason")
    func systemEvents() {
        let events = Self.systemEvents
        expectEqual(events.filter(\.isHandoff), [events[5], events[6], events[7], events[8], events[9]])
        expectEqual(events.filter(\.isTerminal), [events[0], events[3], events[8], events[9]])
        expectEqual(
            events.map(\.reason), ["a", "b", nil, "c", nil, nil, "e", nil, "f", nil, nil, nil])
    }

    private static let statuses: [ConnectionStatus] = [
        .idle, .connecting, .open, .closing, .closed(nil), .reconnecting(attempt: 2), .failed(reason: nil),
    ]

    @Test("A status knows whether it is connected, active, trying again or given up")
    func statuses() {
        let all = Self.statuses
        expectEqual(all.map(\.isConnected), [false, false, true, false, false, false, false])
        expectEqual(all.map(\.isActive), [false, true, true, false, false, true, false])
        expectEqual(all.map(\.isReconnecting), [false, false, false, false, false, true, false])
        expectEqual(all.map(\.reconnectAttempt), [nil, nil, nil, nil, nil, 2, nil])
        expectEqual(all.map(\.isFailed), [false, false, false, false, false, false, true])
        expectEqual(all.map(\.isTerminal), all.map(\.isFailed))
    }

    @Test("Close codes have their numbers")
    func closeCodes() {
        expectEqual(CloseCode.allCases.map(\.rawValue), [1000, 1005, 1006, 4000, 4001, 4002])
    }

    @Test("A state derives its flags from its facts")
    func sessionState() {
        var state = SessionState(
            sessionId: "s", status: .active, isReady: true, isLoading: false, error: nil)
        #expect(state.canSendMessages && !state.isError && !state.isTerminal)
        expectEqual(state.errorMessage, nil)
        state.error = .connectionClosedAbnormally
        #expect(state.isError && !state.canSendMessages)
        expectEqual(state.errorMessage?.isEmpty, false)
        state.error = nil
        state.hasInvalidApiKey = true
        #expect(state.isError && !state.canSendMessages)
        expectEqual(state.errorMessage, PolyError.auth(.unauthorized).description)
        let terminal = SessionStatus.allCases.filter { status in
            state.status = status
            return state.isTerminal
        }
        expectEqual(terminal, [.ended, .expired])
    }

    @Test("Session errors have the server's words")
    func sessionErrors() {
        expectEqual(
            SessionErrorCode.allCases.map(\.rawValue),
            [
                "Error parsing request", "Missing authentication headers",
                "Unable to get agent details from connector service", "Failed to validate connector",
                "Error creating session", "UNKNOWN_ERROR", "Connection closed abnormally",
                "Message too large",
            ])
    }

    @Test("An unknown kind of attachment decodes as unknown")
    func attachmentKind() throws {
        let json = Data(#"["ATTACHMENT_CONTENT_TYPE_IMAGE","ATTACHMENT_CONTENT_TYPE_3D"]"#.utf8)
        try expectEqual(JSONDecoder().decode([AttachmentContentType].self, from: json), [.image, .unknown])
        expectEqual(AttachmentContentType(rawValue: "unknown"), .unknown)
        let text = try JSONEncoder().encode([AttachmentContentType.url, .unknown])
        expectEqual(String(decoding: text, as: UTF8.self), #"["ATTACHMENT_CONTENT_TYPE_URL","unknown"]"#)
        try expectEqual(JSONDecoder().decode([AttachmentContentType].self, from: text), [.url, .unknown])
    }
}
