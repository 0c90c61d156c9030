/// Fixed limits of this module.
package enum PolyLimits {
    /// Bytes of one EVENT_BATCH. 512 KiB: half of the default message limit of iOS.
    package static let batchBytes = 512 * 1024
    /// Bytes of an access token; a longer one is refused unread. 8 KiB: this server's tokens have about 400.
    package static let accessTokenBytes = 8 * 1024
    /// Bytes of a client's correlation id. 128: a UUID has 36. A longer id is replaced by a new one.
    package static let correlationBytes = 128
    /// Bytes of a client's `platform` or `device_type`, which the session stores. 1 KiB: the SDKs send about ten.
    package static let clientWordBytes = 1024
    /// Characters of a client's text quoted in a log line. 40: enough to recognise the text.
    package static let quotedCharacters = 40
    /// Nesting depth up to which a row's ids are read. 64: the depth limit of events.
    static let factsDepth = 64
    /// Seconds in the `Retry-After` of a 429 without a known wait. 1: a place may become free at any time.
    package static let retrySeconds: Int64 = 1
}
