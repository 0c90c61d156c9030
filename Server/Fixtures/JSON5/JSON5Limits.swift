/// What one JSON5 file may be. Each limit is crossed by a test in `JSON5HostileTests`.
package struct JSON5Limits: Equatable, Sendable {
    /// Bytes of a file. 4 MiB: some sixty times the largest fixture worth reading by a person.
    package var fileBytes = 4 << 20
    /// Brackets inside brackets. 64: a fixture needs 12; the reader calls itself once per level.
    package var nesting = 64
    /// Values of all kinds together. 200,000: keeps the tree of a file below 32 MB.
    package var values = 200_000
    /// Characters of one number. 400: the longest finite decimal without a fraction has 309.
    package var numberBytes = 400

    package init() {}
}
