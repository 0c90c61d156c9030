package import Clocks
import ConversationEngine

/// Compiles the bytes of a fixture file to a script, or to findings that say why that is impossible.
package enum FixtureLoader {
    /// Maximum size in bytes of a fixture file, and of a request body with its text.
    package static let fileBytes = JSON5Limits().fileBytes

    /// Findings show `fileName`; the fixture is chosen by `name`. Without `isLinted` the checks of the whole
    /// conversation are skipped, which yield only warnings and take half of the time.
    package static func compile(
        bytes: [UInt8], fileName: String, name: String, isLinted: Bool = true
    ) -> CompiledFixture {
        let document = JSON5Document(reading: bytes)
        var compiler = FixtureCompiler(document: document, fileName: fileName, name: name)
        return compiler.run(isLinted: isLinted)
    }

    /// A length of time as fixtures and configuration files write it: `800ms`, `2s`, `5m`, `1h`.
    package static func interval(_ text: String) -> Interval? {
        ValueSyntax.interval(text)
    }

    /// `booking` for `fixtures/booking.json5`; nil for other files.
    package static func name(ofFile path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        guard file.utf8.count > 6, file.hasSuffix(".json5"), !file.hasPrefix(".") else { return nil }
        return String(file.dropLast(6))
    }
}
