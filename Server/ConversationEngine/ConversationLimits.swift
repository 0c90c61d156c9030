/// Limits of the memory that a client can make one session use, without its journal. Options limit the rest.
package enum ConversationLimits {
    /// Inputs that wait for the echo delay; further ones are dropped, as a rate limit would.
    package static let delayedInputs = 1_000
    /// Transient entries that wait for a connection's history; the oldest go first.
    package static let heldEntries = 1_000
    /// Replies queued after the current one; further messages are echoed and not answered.
    package static let waitingTurns = 1_000
    /// Runs whose events are kept, and events of one of them.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Bytes of a user's text that rules and replies use. 128 KiB, the limit of a message on a WebSocket. A longer text is
    /// kept in full in the run's thread alone.
    package static let heardBytes = 131_072
    /// Bytes of a tool's answer in placeholders and conditions. 64 KiB, the limit of any value of a request.
    package static let answerBytes = 64 << 10
    /// Troubles in force in one session; a `trouble` step beyond that does nothing.
    package static let troubles = 256
}
