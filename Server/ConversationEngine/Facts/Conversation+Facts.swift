package import Clocks

extension Conversation {
    package enum Holder: String, CaseIterable, Sendable {
        case nobody
        case agent
        case queue
        case liveAgent = "live-agent"
        /// The agent has left without a successor.
        case left
    }

    /// Kind and name of the responder, or of the last responder if the session has ended.
    package var holder: (Holder, name: String?) {
        if case .ended(_, _, let last) = responder { return holder(of: last) }
        return holder(of: responder)
    }

    private func holder(of responder: Responder) -> (Holder, name: String?) {
        switch responder {
        case .nobody, .ended: (.nobody, nil)
        case .agent: (.agent, script.agent.name)
        case .waiting, .conducted: (.queue, nil)
        case .liveAgent(let present): (.liveAgent, profile(of: present).name)
        case .guest(let profile): (.liveAgent, profile.name)
        case .departed: (.left, nil)
        }
    }

    package var lastActivity: Instant { max(lastInput, journal.last?.time ?? openedAt) }

    package var idleEnd: Instant? { hasEnded ? nil : idleDue }
}
