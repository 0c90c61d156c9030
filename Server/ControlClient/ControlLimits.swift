package import Clocks

/// Limits of the control client. `ControlClientTests` tests each limit that a server can exceed.
package enum ControlLimits {
    /// Maximum bytes of one answer: room for the export of a full timeline with its JSON escapes.
    package static let answerBytes = 64 << 20
    /// Maximum bytes of the HTTP answer that refuses a feed. Only its error text is used.
    static let refusalBytes = 64 << 10
    /// Maximum bytes of one feed message: room for a row with the frame before and after a fault.
    package static let feedMessageBytes = 8 << 20
    /// Maximum messages of a feed that wait for the reader, equal to the default number of rows that the server keeps.
    /// Further messages are dropped.
    package static let feedBacklog = 10_000
    /// Default time-out of an answer. The server answers sooner, even if it moves its clock by hours.
    package static let patience = Interval.seconds(60)
    /// Maximum bytes of unsent requests: room for the largest import that the server accepts.
    static let unsentBytes = 160 << 20
    /// Maximum nesting depth of an answer, equal to the depth limit of events.
    static let answerDepth = 64
}
