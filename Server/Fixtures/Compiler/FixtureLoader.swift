package import Clocks

/// Loader of fixture files.
package enum FixtureLoader {
    /// Maximum size in bytes of a fixture file.
    package static let fileBytes = JSON5Limits().fileBytes

    package static func compile(
        bytes: [UInt8], fileName: String, name: String, isLinted: Bool = true
    ) -> CompiledFixture {
        let document = JSON5Document(reading: bytes)
        var compiler = FixtureCompiler(document: document, fileName: fileName, name: name)
        return compiler.run(isLinted: isLinted)
    }

    /// Parses a duration in the notation of fixtures and configuration files: `800ms`, `2s`, `5m`, `1h`.
    package static func interval(_ text: String) -> Interval? {
        ValueSyntax.interval(text)
    }

    /// Returns `booking` for `fixtures/booking.json5`. Nil if the file name does not end with `.json5`, or begins with
    /// a dot.
    package static func name(ofFile path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        guard file.utf8.count > 6, file.hasSuffix(".json5"), !file.hasPrefix(".") else { return nil }
        return String(file.dropLast(6))
    }
}
