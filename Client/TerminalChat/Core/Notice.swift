import ChatPresentation
import PolyMessaging

/// Text of a conversation event that is not a message.
struct Notice: Equatable {
    private static let words = ChatStrings()

    var event: String
    var text: String
    var level = "info"

    init(_ event: SystemEvent) {
        switch event {
        case .conversationEnded(let reason):
            self.init("conversation_ended", Self.worded("The conversation has ended", reason))
        case .agentLeft(let reason): self.init("agent_left", Self.worded("The agent has left", reason))
        case .liveAgentJoined(let name):
            self.init(
                "live_agent_joined", Self.words.say("handoff.joined", ["name": .text(name ?? "A person")]))
        case .liveAgentLeft(let reason):
            self.init("live_agent_left", Self.worded("The person has left", reason))
        case .queueStatus(let position, let message):
            let place = position.map { Self.words.say("handoff.position", ["n": .number($0)]) }
            self.init("queue", message ?? place ?? Self.words.say("handoff.waiting"))
        case .handoffStarted: self.init("handoff_started", Self.words.say("handoff.started"))
        case .handoffRequired(let reason):
            self.init("handoff_required", Self.worded(Self.words.say("handoff.client"), reason))
        case .handoffAccepted: self.init("handoff_accepted", Self.words.say("handoff.accepted"))
        case .handoffFailed(let reason):
            self.init(
                "handoff_failed", Self.worded(Self.words.say("handoff.failed"), reason), level: "warning")
        case .handoffTimeout:
            self.init("handoff_timeout", Self.words.say("handoff.timeout"), level: "warning")
        case .idleWarning:
            self.init("idle_warning", "The conversation ends soon unless you say something", level: "warning")
        case .serverMessage(let text, let level):
            self.init("message", text, level: "\(level)")
        }
    }

    private init(_ event: String, _ text: String, level: String = "info") {
        self.event = event
        self.text = text
        self.level = level
    }

    private static func worded(_ sentence: String, _ reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return sentence }
        return "\(sentence): \(reason)"
    }
}
