package import Clocks

extension Conversation {
    /// The kind of the responder.
    package enum Holder: String, CaseIterable, Sendable {
        case nobody
        case agent
        /// The user waits in the queue for a live agent.
        case queue
        case liveAgent = "live-agent"
        /// The agent has left without a successor.
        case left
    }

    /// The responder's kind and name; for an ended session, those of the last responder.
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

    /// The time of the last client input or journaled event.
    package var lastActivity: Instant { max(lastInput, journal.last?.time ?? openedAt) }

    /// The deadline of the idle timeout; nil if the session has ended.
    package var idleEnd: Instant? { hasEnded ? nil : idleDue }
}
