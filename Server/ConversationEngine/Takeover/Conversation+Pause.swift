import Clocks

/// Pausing and resuming the script, which postpones the script's deadlines by the length of the pause.
extension Conversation {
    package var isScriptPaused: Bool { pause != nil }

    /// The operator who has taken over, or nil.
    var operatorState: ScriptPause.OperatorState? {
        get { pause?.operatorState }
        set { pause?.operatorState = newValue }
    }

    mutating func pauseScript(at now: Instant) {
        guard pause == nil else { return }
        pause = ScriptPause(remaining: player.dueAt.map { $0 - now })
        player.dueAt = nil
    }

    /// Pauses the script and sets a responder that is not part of the script.
    mutating func displaceScript(to newResponder: Responder, at now: Instant) {
        guard !hasEnded else { return }
        pauseScript(at: now)
        let former = responder
        if pause?.displaced == nil { pause?.displaced = former }
        responder = newResponder
    }

    mutating func resumeScript(at now: Instant, _ outbox: inout [Effect]) {
        guard let pause else { return }
        self.pause = nil
        if let displaced = pause.displaced { responder = displaced }
        player.dueAt = pause.remaining.map { now + $0 }
        if pause.isAgentAwaited, responder == .nobody { bringAgent(at: now, &outbox) }
    }

    /// Ensures that queued turns continue after the pause.
    mutating func holdTurns() {
        if pause?.remaining == nil { pause?.remaining = .zero }
    }

    /// Stores the user's message or file for an answer after the takeover.
    mutating func keepUnanswered(
        _ text: String, file: UserFile? = nil, metadata: String?, _ outbox: inout [Effect]
    ) {
        let message = ScriptPause.Message(text: text, file: file, metadata: metadata, mark: cause.mark)
        pause?.unanswered = message
        outbox.append(.note(handle, .ignored(reason: "the script is paused by someone at the controls")))
    }

    /// Returns the profile of the script's live agent, or of the operator who joined instead.
    package func profile(of person: HandoffLiveAgent) -> SpeakerProfile {
        person.standIn ?? script.handoffs[person.handoff].liveAgent
    }
}
