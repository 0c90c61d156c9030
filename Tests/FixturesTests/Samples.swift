import ConversationEngine
import Fixtures
import Foundation
import Matching
import Testing

/// Helpers of this folder.
enum Samples {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of the repository.
    static func file(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try file(path), as: UTF8.self)
    }

    static func read(_ text: String) -> JSON5Document {
        JSON5Document(reading: Array(text.utf8))
    }

    /// The content of a text that must be fine.
    static func content(_ text: String) throws -> JSON5Value.Content {
        let document = read(text)
        try #require(document.problems.isEmpty, "\(document.problems)")
        return try #require(document.root).content
    }

    /// `line:column: message` of the only problem.
    static func problem(_ text: String) throws -> String {
        let document = read(text)
        try #require(document.problems.count == 1, "\(document.problems)")
        let problem = document.problems[0]
        let place = document.place(at: problem.offset)
        return "\(place.line):\(place.column): \(problem.message)"
    }

    /// The findings of a fixture, each as `line:column: severity: message [code]`.
    static func findings(_ text: String) -> [String] {
        FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f").findings.map {
            String($0.description.dropFirst(2))
        }
    }
}
