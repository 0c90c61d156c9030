/// Fixed limits of sessions and of reports about them. Crossed in `GapTests` and `PendingTimerTests`.
package enum EngineLimits {
    /// Bytes of a text with filled gaps: eight times what one event carries (protocol.md#message-size), so that a
    /// fixture can still try what a client does with too much.
    static let filledBytes = 1_048_576
    /// Bytes of what one slot remembers from a text with gaps, which may hold the slot itself: `{a}{a}`
    /// doubles with every step. What one event carries.
    static let rememberedBytes = 131_072
    /// Turns that sessions get in one call of `advance`. 10,000: some tens of milliseconds when each has one event to
    /// tell, after which sockets come first again.
    package static let turnsOfSessions = 10_000
    /// Steps of one session in one turn. 10,000: more than any session has at one moment, but for a long reply
    /// that is streamed without a pause.
    package static let stepsOfTurn = 10_000
    /// Removed sessions that stay listed as ended, in addition to twice the number of sessions held.
    static let spareEndings = 64
    /// Timers in one list: enough for a person to read, and a page to show.
    package static let listedTimers = 1_000
    /// Rules whose uses outlive their sessions. Fixtures that are edited all day make new ones; a fixture has
    /// tens.
    package static let countedRules = 5_000
}
