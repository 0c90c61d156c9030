import Foundation
import RunWire
import Testing
import Texts

/// The files of `Tests/Data/ag-ui`: streams with one event a line, and bodies of requests.
struct ExampleFile: Sendable, CustomTestStringConvertible {
    /// Without its extension.
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }

    /// The profile that the stream is valid in.
    var profile: RunProfile {
        name.hasPrefix("legacy") || name.hasPrefix("invalid") ? .v0 : name.hasPrefix("v1") ? .v1 : .v0
    }

    var lines: [[UInt8]] { bytes.split(separator: 0x0A).map { Array($0) } }

    func events() throws -> [RunEvent] { try lines.map { try RunEventReader.read($0) } }

    func input() throws -> RunInput { try RunInput(reading: bytes) }

    static let streams = all(".jsonl")
    static let inputs = all(".input.json")
    static var valid: [ExampleFile] { streams.filter { !$0.name.hasPrefix("invalid") } }

    static func named(_ name: String, in files: [ExampleFile] = streams) throws -> ExampleFile {
        try #require(files.first { $0.name.hasPrefix(name) })
    }

    private static func all(_ ending: String) -> [ExampleFile] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/ag-ui")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
            return ExampleFile(name: String(name.dropLast(ending.count)), bytes: Array(data))
        }
    }
}
