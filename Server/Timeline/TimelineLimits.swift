/// Limits of the timeline.
package enum TimelineLimits {
    /// Default maximum of rows kept: a few minutes of a busy test suite.
    package static let rows = 10_000
    /// Default maximum of bytes of `raw` and `original` kept: 10,000 frames of about 3 KiB.
    package static let rawBytes = 32 * 1024 * 1024
    /// Maximum of different patterns in 1,024 rows: a few kinds of clients.
    static let patterns = 8
    /// Maximum bytes of a text in which a message's words are searched, since a hostile text can make that quadratic.
    static let patternBytes = 4 * 1024
    /// Maximum of texts in 1,024 rows from which others keep only the differences: a few kinds of requests.
    static let bases = 16
    /// Maximum of texts that one text is compared with.
    static let basesTried = 3
    /// Maximum bytes of a filter, which must fit into a URL.
    package static let filterBytes = 2_000
    /// Maximum filter steps for each byte of a row: enough for four JSON paths.
    package static let filterSteps = 32
    /// Maximum bytes of an import: four times ``rawBytes``, because exports have escapes and further fields.
    package static let importBytes = 128 * 1024 * 1024
    package static let importRows = 200_000
    /// Maximum names in rows that are compared with a misspelt name.
    static let comparedNames = 500
}
