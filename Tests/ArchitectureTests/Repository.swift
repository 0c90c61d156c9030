#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The checked-out repository, as files and text.
struct Repository: Sendable {
    struct File: Sendable {
        /// From the repository's root, such as `Shared/Clocks/Instant.swift`.
        let path: String
        let name: String
        /// What the name ends with, without the dot.
        let kind: String
        let bytes: ByteText
        var text: String { bytes.text }
        /// Empty for what is not Swift.
        let code: SwiftCode

        init(path: String, bytes: ByteText) {
            self.path = path
            name = File.name(path)
            kind = File.kind(name)
            self.bytes = bytes
            code = SwiftCode(kind == "swift" ? bytes : ByteText(""))
        }

        static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
        static func kind(_ name: String) -> String {
            name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        }

        func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
    }

    let root: String
    let files: [File]
    private let filesByPath: [String: File]

    static let current = Repository(root: rootPath(of: #filePath))

    /// Kinds of file that are read; anything else is data.
    static let textKinds: Set<String> = [
        "c", "canary", "cfg", "conf", "css", "h", "html", "js", "json", "json5", "jsonl", "md", "mjs", "py",
        "sh", "svg", "swift",
        "swiftinterface", "tsv",
        "txt", "xcprivacy",
        "yml",
    ]

    init(root: String) {
        self.root = root
        var found: [File] = []
        for path in Repository.paths(under: root) {
            let kind = File.kind(File.name(path))
            guard Repository.textKinds.contains(kind) || path.hasPrefix(".ci/") else { continue }
            guard let bytes = FileManager.default.contents(atPath: root + "/" + path) else { continue }
            found.append(File(path: path, bytes: ByteText(String(decoding: bytes, as: UTF8.self))))
        }
        files = found.sorted { $0.path < $1.path }
        filesByPath = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    }

    func swift(in folders: String...) -> [File] {
        files.filter { file in file.kind == "swift" && folders.contains { file.isIn($0) } }
    }

    func file(_ path: String) -> File? { filesByPath[path] }

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
                if Disk.isFolder(root + "/" + path) {
                    if !["node_modules", "__pycache__"].contains(name) { folders.append(path) }
                } else {
                    result.append(path)
                }
            }
        }
        return result
    }
}
