package import Clocks

/// Session information for the admin API.
extension Conversation {
    /// Kind of the responder.
    package enum Holder: String, CaseIterable, Sendable {
        case nobody
        case agent
        /// In the queue for a live agent.
        case queue
        case liveAgent = "live-agent"
        /// The agent left without successor.
        case left
    }

    /// Responder and name; of an ended session the last one.
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

    /// Time of the last client input or journaled event.
    package var lastActivity: Instant { max(lastInput, journal.last?.time ?? openedAt) }

    /// Deadline of the idle time-out; nil when the session has ended.
    package var idleEnd: Instant? { hasEnded ? nil : idleDue }
}
