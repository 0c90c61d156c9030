import Foundation

/// The lines of one of the example streams.
func exampleLines(_ name: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Data/ag-ui/\(name).jsonl")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
}
