#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// File operations without Foundation.
package enum Files {
    package enum Output: Int32, Sendable {
        case standardOutput = 1
        case standardError = 2
    }

    /// The bytes of a file; nil when it cannot be read. At most `bound` + 1 bytes are read, so that a caller with a
    /// limit can detect that it is exceeded. Anything but a regular file, such as a pipe whose writer never comes,
    /// counts as unreadable, because reading it could block forever; `mayWait` reads it nevertheless.
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

    /// Reader of a regular file in pieces, for files too long to be held in memory.
    package final class Reader: Sendable {
        private let descriptor: Int32

        /// Nil when the file cannot be read.
        package init?(_ path: String) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0, Files.isRegular(descriptor) else { return nil }
        }

        deinit { if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) } }

        /// The next bytes, at most `bound`; empty at the end, nil when they cannot be read.
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

    /// Writer of a new file in pieces; an existing file of that name is truncated.
    package final class Writer: Sendable {
        private let descriptor: Int32

        /// Nil when the file cannot be made.
        package init?(_ path: String) {
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
        }

        deinit { if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) } }

        /// - Returns: nil when all of it was taken; else why not.
        package func write(_ bytes: [UInt8]) -> WriteFault? { Files.write(bytes, descriptor: descriptor) }
    }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The names in a folder, sorted; empty when it cannot be read.
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

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Error of a write, in the system's words: "No space left on device".
    package struct WriteFault: Error, Equatable, Sendable, CustomStringConvertible {
        package let errno: Int32

        /// The reader of the pipe has left: usual for `… | head`, and no loss.
        package var isBrokenPipe: Bool { errno == EPIPE }
        package var description: String { String(cString: strerror(errno)) }
    }

    /// True when something has this name, whatever it is.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Writes all of `bytes`, waiting where it must.
    ///
    /// - Returns: nil when all of it was taken; else why not.
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

    /// A stream may be non-blocking because another program that shares it made it so.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&wanted, 1, -1)
        return ready > 0 || ready < 0 && errno == EINTR
    }

    /// Keeps the numbers of the standard streams for them: the next file that is opened would get the number of a
    /// closed one, and log lines would go there. Writing to such a stream still fails.
    package static func holdStandardStreams() {
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    #if !canImport(Darwin)
        /// A file the kernel makes up, such as those in `/proc`: at most 1023 bytes in one read.
        static func readSystemFile(_ path: String) -> String? {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { SystemCalls.closeDescriptor(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 1_023)
            let count = systemRead(descriptor, &bytes, bytes.count)
            return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        }
    #endif

    /// Ends the process with C's `exit`, which runs the `atExit` handlers.
    package static func exitProcess(_ code: Int32) -> Never {
        exit(code)
    }

    /// Registers `body` to run at a normal exit of the process.
    package static func atExit(_ body: @convention(c) () -> Void) {
        atexit(body)
    }

    /// Ends the process without running the `atExit` handlers, for use inside of one.
    package static func endProcessAtOnce(_ code: Int32) -> Never {
        _exit(code)
    }

    // `read` and `write` would mean the functions above.
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
