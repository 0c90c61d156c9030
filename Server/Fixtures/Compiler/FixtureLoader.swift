package import Clocks
import ConversationEngine

/// Turns the bytes of a fixture file into a script, or into sentences that say why not.
package enum FixtureLoader {
    /// Bytes of a file at most, and of the body of a request that brings its text.
    package static let fileBytes = JSON5Limits().fileBytes

    /// Findings show `fileName`; the fixture is chosen by `name`. Without `isLinted` the talk as a whole is not judged,
    /// which brings warnings alone and takes as long as all else.
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

    /// `booking` for `fixtures/booking.json5`; nil for files that are no fixtures.
    package static func name(ofFile path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        guard file.utf8.count > 6, file.hasSuffix(".json5"), !file.hasPrefix(".") else { return nil }
        return String(file.dropLast(6))
    }
}
