extension ConversationEngine {
    /// Registers an override for present and future sessions. The last matching one answers.
    package mutating func improvise(_ improvisation: ReplyOverride) -> ReplyOverrideID {
        improvisationCount += 1
        let id = ReplyOverrideID(number: improvisationCount)
        improvisations.append(ActiveOverride(id: id, improvisation: improvisation))
        shareImprovisations()
        return id
    }

    /// Removes an override; current replies are finished.
    ///
    /// - Returns: false if it was removed before.
    @discardableResult
    package mutating func stopImprovising(_ id: ReplyOverrideID) -> Bool {
        let count = improvisations.count
        improvisations.removeAll { $0.id == id }
        guard improvisations.count < count else { return false }
        shareImprovisations()
        return true
    }

    /// Copied to sessions, so that messages need no look-up.
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
