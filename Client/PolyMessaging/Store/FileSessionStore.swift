import Foundation

/// One file for each connector token, which nobody but its owner can read.
///
/// A record is written to a new file that then takes the old one's name, so a reader sees the old record or the
/// new one, never a piece. What this class did not write, or what others could have written, is discarded.
package final class FileSessionStore: SessionStore {
    private let folder: String

    /// - Parameter folder: is made, for its owner alone, when the first record is written.
    package init(folder: String) {
        self.folder = folder
    }

    /// The usual folder: `$XDG_STATE_HOME`, else `~/.local/state` (XDG Base Directory Specification), or
    /// `~/Library/Application Support` on Apple platforms.
    package static var usual: FileSessionStore {
        #if canImport(Darwin)
            let base = NSHomeDirectory() + "/Library/Application Support"
        #else
            let home = ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? ""
            let base = home.hasPrefix("/") ? home : NSHomeDirectory() + "/.local/state"
        #endif
        return FileSessionStore(folder: base + "/PolyMessaging")
    }

    package func load(_ namespace: String) -> StoreReading {
        let path = path(namespace)
        // O_NOFOLLOW: a link in our place is somebody else's doing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return StoreReading() }
            return discard(path, "could not be opened (errno \(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return discard(path, "is no ordinary file")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            return discard(path, "could be read or written by others")
        }
        guard let bytes = contents(of: descriptor), let record = StoredSession(bytes, namespace) else {
            return discard(path, "does not hold a session record")
        }
        return StoreReading(record)
    }

    package func save(_ record: StoredSession?, _ namespace: String) -> String? {
        let path = path(namespace)
        guard let record else {
            guard unlink(path) != 0, errno != ENOENT else { return nil }
            return "The stored session in \(path) could not be removed (errno \(errno))."
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return "The folder \(folder) for stored sessions could not be made: \(error)."
        }
        let draft = path + ".new"
        unlink(draft)
        guard write(record.encoded(namespace), to: draft), rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            return "The session could not be stored in \(path) (errno \(code)); it cannot be resumed later."
        }
        return nil
    }

    private func path(_ namespace: String) -> String { "\(folder)/\(namespace).session" }

    private func discard(_ path: String, _ reason: String) -> StoreReading {
        unlink(path)
        return StoreReading(note: "The stored session in \(path) \(reason); it was discarded.")
    }

    private func contents(of descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Limits.storedBytes + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return count > Limits.storedBytes ? nil : Array(bytes[..<count])
    }

    /// True when every byte of a new file, readable to its owner alone, is on the disk.
    private func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                systemWrite(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            start += count
        }
        let isComplete = start == bytes.count && fsync(descriptor) == 0
        return close(descriptor) == 0 && isComplete
    }

    private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes, count)
        #elseif canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes, count)
        #endif
    }
}

extension Limits {
    /// Bytes of a stored record. 64 KiB: tokens have a few hundred, this has room for odd ones.
    package static let storedBytes = 65_536
}
