import Foundation

/// Copies of files on their way to the service, and files that came from it: each in a folder of its own.
struct FileShelf: Sendable {
    private let folder: String

    init(id: String) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ConnectChat-\(id)").path
    }

    /// Checks a file and copies it.
    func copy(_ url: URL, id: String) throws(ConnectChatError) -> ChatCore.File {
        let name = url.lastPathComponent
        guard let type = AttachmentTypes.type(ofFile: name) else {
            throw .unsupportedFileType(url.pathExtension)
        }
        guard url.isFileURL, let bytes = FileManager.default.contents(atPath: url.path) else {
            throw .fileUnreadable(name)
        }
        guard !bytes.isEmpty else { throw .fileEmpty }
        let copy = "\(folder)/\(id)"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try bytes.write(to: URL(fileURLWithPath: copy))
        } catch {
            throw .fileUnreadable(name)
        }
        return ChatCore.File(name: name, contentType: type.rawValue, byteCount: bytes.count, copy: copy)
    }

    /// Nil when the copy is gone.
    func read(_ copy: String) -> [UInt8]? { FileManager.default.contents(atPath: copy).map { [UInt8]($0) } }

    func drop(_ copy: String) { try? FileManager.default.removeItem(atPath: copy) }

    /// Keeps what was downloaded. Of the name only the last part counts; nothing outside of the folder is touched.
    func keep(_ bytes: [UInt8], name: String, id: String) throws(ConnectChatError) -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ConnectChat-\(id)")
        let file = folder.appendingPathComponent(Self.safeName(name))
        do {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        } catch {
            throw .fileUnreadable(Self.safeName(name))
        }
        return file
    }

    static func safeName(_ name: String) -> String {
        var last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        last.removeAll { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
        while last.utf8.count > 200 { last.removeFirst() }
        return last.isEmpty || last == "." || last == ".." ? "attachment" : last
    }

    func dropAll() { try? FileManager.default.removeItem(atPath: folder) }
}
