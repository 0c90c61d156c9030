#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum Files {
    package enum Output: Int32, Sendable {
        case standardOutput = 1
        case standardError = 2
    }

    /// Reads at most `bound` + 1 bytes of a regular file, so that the caller can detect a longer file. Nil if it cannot
    /// be read. With `mayWait`, also reads pipes and devices, which may block forever.
    package static func read(_ path: String, atMost bound: Int, mayWait: Bool = false) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard mayWait || isRegular(descriptor) else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= bound {
            let count = systemRead(descriptor, &buffer, min(buffer.count, bound + 1 - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return bytes
    }

    /// Returns why ``read(_:atMost:mayWait:)`` cannot read a file, such as "Permission denied".
    package static func readFault(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return WriteFault(errno: errno).description }
        defer { close(descriptor) }
        return isFolder(path) ? "it is a folder" : "it is no regular file"
    }

    /// Reader of a regular file in pieces, for files too long for the memory.
    package final class Reader: Sendable {
        private let descriptor: Int32

        package init?(_ path: String) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0, Files.isRegular(descriptor) else { return nil }
        }

        deinit { if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) } }

        /// Returns at most `bound` bytes: empty at the end of the file, nil if reading fails.
        package func next(atMost bound: Int) -> [UInt8]? {
            var count = -1
            let bytes = [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
                repeat {
                    count = Files.systemRead(descriptor, buffer.baseAddress, bound)
                } while count < 0 && errno == EINTR
                filled = max(0, count)
            }
            return count < 0 ? nil : bytes
        }
    }

    /// Writer of a file in pieces.
    package final class Writer: Sendable {
        private let descriptor: Int32

        package init?(_ path: String) {
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
        }

        deinit { if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) } }

        package func write(_ bytes: [UInt8]) -> WriteFault? { Files.write(bytes, descriptor: descriptor) }
    }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the sorted names of at most `bound` entries of a folder, or none if the folder cannot be read.
    package static func list(_ folder: String, atMost bound: Int = 10_000) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < bound, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Creates a folder and its missing parents. Returns nil, or the error.
    package static func makeFolder(_ path: String) -> WriteFault? {
        if path.isEmpty || isFolder(path) { return nil }
        if let slash = path.lastIndex(of: "/"), let fault = makeFolder(String(path[..<slash])) {
            return fault
        }
        return mkdir(path, 0o777) == 0 ? nil : WriteFault(errno: errno)
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Error of a write. Its description is the system's message, such as "No space left on device".
    package struct WriteFault: Error, Equatable, Sendable, CustomStringConvertible {
        package let errno: Int32

        /// Whether the reader of the pipe has ended, as in `… | head`.
        package var isBrokenPipe: Bool { errno == EPIPE }
        package var description: String { String(cString: strerror(errno)) }
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Writes all of `bytes`, and waits while the output is full.
    ///
    /// - Returns: nil when all bytes were written, otherwise the error.
    package static func write(_ bytes: [UInt8], to output: Output) -> WriteFault? {
        write(bytes, descriptor: output.rawValue)
    }

    package static func write(_ bytes: [UInt8], descriptor: Int32) -> WriteFault? {
        var start = 0
        return bytes.withUnsafeBytes { all in
            while start < all.count {
                let count = systemWrite(descriptor, all.baseAddress.map { $0 + start }, all.count - start)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN || errno == EWOULDBLOCK, waitForRoom(descriptor) { continue }
                guard count > 0 else { return WriteFault(errno: count < 0 ? errno : EIO) }
                start += count
            }
            return nil
        }
    }

    /// Waits until the stream accepts output: another program may have made the shared stream non-blocking.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&wanted, 1, -1)
        return ready > 0 || ready < 0 && errno == EINTR
    }

    /// Opens `/dev/null` for each closed standard stream. Otherwise the next opened file would get the stream's
    /// descriptor number.
    package static func holdStandardStreams() {
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    #if !canImport(Darwin)
        /// Reads at most 1,023 bytes of a file that the kernel generates, such as one in `/proc`.
        package static func readSystemFile(_ path: String) -> String? {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { SystemCalls.closeDescriptor(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 1_023)
            let count = systemRead(descriptor, &bytes, bytes.count)
            return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        }
    #endif

    package static func exitProcess(_ code: Int32) -> Never {
        exit(code)
    }

    package static func atExit(_ body: @convention(c) () -> Void) {
        atexit(body)
    }

    /// Ends the process without the `atExit` handlers. For use in such a handler.
    package static func endProcessAtOnce(_ code: Int32) -> Never {
        _exit(code)
    }

    // Other names for the system's functions, because `read` and `write` mean this type's own functions here.
    #if canImport(Darwin)
        static let systemRead = Darwin.read
        static let systemWrite = Darwin.write
    #elseif canImport(Glibc)
        static let systemRead = Glibc.read
        static let systemWrite = Glibc.write
    #elseif canImport(Musl)
        static let systemRead = Musl.read
        static let systemWrite = Musl.write
    #endif
}
