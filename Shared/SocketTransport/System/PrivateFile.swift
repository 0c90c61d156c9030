#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum PrivateFile {
    package enum Reading: Equatable, Sendable {
        case missing
        /// The file is unsafe or cannot be read. The text is the reason, printed after the file's name.
        case refused(String)
        case contents([UInt8])
    }

    /// Reads a private file. Refuses one that others can read or write. With `isOwn`, also refuses symbolic links and
    /// files of other owners.
    package static func read(_ path: String, atMost bound: Int, isOwn: Bool = true) -> Reading {
        // O_NOFOLLOW: another user may have put a link here. O_NONBLOCK: opening a pipe must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : .refused("could not be opened (errno \(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .refused("is no ordinary file")
        }
        guard !isOwn || status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            return .refused("could be read or written by others")
        }
        guard let bytes = contents(of: descriptor, atMost: bound) else {
            return .refused("could not be read, or has more than \(bound) bytes")
        }
        return .contents(bytes)
    }

    /// Replaces a file atomically with one that only its owner can access. Returns nil, or the errno of a failure.
    package static func write(_ bytes: [UInt8], to path: String) -> Int32? {
        replace(path, with: bytes, mode: 0o600)
    }

    /// Replaces a file atomically. `isExact` sets exactly the rights `mode`, whatever the umask is.
    fileprivate static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t, isExact: Bool = false
    ) -> Int32? {
        let draft = path + ".new"
        unlink(draft)
        guard writeAll(bytes, to: draft, mode: mode, isExact: isExact), rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            return code
        }
        return nil
    }

    /// Removes a file. Returns the errno of a failure. A missing file is no failure.
    @discardableResult
    package static func remove(_ path: String) -> Int32? {
        guard unlink(path) != 0, errno != ENOENT else { return nil }
        return errno
    }

    private static func contents(of descriptor: Int32, atMost bound: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: bound + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Files.systemRead(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return count > bound ? nil : Array(bytes[..<count])
    }

    private static func writeAll(_ bytes: [UInt8], to path: String, mode: mode_t, isExact: Bool) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { return false }
        let isComplete =
            (!isExact || fchmod(descriptor, mode) == 0)
            && Files.write(bytes, descriptor: descriptor) == nil && fsync(descriptor) == 0
        return close(descriptor) == 0 && isComplete
    }
}

extension Files {
    /// Type of the entry at a path. Links are not followed (lstat(2)).
    package enum Entry: Equatable, Sendable {
        case nothing
        case file
        /// A link, a folder, a pipe or the like.
        case other
    }

    package static func entry(_ path: String) -> Entry {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT ? .nothing : .other }
        return status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }

    package static func mayWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Returns the path without symbolic links, or `path` if nothing exists there.
    package static func resolved(_ path: String) -> String { FileSystem.realPath(path) ?? path }

    /// Replaces a file atomically and keeps its access rights. A symbolic link at `path` is itself replaced.
    ///
    /// - Returns: nil when all bytes are on the disk, otherwise the error.
    package static func replace(_ path: String, with bytes: [UInt8]) -> WriteFault? {
        var status = stat()
        let isThere = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let mode = isThere ? status.st_mode & 0o777 : 0o666
        return PrivateFile.replace(path, with: bytes, mode: mode, isExact: isThere)
            .map { WriteFault(errno: $0) }
    }
}
