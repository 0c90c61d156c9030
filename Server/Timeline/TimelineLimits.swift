/// Limits of this module, crossed in `TimelineTests` and `RowFilterTests`.
package enum TimelineLimits {
    /// Rows kept. 10,000: some minutes of a busy suite.
    package static let rows = 10_000
    /// Bytes of `raw` and `original` kept. 32 MiB: 10,000 frames of 3 KiB.
    package static let rawBytes = 32 * 1024 * 1024
    /// Bytes of a filter. 2,000: it must fit a URL.
    package static let filterBytes = 2_000
    /// Steps of a filter for each byte of a row: one for a text or expression, more for a path. 32: four paths, or more words than
    /// fit a line; a full timeline takes a second.
    package static let filterSteps = 32
    /// Bytes of an import. 128 MiB: four times those of a timeline, for escapes and other fields.
    package static let importBytes = 128 * 1024 * 1024
    /// Rows of an import. 200,000: twenty timelines.
    package static let importRows = 200_000
    /// Names in rows that are compared with a misspelt one. 500: more than the rules of any fixture.
    static let comparedNames = 500
}
