/// Bounds of this module: name, unit, default, reason.
package enum PolyLimits {
    /// Bytes of one EVENT_BATCH. 512 KiB: half of what the iOS platform accepts in one message by default.
    package static let batchBytes = 512 * 1024
    /// Bytes of an access token that is looked at. 8 KiB: ours have about 400.
    package static let accessTokenBytes = 8 * 1024
    /// Characters of a correlation id that is passed on. 128: a UUID has 36; a longer one is replaced.
    package static let correlationBytes = 128
    /// Bytes of a client's platform and of its device's type, which a session keeps. 1 KiB: those of the SDKs have ten.
    package static let clientWordBytes = 1024
    /// Characters of a client's text quoted in a log line. 40: enough to recognise it.
    package static let quotedCharacters = 40
    /// Containers inside containers while a row's facts are read. 64: as deep as events are read.
    static let factsDepth = 64
    /// Seconds that a 429 names where nothing better is known. 1: places come free at any time.
    package static let retrySeconds: Int64 = 1
}
