/// Limits of an HTTP message. Sizes are in bytes as received, with line ends unless stated.
package struct HTTPLimits: Equatable, Sendable {
    /// Maximum bytes of a request line without its line end (RFC 9112 §3: at least 8000). More is answered with 414 or
    /// 501.
    package var requestLineBytes = 8192
    /// Maximum bytes of a method. More is answered with 501 (RFC 9112 §3). 32: registered methods have up to 17 bytes.
    package var methodBytes = 32
    /// Maximum empty lines skipped before a request line (RFC 9112 §2.2).
    package var leadingEmptyLines = 8
    /// Maximum bytes of a head's field lines. More is answered with 431.
    package var headerBytes = 65_536
    /// Maximum number of a head's field lines. More is answered with 431.
    package var headerFieldCount = 128
    /// Maximum bytes of a request's decoded body. More is answered with 413. Bodies of responses have no limit here.
    package var bodyBytes = 1_048_576
    /// Maximum bytes of a chunk-size line without its line end.
    package var chunkLineBytes = 1024
    /// Maximum bytes of a body's chunk extensions. 16,384: extensions have no effect, but reading them takes time.
    package var chunkExtensionBytes = 16_384
    /// Maximum bytes of all trailer lines. More is answered with 431.
    package var trailerBytes = 8192
    /// Maximum number of trailer lines. More is answered with 431.
    package var trailerFieldCount = 32
    /// Maximum bytes of a response's status line, without its line end.
    package var statusLineBytes = 8192

    package init() {}
}
