package import Clocks

/// Limits of the control client. `ControlClientTests` exceeds those that a server can exceed.
package enum ControlLimits {
    /// Maximum bytes of one answer. 64 MiB: room for the export of a full timeline with its JSON escapes.
    package static let answerBytes = 64 << 20
    /// Maximum bytes of the HTTP answer that refuses a feed. Only its error text is used.
    static let refusalBytes = 64 << 10
    /// Maximum bytes of one feed message. 8 MiB: room for a row with the original frame and the frame that a fault
    /// changed.
    package static let feedMessageBytes = 8 << 20
    /// Maximum messages of the feed that wait for their reader: as many as the server keeps rows. Further messages are
    /// dropped.
    package static let feedBacklog = 10_000
    /// Default time-out of an answer. 60 seconds: the server is on the same machine, and needs less even to move its
    /// clock by hours.
    package static let patience = Interval.seconds(60)
    /// Maximum bytes of unsent requests. 160 MiB: room for the largest import that the server accepts.
    static let unsentBytes = 160 << 20
    /// Maximum nesting depth of an answer, equal to the depth limit of events.
    static let answerDepth = 64
}
