import Clocks
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct TemporaryFiles: Sendable {
    private let folder: String

    init(id: String) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ConnectChat-\(id)").path
    }

    /// Checks a file and copies it to a new folder. The copy of a symbolic link has the link's name and its target's
    /// content.
    func copy(_ url: URL, id: String) throws(ConnectChatError) -> ChatCore.File {
        let source = url.resolvingSymlinksInPath().path
        let name = url.lastPathComponent
        guard let type = AttachmentTypes.type(ofFile: name) else {
            throw .unsupportedFileType(url.pathExtension)
        }
        guard url.isFileURL, let count = Self.byteCount(source), Files.Reader(source) != nil else {
            throw .fileUnreadable(name)
        }
        guard count > 0 else { throw .fileEmpty }
        let copy = "\(folder)/\(id)/\(Self.safeName(name))"
        do {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(id)", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: copy)
        } catch {
            drop(copy)
            throw .fileUnreadable(name)
        }
        // Size of the copy: the original may have changed after the check.
        return ChatCore.File(
            name: name, contentType: type.rawValue, byteCount: Self.byteCount(copy) ?? count, copy: copy)
    }

    static func byteCount(_ path: String) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard facts?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (facts?[.size] as? UInt64).flatMap { Int(exactly: $0) }
    }

    /// Removes a copy and its folder, and the parent folder if it is empty.
    func drop(_ copy: String) {
        let files = FileManager.default
        try? files.removeItem(atPath: URL(fileURLWithPath: copy).deletingLastPathComponent().path)
        if (try? files.contentsOfDirectory(atPath: folder))?.isEmpty == true { dropAll() }
    }

    static func safeName(_ name: String) -> String {
        var last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        last.removeAll { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
        while last.utf8.count > 200 { last.removeFirst() }
        return last.isEmpty || last == "." || last == ".." ? "attachment" : last
    }

    func dropAll() { try? FileManager.default.removeItem(atPath: folder) }
}

/// Writer of a response to a temporary file. Only the last part of the name is used, so the file stays in its folder.
final class FileSink: Sendable {
    let file: URL
    private let state = Locked<(writer: Files.Writer?, byteCount: Int)>((nil, 0))

    init(name: String, id: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ConnectChat-\(id)")
        file = folder.appendingPathComponent(TemporaryFiles.safeName(name))
    }

    /// Creates or empties the file. Returns an error if this fails.
    func begin() -> ConnectChatError? {
        let folder = file.deletingLastPathComponent().path
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let writer = Files.Writer(file.path)
        state.withLock { $0 = (writer, 0) }
        return writer == nil ? .fileUnreadable(file.lastPathComponent) : nil
    }

    func add(_ bytes: [UInt8]) -> ConnectChatError? {
        state.withLock { state in
            state.byteCount += bytes.count
            guard state.byteCount <= ConnectLimits.fileBytes else {
                return .unexpectedAnswer("The answer is too large.")
            }
            return state.writer?.write(bytes) == nil ? nil : .fileUnreadable(file.lastPathComponent)
        }
    }

    func close() { state.withLock { $0.writer = nil } }

    func drop() {
        close()
        try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
}
