/// How much of a message is accepted before it is refused. Sizes count bytes as they arrive, line ends
/// included unless said otherwise.
package struct Limits: Equatable, Sendable {
    /// Method, target and version without the line end; crossing it is 414 (or 501 for a long method).
    /// 8192: RFC 9112 §3 asks for at least 8000.
    package var requestLineBytes = 8192
    /// Crossing it is 501 (RFC 9112 §3). 32: the longest registered method, UPDATEREDIRECTREF, has 17.
    package var methodBytes = 32
    /// Empty lines skipped before a request line (RFC 9112 §2.2). 8: clients that send any send one or two.
    package var leadingEmptyLines = 8
    /// All field lines of one head; crossing it is 431. 65536: large tokens pass, a flood does not.
    package var headerBytes = 65_536
    /// Field lines of one head; crossing it is 431. 128: browsers send about 20.
    package var headerFieldCount = 128
    /// The body of a request without its coding; crossing it is 413. 1 MiB: events are at most 64 KiB.
    /// Response bodies are handed over unbounded, since they may be streams without an end.
    package var bodyBytes = 1_048_576
    /// One chunk-size line. 1024: a size needs 16 digits, the rest is room for extensions and leading zeros.
    package var chunkLineBytes = 1024
    /// Everything after the sizes on all chunk-size lines of a body. 16384: extensions have no use here, but
    /// cost the reader time.
    package var chunkExtensionBytes = 16_384
    /// All trailer lines; crossing it is 431. 8192: trailers carry checksums, not content.
    package var trailerBytes = 8192
    /// Trailer lines; crossing it is 431.
    package var trailerFieldCount = 32
    /// The first line of a response without the line end. 8192: as for requests.
    package var statusLineBytes = 8192

    package init() {}
}
