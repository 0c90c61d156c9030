/// Bounds of this module: name, unit, default, reason. Crossed in `TimelineTests` and `RowFilterTests`.
package enum TimelineLimits {
    /// Rows kept. 10,000: some minutes of a busy suite.
    package static let rows = 10_000
    /// Bytes of `raw` and `original` kept. 32 MiB: 10,000 frames of 3 KiB, and no server grows without end.
    package static let rawBytes = 32 * 1024 * 1024
    /// Bytes of one filter. 2,000: it must fit a URL.
    package static let filterBytes = 2_000
    /// Steps that a filter may cost for each byte of a row: one for each text or expression, more where JSON is read. 32:
    /// four paths, or more words than fit a line; a full timeline is through in a second.
    package static let filterSteps = 32
    /// Bytes of one import. 128 MiB: four times what a timeline keeps, for the escapes and the other fields.
    package static let importBytes = 128 * 1024 * 1024
    /// Rows of one import. 200,000: twenty timelines in one file.
    package static let importRows = 200_000
    /// Names of rows that a misspelt one is compared with. 500: more than the rules of any fixture, and a hint
    /// that takes no time.
    static let comparedNames = 500
}
