/// Limits of the timeline. `TimelineTests` and `RowFilterTests` exceed them.
package enum TimelineLimits {
    /// Number of rows kept. 10,000: some minutes of a busy test suite.
    package static let rows = 10_000
    /// Bytes of `raw` and `original` kept. 32 MiB: 10,000 frames of about 3 KiB.
    package static let rawBytes = 32 * 1024 * 1024
    /// Maximum bytes of a filter, which must fit into a URL.
    package static let filterBytes = 2_000
    /// Maximum steps of a filter for each byte of a row. 32: enough for four JSON paths, which take a second on a full
    /// timeline.
    package static let filterSteps = 32
    /// Maximum bytes of an import. 128 MiB: four times those of a timeline, because of escapes and further fields.
    package static let importBytes = 128 * 1024 * 1024
    /// Rows of an import: those of twenty timelines.
    package static let importRows = 200_000
    /// Maximum names in rows that are compared with a misspelt name. 500: more than the number of rules in any fixture.
    static let comparedNames = 500
}
