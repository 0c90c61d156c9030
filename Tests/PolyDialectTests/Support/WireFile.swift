import Foundation
import Testing

/// The files of `Tests/Data/wire`: one event each, as it stands on the wire.
enum WireFile {
    /// The id in every file. Tests put the id they use in its place: how ids are written is not their subject.
    static let id = "0190f1c2-5f0a-7c11-8a61-3f4b9a2d1c01"

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/wire")

    /// The text of the file called `name`, without the line end.
    static func text(_ name: String) throws -> String {
        let text = try String(contentsOf: folder.appendingPathComponent(name + ".json"), encoding: .utf8)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    static func names() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    }
}
