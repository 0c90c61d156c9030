extension ConversationEngine {
    /// Adds an override to present and future sessions.
    package mutating func override(_ replyOverride: ReplyOverride) -> ReplyOverrideID {
        overrideCount += 1
        let id = ReplyOverrideID(number: overrideCount)
        overrides.append(ActiveOverride(id: id, replyOverride: replyOverride))
        shareOverrides()
        return id
    }

    /// Removes an override. Returns false if the override was already removed.
    @discardableResult
    package mutating func stopOverriding(_ id: ReplyOverrideID) -> Bool {
        let count = overrides.count
        overrides.removeAll { $0.id == id }
        guard overrides.count < count else { return false }
        shareOverrides()
        return true
    }

    /// Copies the overrides to the sessions, so that messages need no look-up in the engine.
    private mutating func shareOverrides() {
        for slot in slots.indices {
            guard let handle = slots[slot].conversation?.handle else { continue }
            let held = overrides(for: handle)
            slots[slot].conversation?.overrides = held
        }
    }

    func overrides(for handle: SessionHandle) -> [ActiveOverride] {
        overrides.filter { held in
            switch held.replyOverride.scope {
            case .everySession: true
            case .session(let only): only == handle
            }
        }
    }
}
