#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum Terminal {
    package static var readsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    package static func isTerminal(_ output: Files.Output) -> Bool { isatty(output.rawValue) == 1 }

    package static var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    // MARK: Raw mode

    /// Address of the saved terminal modes. The handler of a fatal signal reads it without a lock.
    private static let savedModes = Int(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
    /// Address of the bytes that restore the screen. `farewellCount` is the address of their number, which is 0 outside
    /// of raw mode.
    private static let farewell = Int(bitPattern: UnsafeMutablePointer<UInt8>.allocate(capacity: 256))
    private static let farewellCount: Int = {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.pointee = 0
        return Int(bitPattern: count)
    }()

    /// Enters raw mode: every key arrives at once, without echo. `farewell`, at most 256 bytes, is written when the
    /// modes are restored, even after a crash.
    ///
    /// - Returns: false if standard input is not a terminal or already in raw mode.
    package static func enterRawMode(restoring farewell: [UInt8]) -> Bool {
        guard let saved = UnsafeMutablePointer<termios>(bitPattern: savedModes),
            let bytes = UnsafeMutablePointer<UInt8>(bitPattern: Self.farewell),
            let count = UnsafeMutablePointer<Int>(bitPattern: farewellCount),
            count.pointee == 0, tcgetattr(STDIN_FILENO, saved) == 0
        else { return false }
        var raw = saved.pointee
        cfmakeraw(&raw)
        for (place, byte) in farewell.prefix(256).enumerated() { bytes[place] = byte }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { return false }
        count.pointee = max(1, min(256, farewell.count))
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGHUP, SIGQUIT] {
            signal(number) { number in
                Terminal.leaveRawMode()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        return true
    }

    package static func leaveRawMode() {
        guard let saved = UnsafeMutablePointer<termios>(bitPattern: savedModes),
            let count = UnsafeMutablePointer<Int>(bitPattern: farewellCount), count.pointee > 0
        else { return }
        _ = systemWrite(STDOUT_FILENO, UnsafeRawPointer(bitPattern: farewell), count.pointee)
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, saved)
        count.pointee = 0
    }

    /// Suspends the process, as Control-Z does. Returns after the process is resumed.
    package static func stopProcess() {
        raise(SIGTSTP)
    }

    // MARK: Pipes and files

    /// Ignores SIGPIPE. A write to a closed pipe then fails instead of ending the process.
    package static func reportBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes all of `bytes`, and waits while the output is full.
    ///
    /// - Returns: nil when all bytes were written, otherwise the error.
    package static func write(_ bytes: [UInt8], to output: Files.Output) -> Files.WriteFault? {
        Files.write(bytes, to: output)
    }

    /// Creates a file that only its owner can read, or overwrites a file, whose access rights then remain.
    ///
    /// - Returns: false if the file could not be written.
    package static func createFile(_ path: String, _ bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let fault = Files.write(bytes, descriptor: descriptor)
        return close(descriptor) == 0 && fault == nil
    }

    // MARK: The process title

    /// Overwrites `secret` with asterisks in the process arguments, which other users can read.
    package static func hideArgument(_ secret: String) {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return }
        #if canImport(Darwin)
            for place in 0..<Int(CommandLine.argc) {
                guard let word = CommandLine.unsafeArgv[place] else { continue }
                cover(secret, UnsafeMutableRawBufferPointer(start: word, count: strlen(word)))
            }
        #else
            // Fields 48 and 49 are the start and end addresses of the arguments (proc_pid_stat(5)). The first field
            // after ")" is 3.
            guard let status = Files.readSystemFile("/proc/self/stat"), let name = status.lastIndex(of: ")")
            else { return }
            let fields = status[status.index(after: name)...].split(separator: " ")
            guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), end > start,
                let words = UnsafeMutableRawPointer(bitPattern: start)
            else { return }
            cover(secret, UnsafeMutableRawBufferPointer(start: words, count: Int(end - start)))
        #endif
    }

    private static func cover(_ secret: [UInt8], _ memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= secret.count else { return }
        for start in 0...(memory.count - secret.count)
        where secret.indices.allSatisfy({ memory[start + $0] == secret[$0] }) {
            for place in start..<(start + secret.count) { memory[place] = UInt8(ascii: "*") }
        }
    }

    #if canImport(Darwin)
        private static let systemWrite = Darwin.write
    #elseif canImport(Glibc)
        private static let systemWrite = Glibc.write
    #elseif canImport(Musl)
        private static let systemWrite = Musl.write
    #endif
}
