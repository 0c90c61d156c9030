#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A place in a file: a call in a test, or a line of a fixture.
public struct CallSite: Sendable, Equatable, Hashable {
    /// Module and file, such as `BookingTests/BookingTests.swift`.
    public var fileID: String
    /// The path of the file, as the compiler received it.
    public var filePath: String
    /// Line number, from 1.
    public var line: Int
    /// Column number, from 1.
    public var column: Int

    /// The place of the caller, filled in by the compiler.
    public init(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    init(fixture file: String, line: Int, column: Int) {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        self.init(fileID: "fixtures/" + name, filePath: file, line: line, column: column)
    }

    package var absolutePath: String {
        guard filePath.contains("/"), !filePath.hasPrefix("/") else { return filePath }
        return FileManager.default.currentDirectoryPath + "/" + filePath
    }

    var words: String { "\(filePath):\(line):\(column)" }

    /// Whether the file exists; false for embedded fixtures and for fixture texts inside tests.
    package var isInFile: Bool { FileManager.default.fileExists(atPath: absolutePath) }

    /// File name without its folders.
    public var fileName: String { filePath.split(separator: "/").last.map(String.init) ?? filePath }
}

extension CallSite {
    /// Parses the `file:line:column:` at the beginning of a linter message.
    package static func first(in text: String) -> CallSite? {
        let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].hasSuffix(".json5"), let line = Int(parts[1]),
            let column = Int(parts[2])
        else { return nil }
        return CallSite(fixture: String(parts[0]), line: line, column: column)
    }
}
