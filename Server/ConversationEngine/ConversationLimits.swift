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
    /// Troubles in force in one session; a `trouble` step beyond that does nothing.
    package static let troubles = 256
}
