/// Limits of the timeline. `TimelineTests` and `RowFilterTests` exceed them.
package enum TimelineLimits {
    /// Number of rows kept. 10,000 rows are a few minutes of a busy test suite.
    package static let rows = 10_000
    /// Bytes of `raw` and `original` kept. 32 MiB hold 10,000 frames of about 3 KiB.
    package static let rawBytes = 32 * 1024 * 1024
    /// Maximum bytes of a filter, which must fit into a URL.
    package static let filterBytes = 2_000
    /// Maximum steps of a filter for each byte of a row. 32 steps are enough for four JSON paths. On a full timeline,
    /// such a filter takes a second.
    package static let filterSteps = 32
    /// Maximum bytes of an import. 128 MiB is four times ``rawBytes``, because exports escape texts and contain further
    /// fields.
    package static let importBytes = 128 * 1024 * 1024
    /// Maximum rows of an import: twenty times ``rows``.
    package static let importRows = 200_000
    /// Maximum names in rows that are compared with a misspelt name. 500: more than the number of rules in any fixture.
    static let comparedNames = 500
}
