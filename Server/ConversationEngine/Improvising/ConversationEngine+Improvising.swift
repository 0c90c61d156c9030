extension ConversationEngine {
    /// Registers an override of a rule, for present and future sessions. Of several that match, the one registered last
    /// answers.
    package mutating func improvise(_ improvisation: Improvisation) -> ImprovisationID {
        improvisationCount += 1
        let id = ImprovisationID(number: improvisationCount)
        improvisations.append(Improvising(id: id, improvisation: improvisation))
        shareImprovisations()
        return id
    }

    /// Removes an override from the next message on; replies under way are finished.
    ///
    /// - Returns: false when it was stopped before.
    @discardableResult
    package mutating func stopImprovising(_ id: ImprovisationID) -> Bool {
        let count = improvisations.count
        improvisations.removeAll { $0.id == id }
        guard improvisations.count < count else { return false }
        shareImprovisations()
        return true
    }

    /// Each session holds its overrides, so that messages need no look-up elsewhere.
    private mutating func shareImprovisations() {
        for slot in slots.indices {
            guard let handle = slots[slot].conversation?.handle else { continue }
            let held = improvisations(for: handle)
            slots[slot].conversation?.improvisations = held
        }
    }

    func improvisations(for handle: SessionHandle) -> [Improvising] {
        improvisations.filter { held in
            switch held.improvisation.scope {
            case .everySession: true
            case .session(let only): only == handle
            }
        }
    }
}
