extension ConversationEngine {
    /// Registers an override of a rule, for present and future sessions. Of several that match, the one registered last
    /// answers.
    package mutating func improvise(_ improvisation: ReplyOverride) -> ReplyOverrideID {
        improvisationCount += 1
        let id = ReplyOverrideID(number: improvisationCount)
        improvisations.append(ActiveOverride(id: id, improvisation: improvisation))
        shareImprovisations()
        return id
    }

    /// Removes an override from the next message on; replies under way are finished.
    ///
    /// - Returns: false when it was stopped before.
    @discardableResult
    package mutating func stopImprovising(_ id: ReplyOverrideID) -> Bool {
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

    func improvisations(for handle: SessionHandle) -> [ActiveOverride] {
        improvisations.filter { held in
            switch held.improvisation.scope {
            case .everySession: true
            case .session(let only): only == handle
            }
        }
    }
}
