/// Limits of the timeline. `TimelineTests` and `RowFilterTests` exceed them.
package enum TimelineLimits {
    /// Number of rows kept: some minutes of a busy test suite.
    package static let rows = 10_000
    /// Bytes of `raw` and `original` kept: 10,000 frames of 3 KiB.
    package static let rawBytes = 32 * 1024 * 1024
    /// Bytes of a filter, which must fit into a URL.
    package static let filterBytes = 2_000
    /// Steps of a filter for each byte of a row: enough for four paths, which take a second in a full timeline.
    package static let filterSteps = 32
    /// Bytes of an import: four times those of a timeline, for escapes and other fields.
    package static let importBytes = 128 * 1024 * 1024
    /// Rows of an import: those of twenty timelines.
    package static let importRows = 200_000
    /// Names in rows that are compared with a misspelt one: more than the rules of any fixture.
    static let comparedNames = 500
}
