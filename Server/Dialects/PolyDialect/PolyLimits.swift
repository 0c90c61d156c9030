package import Clocks

package enum PolyLimits {
    /// Maximum bytes of an EVENT_BATCH with several events (protocol.md#batch-size).
    package static let batchBytes = 512 * 1024
    /// Maximum bytes of an access token that is parsed.
    package static let accessTokenBytes = 8 * 1024
    /// Bytes reserved for a response's body.
    package static let usualBodyBytes = 512
    /// Maximum bytes of a client's correlation id.
    package static let correlationBytes = 128
    /// Maximum bytes of a client's `platform`, and the same for its `device_type`.
    package static let clientWordBytes = 1024
    /// Maximum bytes of a file's name, and the same for its media type.
    package static let fileWordBytes = 255
    /// Time in which an announced file's bytes must arrive.
    package static let uploadTime = Interval.minutes(15)
    /// Maximum characters of a client's text that a log line quotes.
    package static let quotedCharacters = 40
    /// Maximum nesting depth at which ids are read from a row.
    static let factsDepth = 64
    /// `Retry-After` of a 429 response in seconds if the time to wait is unknown.
    package static let retrySeconds: Int64 = 1
}
