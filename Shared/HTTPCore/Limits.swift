/// Limits of an HTTP message. Sizes are in bytes as received and include line ends unless stated otherwise.
package struct Limits: Equatable, Sendable {
    /// Request line without its line end (RFC 9112 §3: at least 8000). Beyond it, the status is 414 or 501.
    package var requestLineBytes = 8192
    /// Method. Beyond it, the status is 501 (RFC 9112 §3). 32: the longest registered method has 17.
    package var methodBytes = 32
    /// Empty lines skipped before a request line (RFC 9112 §2.2). 8: the few clients that send any send one or two.
    package var leadingEmptyLines = 8
    /// All field lines of a head. Beyond it, the status is 431. 65536: large tokens fit.
    package var headerBytes = 65_536
    /// Number of field lines of a head. Beyond it, the status is 431. 128: browsers send about 20.
    package var headerFieldCount = 128
    /// Decoded body of a request; beyond it, the status is 413. Response bodies have no limit. 1 MiB: events have 64
    /// KiB.
    package var bodyBytes = 1_048_576
    /// One chunk-size line. 1024: the size needs 16 digits; the rest allows extensions and leading zeros.
    package var chunkLineBytes = 1024
    /// Chunk extensions of a body together. 16384: extensions are ignored, but take time to read.
    package var chunkExtensionBytes = 16_384
    /// All trailer lines. Beyond it, the status is 431. 8192: trailers carry checksums, not content.
    package var trailerBytes = 8192
    /// Number of trailer lines. Beyond it, the status is 431.
    package var trailerFieldCount = 32
    /// Status line of a response without its line end.
    package var statusLineBytes = 8192

    package init() {}
}
