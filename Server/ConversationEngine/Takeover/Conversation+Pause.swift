import Clocks

/// Pause and resume of the script during a takeover, as if no time had passed.
extension Conversation {
    /// The script stands still until a human hands back.
    package var isScriptPaused: Bool { pause != nil }

    /// Nobody takes over while the script goes on.
    var operatorState: ScriptPause.OperatorState? {
        get { pause?.operatorState }
        set { pause?.operatorState = newValue }
    }

    mutating func pauseScript(at now: Instant) {
        guard pause == nil else { return }
        pause = ScriptPause(remaining: player.dueAt.map { $0 - now })
        player.dueAt = nil
    }

    /// Sets a responder that is not in the script.
    mutating func displaceScript(to newResponder: Responder, at now: Instant) {
        guard !hasEnded else { return }
        pauseScript(at: now)
        let former = responder
        if pause?.displaced == nil { pause?.displaced = former }
        responder = newResponder
    }

    /// Restores the responder and the next deadline of the script.
    mutating func resumeScript(at now: Instant, _ outbox: inout [Effect]) {
        guard let pause else { return }
        self.pause = nil
        if let displaced = pause.displaced { responder = displaced }
        player.dueAt = pause.remaining.map { now + $0 }
        if pause.isAgentAwaited, responder == .nobody { bringAgent(at: now, &outbox) }
    }

    /// A turn was queued meanwhile: it begins when the script goes on.
    mutating func holdTurns() {
        if pause?.remaining == nil { pause?.remaining = .zero }
    }

    /// Keeps what the user said, for a human who hands back with the wish that it be answered.
    mutating func keepUnanswered(_ text: String, metadata: String?, _ outbox: inout [Effect]) {
        let message = ScriptPause.Message(text: text, metadata: metadata, mark: cause.mark)
        pause?.unanswered = message
        outbox.append(.note(handle, .ignored(reason: "the script is paused by someone at the controls")))
    }

    /// The script's person, or who joined in place of that one.
    package func profile(of person: HandoffPerson) -> SpeakerProfile {
        person.standIn ?? script.handoffs[person.handoff].person
    }
}
