/// Bounds on what a client can make one session keep, besides its journal. Options bound the rest.
package enum ConversationLimits {
    /// Inputs that wait for the echo delay; further ones are dropped, as a rate limit would.
    package static let delayedInputs = 1_000
    /// Transient entries that wait for a connection's history; the oldest go first.
    package static let heldEntries = 1_000
    /// Replies that wait for the one being told; further messages are echoed and not answered.
    package static let waitingTurns = 1_000
    /// Runs whose events are kept, and events of one of them.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Bytes of what a user says that the talk hears. 128 KiB, as a message may have on a WebSocket: rules look at no more,
    /// and replies that repeat it stay readable. What is longer is kept in the run's thread alone.
    package static let heardBytes = 131_072
    /// Bytes of a tool's answer that gaps and conditions take. 64 KiB: as any value of a request.
    package static let answerBytes = 64 << 10
    /// Troubles in force in one session; a `trouble` step beyond that does nothing.
    package static let troubles = 256
}
