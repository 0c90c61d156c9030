import Clocks
import ConversationEngine

extension Talk {
    /// Does something at the controls, as Olga.
    @discardableResult
    mutating func act(_ action: OperatorAction, by name: String = "Olga") -> OperatorRefusal? {
        var effects: [Effect] = []
        let refusal = engine.apply(action, in: handle, by: name, at: now, into: &effects)
        wire.apply(effects)
        return refusal
    }

    var takeover: Takeover? { conversation?.takeover }

    /// What is unusual about the last action; nil when nothing is.
    var unusual: String? {
        for note in notes.reversed() {
            if case .takeover(_, _, let unusual) = note { return unusual }
        }
        return nil
    }

    /// Everything told that nobody pushed.
    var unpushed: [JournalEntry] { wire.told.filter { $0.pushedBy == nil } }

    /// The lines of everything that somebody pushed.
    var pushedLines: [String] { wire.told.filter { $0.pushedBy != nil }.map(\.event.line) }
}
