package import Clocks

/// What people ask who look at a session.
extension Conversation {
    /// Who answers the user, in one word.
    package enum Holder: String, CaseIterable, Sendable {
        case nobody
        case agent
        /// Somebody waits for a person.
        case queue
        case person
        /// The agent left, and no other agent follows.
        case left
    }

    /// Who has the floor, and their name; of an ended session who had it last.
    package var holder: (Holder, name: String?) {
        if case .ended(_, _, let last) = floor { return holder(of: last) }
        return holder(of: floor)
    }

    private func holder(of floor: Floor) -> (Holder, name: String?) {
        switch floor {
        case .nobody, .ended: (.nobody, nil)
        case .agent: (.agent, script.agent.name)
        case .waiting, .conducted: (.queue, nil)
        case .person(let present): (.person, profile(of: present).name)
        case .guest(let profile): (.person, profile.name)
        case .departed: (.left, nil)
        }
    }

    /// When a client last sent something, or was told something of the journal.
    package var lastActivity: Instant { max(lastInput, journal.last?.time ?? openedAt) }

    /// When silence ends the session; nil when it has ended.
    package var idleEnd: Instant? { hasEnded ? nil : idleDue }
}
