import Clocks

/// Pause and resume of the script by an operator, without elapsed time.
extension Conversation {
    package var isScriptPaused: Bool { pause != nil }

    /// An operator is present only during a pause.
    var operatorState: ScriptPause.OperatorState? {
        get { pause?.operatorState }
        set { pause?.operatorState = newValue }
    }

    mutating func pauseScript(at now: Instant) {
        guard pause == nil else { return }
        pause = ScriptPause(remaining: player.dueAt.map { $0 - now })
        player.dueAt = nil
    }

    /// Sets a responder from outside the script.
    mutating func displaceScript(to newResponder: Responder, at now: Instant) {
        guard !hasEnded else { return }
        pauseScript(at: now)
        let former = responder
        if pause?.displaced == nil { pause?.displaced = former }
        responder = newResponder
    }

    /// Restores responder and deadline of the script.
    mutating func resumeScript(at now: Instant, _ outbox: inout [Effect]) {
        guard let pause else { return }
        self.pause = nil
        if let displaced = pause.displaced { responder = displaced }
        player.dueAt = pause.remaining.map { now + $0 }
        if pause.isAgentAwaited, responder == .nobody { bringAgent(at: now, &outbox) }
    }

    /// Keeps queued turns for the resumption.
    mutating func holdTurns() {
        if pause?.remaining == nil { pause?.remaining = .zero }
    }

    /// Keeps the user's message, for an answer after the takeover.
    mutating func keepUnanswered(_ text: String, metadata: String?, _ outbox: inout [Effect]) {
        let message = ScriptPause.Message(text: text, metadata: metadata, mark: cause.mark)
        pause?.unanswered = message
        outbox.append(.note(handle, .ignored(reason: "the script is paused by someone at the controls")))
    }

    /// Profile of the script's live agent, or of the one that joined instead.
    package func profile(of person: HandoffLiveAgent) -> SpeakerProfile {
        person.standIn ?? script.handoffs[person.handoff].liveAgent
    }
}
