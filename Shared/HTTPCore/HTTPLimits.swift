/// Limits of an HTTP message. Sizes are in bytes as received and include line ends unless stated otherwise.
package struct HTTPLimits: Equatable, Sendable {
    /// Bytes of the request line without its line end (RFC 9112 §3: at least 8000). More is answered with 414 or 501.
    package var requestLineBytes = 8192
    /// Bytes of the method. More is answered with 501 (RFC 9112 §3). 32: the longest registered method has 17.
    package var methodBytes = 32
    /// Empty lines skipped before a request line (RFC 9112 §2.2). 8: the few clients that send any send one or two.
    package var leadingEmptyLines = 8
    /// Bytes of all field lines of a head. More is answered with 431. 65536: large tokens fit.
    package var headerBytes = 65_536
    /// Number of field lines of a head. More is answered with 431. 128: browsers send about 20.
    package var headerFieldCount = 128
    /// Bytes of the decoded body of a request. More is answered with 413. Bodies of responses have no limit.
    package var bodyBytes = 1_048_576
    /// Bytes of one chunk-size line. 1024: the size needs 16 digits; the rest allows extensions and leading zeros.
    package var chunkLineBytes = 1024
    /// Bytes of all chunk extensions of a body. 16384: extensions are ignored, but take time to read.
    package var chunkExtensionBytes = 16_384
    /// Bytes of all trailer lines. More is answered with 431. 8192: trailers carry checksums, not content.
    package var trailerBytes = 8192
    /// Number of trailer lines. More is answered with 431.
    package var trailerFieldCount = 32
    /// Bytes of the status line of a response without its line end.
    package var statusLineBytes = 8192

    package init() {}
}
