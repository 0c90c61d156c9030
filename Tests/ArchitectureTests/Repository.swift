#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The checked-out repository, as files and text.
struct Repository {
    struct File {
        /// From the repository's root, such as `Shared/Clocks/Instant.swift`.
        var path: String
        var text: String
        /// Empty for what is not Swift.
        var code: SwiftCode

        init(path: String, text: String) {
            self.path = path
            self.text = text
            code = SwiftCode(path.hasSuffix(".swift") ? text : "")
        }

        var name: String { String(path.split(separator: "/").last ?? "") }
        var kind: String { name.split(separator: ".").dropFirst().last.map(String.init) ?? "" }
        var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
        func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
    }

    let root: String
    let files: [File]

    static let current = Repository(root: rootPath(of: #filePath))

    /// Kinds of file that are read; anything else is data.
    static let textKinds: Set<String> = [
        "c", "canary", "css", "h", "html", "js", "json", "json5", "jsonl", "md", "mjs", "py", "sh", "swift",
        "swiftinterface", "tsv",
        "txt",
        "yml",
    ]

    init(root: String) {
        self.root = root
        var found: [File] = []
        for path in Repository.paths(under: root) {
            let kind = File(path: path, text: "").kind
            guard Repository.textKinds.contains(kind) || path.hasPrefix(".ci/") else { continue }
            guard let bytes = FileManager.default.contents(atPath: root + "/" + path) else { continue }
            found.append(File(path: path, text: String(decoding: bytes, as: UTF8.self)))
        }
        files = found.sorted { $0.path < $1.path }
    }

    func swift(in folders: String...) -> [File] {
        files.filter { file in file.kind == "swift" && folders.contains { file.isIn($0) } }
    }

    func file(_ path: String) -> File? { files.first { $0.path == path } }

    /// Three levels up from `Tests/ArchitectureTests/Repository.swift`.
    private static func rootPath(of filePath: String) -> String {
        filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }

    /// Every file below `root`; folders with a leading dot are left out, but for `.ci`.
    private static func paths(under root: String) -> [String] {
        var result: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
            for name in names where !name.hasPrefix(".") || name == ".ci" {
                let path = folder.isEmpty ? name : folder + "/" + name
                guard FileManager.default.fileExists(atPath: root + "/" + path) else { continue }
                // Whether it is a folder is told as a Bool on Linux and as another type on Apple systems.
                let inside = try? FileManager.default.contentsOfDirectory(atPath: root + "/" + path)
                if inside != nil {
                    if !["node_modules", "__pycache__"].contains(name) { folders.append(path) }
                } else {
                    result.append(path)
                }
            }
        }
        return result
    }
}
