package import Clocks
import Texts

/// Store of attached files, with signed links that expire.
package struct AttachmentStore: Sendable {
    package struct Limits: Equatable, Sendable {
        /// Maximum bytes of one file.
        package var fileBytes = 20 << 20
        /// Maximum bytes of a session's files.
        package var sessionBytes = 64 << 20
        /// Maximum bytes of all files.
        package var totalBytes = 256 << 20
        /// Maximum number of files of a session.
        package var sessionFiles = 100

        package init() {}
    }

    package enum State: Equatable, Sendable {
        case announced
        case received
        case accepted
        case rejected(reason: String)
    }

    package struct File: Equatable, Sendable {
        package let id: String
        package let session: String
        package let name: String
        package let type: String
        /// The announced length in bytes.
        package let size: Int
        /// Time until which the bytes must arrive.
        package let end: Instant
        package fileprivate(set) var bytes: [UInt8] = []
        package fileprivate(set) var state = State.announced
    }

    package enum Refusal: Error, Equatable, Sendable {
        case tooLarge(limit: Int)
        case tooMany(limit: Int)
        case noRoom(limit: Int)
        case unknownFile
        case notExpected
        case otherSize(announced: Int)
        case badLink
        case expiredLink

        package var words: String {
            switch self {
            case .tooLarge(let limit): "a file takes \(limit) bytes at most"
            case .tooMany(let limit): "there are \(limit) files, no more are taken"
            case .noRoom(let limit): "there is room for \(limit) bytes, and others have it"
            case .unknownFile: "no such file was announced"
            case .notExpected: "its bytes are there already"
            case .otherSize(let announced): "\(announced) bytes were announced"
            case .badLink: "the link leads to no file"
            case .expiredLink: "the time of the link is over"
            }
        }
    }

    package let limits: Limits
    private let key: SigningKey
    private var files: [String: File] = [:]
    private var reservedBytes = 0

    package init(key: SigningKey, limits: Limits = Limits()) {
        self.key = key
        self.limits = limits
    }

    package var byteCount: Int { reservedBytes }
    /// Bytes that have arrived and are stored.
    package private(set) var heldBytes = 0
    package subscript(id: String) -> File? { files[id] }

    package func files(of session: String) -> [File] {
        files.values.filter { $0.session == session }.sorted { $0.id < $1.id }
    }

    /// Announces a file, and reserves room for its bytes until `end`.
    package mutating func announce(
        _ id: String, name: String, type: String, size: Int, session: String,
        until end: Instant = .distantFuture
    ) throws(Refusal) {
        guard size >= 0, size <= limits.fileBytes else { throw .tooLarge(limit: limits.fileBytes) }
        let others = files.values.filter { $0.session == session }
        guard others.count < limits.sessionFiles else { throw .tooMany(limit: limits.sessionFiles) }
        guard others.reduce(size, { $0 + $1.size }) <= limits.sessionBytes else {
            throw .noRoom(limit: limits.sessionBytes)
        }
        guard reservedBytes + size <= limits.totalBytes else { throw .noRoom(limit: limits.totalBytes) }
        guard files[id] == nil else { throw .notExpected }
        files[id] = File(id: id, session: session, name: name, type: type, size: size, end: end)
        reservedBytes += size
    }

    /// Stores the bytes of an announced file.
    package mutating func receive(_ bytes: [UInt8], of id: String) throws(Refusal) {
        guard let file = files[id] else { throw .unknownFile }
        guard file.state == .announced else { throw .notExpected }
        guard bytes.count == file.size else { throw .otherSize(announced: file.size) }
        files[id]?.bytes = bytes
        heldBytes += bytes.count
        files[id]?.state = .received
    }

    /// Whether the file has exactly these bytes and was not scanned yet.
    package func holds(_ bytes: [UInt8], of id: String) -> Bool {
        guard let file = files[id], file.state == .received else { return false }
        return file.bytes == bytes
    }

    /// Records a scan result.
    package mutating func judge(_ id: String, rejected reason: String? = nil) throws(Refusal) {
        guard let file = files[id] else { throw .unknownFile }
        guard file.state == .received else { throw .notExpected }
        files[id]?.state = reason.map { .rejected(reason: $0) } ?? .accepted
        if reason != nil {
            heldBytes -= file.bytes.count
            files[id]?.bytes = []
        }
    }

    /// Returns a signed link to a file, valid until `end`. `use` must not contain a dot; ``open(_:at:)`` returns it.
    package func link(to id: String, as use: String = "", until end: Instant) -> String {
        let text = "\(id).\(end.nanoseconds).\(use)"
        return text + "." + String(decoding: Base64.url.encode(key.sign(Array(text.utf8))), as: UTF8.self)
    }

    /// Like ``file(of:at:)``, but also throws if the file was not accepted.
    package func open(_ link: String, at now: Instant) throws(Refusal) -> (file: File, use: String) {
        let found = try file(of: link, at: now)
        guard found.file.state == .accepted else { throw .unknownFile }
        return found
    }

    /// Returns the file and the `use` of a link, whatever the file's state.
    package func file(of link: String, at now: Instant) throws(Refusal) -> (file: File, use: String) {
        let parts = link.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, let signature = Base64.url.decode(parts[parts.count - 1].utf8),
            let end = Int64(parts[parts.count - 3])
        else { throw .badLink }
        let text = parts.dropLast().joined(separator: ".")
        guard HMAC.areEqual(signature, key.sign(Array(text.utf8))) else { throw .badLink }
        guard now.nanoseconds < end else { throw .expiredLink }
        let id = parts.dropLast(3).joined(separator: ".")
        guard let file = files[id] else { throw .unknownFile }
        return (file, String(parts[parts.count - 2]))
    }

    package mutating func expire(at now: Instant) {
        for file in files.values where file.state == .announced && file.end <= now { drop(file.id) }
    }

    package mutating func drop(_ id: String) {
        guard let file = files.removeValue(forKey: id) else { return }
        reservedBytes -= file.size
        heldBytes -= file.bytes.count
    }

    package mutating func drop(session: String) {
        guard !files.isEmpty else { return }
        for file in files.values where file.session == session { drop(file.id) }
    }
}
