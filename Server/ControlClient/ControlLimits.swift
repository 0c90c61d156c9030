package import Clocks

/// Limits of the control client. `ControlClientTests` exceeds those that a server can exceed.
package enum ControlLimits {
    /// Bytes of one answer: an export of a full timeline with its escapes.
    package static let answerBytes = 64 << 20
    /// Bytes of a refusal of a feed, of which only the error text is used.
    static let refusalBytes = 64 << 10
    /// Bytes of one message of the feed: a row with a frame and its form after a fault.
    package static let feedMessageBytes = 8 << 20
    /// Messages of the feed that wait for their reader: as many as the server keeps rows. Further ones are dropped.
    package static let feedBacklog = 10_000
    /// Default time-out of an answer. The server is on the same machine, and even moving its clock by hours is fast.
    package static let patience = Interval.seconds(60)
    /// Bytes of unsent requests: room for the largest import that the server accepts.
    static let unsentBytes = 160 << 20
    /// Nesting depth of an answer, which is the depth limit of events.
    static let answerDepth = 64
}
