package import Clocks

/// Bounds of this module: name, unit, default, reason. Those that a server can cross are crossed in
/// `ControlClientTests`.
package enum ControlLimits {
    /// Bytes of one answer. 64 MiB: an export of a full timeline with its escapes.
    package static let answerBytes = 64 << 20
    /// Bytes of a refusal of a feed. 64 KiB: only its sentence is of interest.
    static let refusalBytes = 64 << 10
    /// Bytes of one message of the feed. 8 MiB: one row holds a frame and its form after a fault.
    package static let feedMessageBytes = 8 << 20
    /// Messages of the feed that wait for their reader; further ones are dropped and counted. 10,000: as many rows as
    /// the server keeps.
    package static let feedBacklog = 10_000
    /// Default time-out of an answer. 60 s: the server is on the same machine,
    /// and moving its clock by hours is quick work.
    package static let patience = Interval.seconds(60)
    /// Bytes of unsent requests. 160 MiB: room for the largest import that the server accepts.
    static let unsentBytes = 160 << 20
    /// Nesting depth of an answer. 64: the depth limit of events.
    static let answerDepth = 64
}
