import Foundation
import PolyMessaging
import Testing

/// Ways apps show messages. The switches have no `default`, so a new case would break them.
@Suite("Snippets: showing messages")
struct MessageSnippets {
    enum Row: Hashable {
        case message(UUID)
        case typing
    }

    private func title(_ message: ChatMessage) -> String {
        switch message {
        case .user(let user): "me: \(user.text) \(mark(user.delivery))"
        case .agent(let agent): "\(name(agent)): \(agent.text)"
        case .system(let system): words(system.event)
        }
    }

    private func mark(_ delivery: Delivery) -> String {
        switch delivery {
        case .pending: "…"
        case .sent: "✓"
        case .failed: "!"
        }
    }

    private func name(_ agent: AgentMessage) -> String {
        switch agent.agentKind {
        case .poly: agent.agentName ?? "Agent"
        case .live: agent.agentName ?? "Live agent"
        }
    }

    private func words(_ event: SystemEvent) -> String {
        switch event {
        case .conversationEnded(let reason): "ended \(reason ?? "")"
        case .agentLeft(let reason): "left \(reason ?? "")"
        case .liveAgentJoined(let name): "\(name ?? "Somebody") joined"
        case .liveAgentLeft(let reason): "left \(reason ?? "")"
        case .queueStatus(let pos, let msg): msg ?? pos.map { "You are number \($0)" } ?? "You are waiting"
        case .handoffStarted: "started"
        case .handoffRequired(let reason): "go to \(reason)"
        case .handoffAccepted: "accepted"
        case .handoffFailed(let reason): "failed \(reason ?? "")"
        case .handoffTimeout: "nobody came"
        case .idleWarning: "still there?"
        case .serverMessage(let text, _): text
        }
    }

    @Test("A row of every kind has words")
    func titles() {
        let agent = AgentMessage(messageId: "m", agentName: nil, agentKind: .poly, text: "Hello")
        let rows: [ChatMessage] = [
            .user(UserMessage(text: "Hi", delivery: .sent, draftId: "d")), .agent(agent),
            .system(SystemMessage(event: .queueStatus(position: 2, displayMessage: nil))),
            .system(SystemMessage(event: .serverMessage(text: "Down", level: .warning))),
        ]
        #expect(
            rows.map(title) == ["me: Hi ✓", "Agent: Hello", "You are number 2", "Down"])
    }

    @Test("Several system events in one pattern")
    func patterns() {
        func closesInput(_ event: SystemEvent) -> Bool {
            switch event {
            case .liveAgentLeft, .agentLeft, .conversationEnded: true
            default: false
            }
        }
        #expect(closesInput(.conversationEnded(reason: nil)))
        #expect(!closesInput(.handoffStarted))
    }

    @Test("Suggestions, attachments and call actions are lists of values with ids")
    func lists() {
        let agent = AgentMessage(
            messageId: "m", agentName: "Ada", agentKind: .poly, text: "Hello",
            attachments: [
                Attachment(contentType: .image, contentUrl: nil),
                Attachment(contentType: .url, contentUrl: nil),
            ],
            suggestions: [ResponseSuggestion(messageText: "Yes"), ResponseSuggestion(messageText: "No")],
            callActions: [ChatCallAction(title: "Call us", contactNumber: "+44 1")])
        let message = ChatMessage.agent(agent)
        #expect(message.suggestions.map(\.messageText) == ["Yes", "No"])
        #expect(message.attachments.filter { $0.contentType == .image }.count == 1)
        #expect(Set(agent.callActions.map(\.id)).count == 1)
        if case .agent(var changed) = message {
            changed.suggestions = []
            #expect(changed.id == agent.id)
        }
    }

    @Test("Rows of a list come from ids")
    func rows() {
        let messages = [ChatMessage.user(UserMessage(text: "Hi", delivery: .pending, draftId: "d"))]
        let rows = messages.map { Row.message($0.id) } + [.typing]
        #expect(Set(rows).count == 2)
    }
}
