/// Bounds of a talk, and of what is told about it, that no setting changes. Crossed in `GapTests` and
/// `PendingTimerTests`.
package enum EngineLimits {
    /// Bytes of a text with filled gaps: eight times what one event carries (poly-messaging 2.5), so that a
    /// fixture can still try what a client does with too much.
    static let filledBytes = 1_048_576
    /// Bytes of what one slot remembers from a text with gaps, which may hold the slot itself: `{a}{a}`
    /// doubles with every step. What one event carries.
    static let rememberedBytes = 131_072
    /// Ended sessions that stay listed although they are forgotten, besides as many as twice the sessions held.
    static let spareEndings = 64
    /// Timers in one list: enough for a person to read, and a page to show.
    package static let listedTimers = 1_000
    /// Rules whose uses outlive their sessions. Fixtures that are edited all day make new ones; a fixture has
    /// tens.
    package static let countedRules = 5_000
}
