import Clocks
import ConversationEngine
import Testing

/// An entry and the file that says how it looks on the wire.
struct WireCase: Sendable, CustomTestStringConvertible {
    static let id = UniqueID(high: 0x0190_f1c2_5f0a_7c11, low: 0x8a61_3f4b_9a2d_1c01)
    /// 2026-01-15T09:30:00.250Z
    static let time = Instant(nanosecondsSince1970: 1_768_469_400_250_000_000)

    var file: String
    var entry: JournalEntry

    init(_ file: String, _ sequence: UInt64?, _ event: Event, metadata: String? = nil) {
        self.file = file
        entry = JournalEntry(
            sequence: sequence, id: Self.id, time: Self.time, event: event, metadata: metadata)
    }

    var testDescription: String { file }

    private static let plan = Attachment(
        kind: .image, url: "https://assets.example/plan.png", preview: "https://assets.example/plan-s.png",
        title: "Floor plan")
    private static let link = Attachment(kind: .link, url: "https://a.example/?q=\"x\"", button: "Open")
    private static let suggestions = [
        Suggestion(text: "The window table"), Suggestion(text: "Corner", payload: "c"),
    ]
    private static let calls = [CallAction(title: "Call the front desk", number: "+15550100")]
    private static let marta = SpeakerProfile(
        id: "p-1", name: "Marta", avatar: "https://assets.example/marta.png")

    static let all: [WireCase] = session + agent + handoff + people + rest + extensions

    private static let session = [
        WireCase("session-start", 1, .sessionStarted(SessionStart(isStreaming: true))),
        WireCase(
            "session-start-context", 1,
            .sessionStarted(
                SessionStart(
                    maxMessageBytes: 0, maxReconnectAttempts: 0, heartbeatIntervalSeconds: 0,
                    contextID: "ctx-1"))),
        WireCase("join-request", 2, .joinRequested, metadata: #"{"tag":"x"}"#),
        WireCase(
            "user-message", 5, .userMessage(id: "msg_u_31", text: "Is the pool\nopen \"today\"? 🏊"),
            metadata: #"{ "local_id": "7B0E", "n": 5 }"#),
        WireCase("user-end-session", 9, .userEnded),
        WireCase("heartbeat", nil, .heartbeat),
        WireCase("user-typing", nil, .userTyping(.started)),
        WireCase("session-end-natural", 12, .sessionEnded(.natural)),
        WireCase("session-end-user", 12, .sessionEnded(.user)),
        WireCase("session-end-abandoned", 12, .sessionEnded(.abandoned)),
        WireCase("session-idle-warning", nil, .idleWarning),
    ]

    private static let extensions: [WireCase] = {
        var start = SessionStart()
        start.extensions = [.changes, .files]
        let file = UserFile(id: "f-1", name: "menu.pdf", type: "application/pdf", byteCount: 4)
        func change(_ kind: MessageChange.Kind, _ by: EventSummary.Speaker) -> Event {
            .messageChanged(MessageChange("msg_1", kind, by: by))
        }
        return [
            WireCase("session-start-extensions", 1, .sessionStarted(start)),
            WireCase("message-changed-text", 7, change(.text("Half past \"7\""), .agent)),
            WireCase(
                "message-changed-deleted", 7, change(.deleted, .user), metadata: #"{"local_id":"7B0E"}"#),
            WireCase("message-changed-reaction", 7, change(.reaction("👍", isOn: false), .liveAgent)),
            WireCase(
                "message-changed-uploading", 7, change(.file("f-1", .uploading(percent: 40)), .user)),
            WireCase("message-changed-ready", 7, change(.file("f-1", .ready, details: file), .system)),
        ]
    }()

    private static let agent = [
        WireCase(
            "agent-joined", 3,
            .agentJoined(SpeakerProfile(name: "Juno", avatar: "https://assets.example/juno.png"))),
        WireCase("agent-joined-plain", 3, .agentJoined(SpeakerProfile(name: "Juno"))),
        WireCase("agent-thinking", nil, .agentThinking),
        WireCase("agent-message-plain", 4, .agentMessage(Message(id: "msg_1", text: "Hello"))),
        WireCase(
            "agent-message-full", 4,
            .agentMessage(
                Message(
                    id: "msg_7f31", text: "We have **two** tables left.",
                    parts: MessageParts(
                        attachments: [plan, link], suggestions: suggestions, calls: calls,
                        endsConversation: true)))),
        WireCase(
            "agent-chunk", 6,
            .agentChunk(Chunk(messageID: "msg_80aa", index: 2, isComplete: false, text: "opens "))),
        WireCase(
            "agent-chunk-last", 7,
            .agentChunk(
                Chunk(
                    messageID: "msg_80aa", index: 3, isComplete: true, text: "",
                    parts: MessageParts(
                        attachments: [plan], suggestions: suggestions, calls: calls, endsConversation: true)))
        ),
        WireCase("agent-left", 8, .agentLeft(reason: nil)),
        WireCase("agent-left-reason", 8, .agentLeft(reason: "handoff")),
    ]

    private static let handoff = [
        WireCase("agent-triggered-handoff", 8, .handoffTriggered),
        WireCase(
            "client-handoff-required", 9,
            .clientHandoffRequired(reason: "POLICY", queueName: "sales", route: "https://a.example/sales")),
        WireCase(
            "client-handoff-required-route", 9,
            .clientHandoffRequired(reason: nil, queueName: nil, route: "r")),
        WireCase("handoff-accepted", 10, .handoffAccepted(queueName: "sales")),
        WireCase("handoff-accepted-plain", 10, .handoffAccepted(queueName: nil)),
        WireCase(
            "handoff-queue-status", 11,
            .queueStatus(
                QueueStatus(queueName: "sales", position: 3, estimatedWaitSeconds: 90, displayMessage: "Soon")
            )),
        WireCase("handoff-queue-status-plain", 11, .queueStatus(QueueStatus(position: 1))),
        WireCase("handoff-failed", 12, .handoffFailed(reason: "closed")),
        WireCase("handoff-timeout", 12, .handoffTimedOut(reason: nil)),
    ]

    private static let people = [
        WireCase("live-agent-joined", 13, .liveAgentJoined(marta)),
        WireCase("live-agent-typing", nil, .liveAgentTyping(.started, marta)),
        WireCase(
            "live-agent-typing-stopped", nil, .liveAgentTyping(.stopped, SpeakerProfile(id: "p-1", name: ""))),
        WireCase(
            "live-agent-message", 14,
            .liveAgentMessage(
                Message(
                    id: "msg_9", text: "Hi, this is Marta",
                    parts: MessageParts(
                        attachments: [link], suggestions: suggestions, calls: calls, endsConversation: true)),
                marta)),
        WireCase("live-agent-left", 15, .liveAgentLeft(marta, reason: "done")),
        WireCase("live-agent-left-plain", 15, .liveAgentLeft(SpeakerProfile(name: ""), reason: nil)),
    ]

    private static let rest = [
        WireCase("language-changed", 16, .languageChanged(code: "fr-CA")),
        WireCase("system-message-info", nil, .notice(.info, .words("Maintenance at noon"))),
        WireCase("system-message-warning", nil, .notice(.warning, .words("Slow today"))),
        WireCase(
            "system-message-error", nil,
            .notice(.error, .known(.eventNotAllowed, detail: "EVENT_TYPE_POLY_AGENT_MESSAGE")),
            metadata: #"{"tag":"x"}"#),
        WireCase("receipt-user-received", nil, .receipt(.userReceived, messageID: "m-1")),
        WireCase("receipt-user-read", nil, .receipt(.userRead, messageID: "m-1")),
        WireCase("receipt-agent-received", nil, .receipt(.agentReceived, messageID: "m-1")),
        WireCase("receipt-agent-read", nil, .receipt(.agentRead, messageID: "m-1")),
        WireCase("receipt-live-agent-received", nil, .receipt(.liveAgentReceived, messageID: "m-1")),
        WireCase("receipt-live-agent-read", nil, .receipt(.liveAgentRead, messageID: "m-1")),
        WireCase("survey-request", nil, .surveyRequested(title: "How was it?", question: "One to five")),
        WireCase("raw", 17, .raw(type: "EVENT_TYPE_NEW_\"ONE\"", payload: #"{"payload":{"deep":[1,2.50]}}"#)),
    ]
}
