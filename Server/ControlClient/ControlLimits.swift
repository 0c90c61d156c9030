package import Clocks

/// Limits of the control client.
package enum ControlLimits {
    /// Maximum bytes of one answer.
    package static let answerBytes = 64 << 20
    /// Maximum bytes of the HTTP answer that refuses a feed.
    static let refusalBytes = 64 << 10
    /// Maximum bytes of one feed message: room for a row with the frame before and after a fault.
    package static let feedMessageBytes = 8 << 20
    /// Maximum messages of a feed that wait for the reader.
    package static let feedBacklog = 10_000
    /// Default time-out of an answer.
    package static let patience = Interval.seconds(60)
    /// Maximum bytes of unsent requests: room for the largest import that the server accepts.
    static let unsentBytes = 160 << 20
    /// Maximum nesting depth of an answer.
    static let answerDepth = 64
}
