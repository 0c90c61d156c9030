import PolyMessaging

/// Text of a conversation event that is not a message.
struct Notice: Equatable {
    var event: String
    var text: String
    var level = "info"

    init(_ event: SystemEvent) {
        switch event {
        case .conversationEnded(let reason):
            self.init("conversation_ended", Self.worded("The conversation has ended", reason))
        case .agentLeft(let reason): self.init("agent_left", Self.worded("The agent has left", reason))
        case .liveAgentJoined(let name):
            self.init("live_agent_joined", "\(name ?? "A person") has joined")
        case .liveAgentLeft(let reason):
            self.init("live_agent_left", Self.worded("The person has left", reason))
        case .queueStatus(let position, let message):
            let place = position.map { "Number \($0) in the queue" } ?? "In the queue"
            self.init("queue", message ?? place)
        case .handoffStarted: self.init("handoff_started", "Looking for a person")
        case .handoffRequired(let reason):
            self.init("handoff_required", Self.worded("Please go on elsewhere", reason))
        case .handoffAccepted: self.init("handoff_accepted", "A person will take over")
        case .handoffFailed(let reason):
            self.init("handoff_failed", Self.worded("No person could be reached", reason), level: "warning")
        case .handoffTimeout:
            self.init("handoff_timeout", "No person answered in time", level: "warning")
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
