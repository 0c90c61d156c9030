package import Clocks
import ConversationEngine

/// Compiles the bytes of a fixture file to a script, or to findings if the file has errors.
package enum FixtureLoader {
    /// Maximum size in bytes of a fixture file, and of a request body that contains one.
    package static let fileBytes = JSON5Limits().fileBytes

    /// Compiles a fixture. Findings show `fileName`; sessions select the fixture by `name`. Without `isLinted` the
    /// linter is skipped, which yields only warnings and takes half of the time.
    package static func compile(
        bytes: [UInt8], fileName: String, name: String, isLinted: Bool = true
    ) -> CompiledFixture {
        let document = JSON5Document(reading: bytes)
        var compiler = FixtureCompiler(document: document, fileName: fileName, name: name)
        return compiler.run(isLinted: isLinted)
    }

    /// Parses a length of time as fixtures and configuration files write it: `800ms`, `2s`, `5m`, `1h`.
    package static func interval(_ text: String) -> Interval? {
        ValueSyntax.interval(text)
    }

    /// Returns the fixture's name, such as `booking` for `fixtures/booking.json5`; nil for other files.
    package static func name(ofFile path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        guard file.utf8.count > 6, file.hasSuffix(".json5"), !file.hasPrefix(".") else { return nil }
        return String(file.dropLast(6))
    }
}
