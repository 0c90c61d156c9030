/// Bounds of this module: name, unit, default, reason.
package enum PolyLimits {
    /// Bytes of one EVENT_BATCH. 512 KiB: half of what the iOS platform accepts in one message by default.
    package static let batchBytes = 512 * 1024
    /// Bytes of an access token; longer ones are refused unread. 8 KiB: ours have about 400.
    package static let accessTokenBytes = 8 * 1024
    /// Characters of a correlation id that is passed on. 128: a UUID has 36; a longer one is replaced.
    package static let correlationBytes = 128
    /// Bytes of a client's platform and of its device's type, which a session keeps. 1 KiB: those of the SDKs have ten.
    package static let clientWordBytes = 1024
    /// Characters of a client's text quoted in a log line. 40: enough to recognise it.
    package static let quotedCharacters = 40
    /// Nesting depth up to which a row's facts are read. 64: the depth limit of events.
    static let factsDepth = 64
    /// `Retry-After` of a 429, in seconds, if no better value is known. 1: a place may become free at any
    /// time.
    package static let retrySeconds: Int64 = 1
}
