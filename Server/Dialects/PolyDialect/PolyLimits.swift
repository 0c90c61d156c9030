package import Clocks

package enum PolyLimits {
    /// Maximum bytes of an EVENT_BATCH with several events. 512 KiB: half of the default message limit of iOS.
    package static let batchBytes = 512 * 1024
    /// Maximum bytes of an access token that is parsed. 8 KiB: this server's tokens have about 400 bytes.
    package static let accessTokenBytes = 8 * 1024
    /// Maximum bytes of a client's correlation id; a longer one is replaced by a new id. 128: a UUID has 36 bytes.
    package static let correlationBytes = 128
    /// Maximum bytes of a client's `platform` and of its `device_type`. 1 KiB: the SDKs send about ten bytes.
    package static let clientWordBytes = 1024
    /// Maximum bytes of a file's name and of its media type. 255: the usual bound of file systems.
    package static let fileWordBytes = 255
    /// Time in which an announced file's bytes must arrive.
    package static let uploadTime = Interval.minutes(15)
    /// Maximum characters of a client's text that a log line quotes.
    package static let quotedCharacters = 40
    /// Maximum nesting depth at which ids are read from a row. 64: the depth limit of events.
    static let factsDepth = 64
    /// `Retry-After` of a 429 response in seconds if the time to wait is unknown.
    package static let retrySeconds: Int64 = 1
}
