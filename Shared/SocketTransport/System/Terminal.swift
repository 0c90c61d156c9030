#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The controlling terminal: size, raw mode, output. The only user of termios(3).
package enum Terminal {
    /// True when what a person types is standard input.
    package static var readsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// True when a person sees what is written there.
    package static func isTerminal(_ output: Files.Output) -> Bool { isatty(output.rawValue) == 1 }

    /// Columns and rows; nil when the terminal does not say.
    package static var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The value of an environment variable; nil when it is not set.
    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    // MARK: Raw mode

    /// Terminal modes saved by ``enterRawMode(restoring:)``. An address, so that the handler of a fatal signal
    /// reaches them without a lock.
    private static let savedModes = Int(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
    /// The bytes that bring the screen back, by address, and how many there are; 0 while not in raw mode.
    private static let farewell = Int(bitPattern: UnsafeMutablePointer<UInt8>.allocate(capacity: 256))
    private static let farewellCount: Int = {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.pointee = 0
        return Int(bitPattern: count)
    }()

    /// Raw mode: every key reaches the program at once and without echo. `farewell`, at most 256 bytes, is written
    /// when the modes are restored, also when the process crashes.
    ///
    /// - Returns: False when standard input is no terminal.
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

    /// Restores the screen and the saved modes. Does nothing outside of raw mode.
    package static func leaveRawMode() {
        guard let saved = UnsafeMutablePointer<termios>(bitPattern: savedModes),
            let count = UnsafeMutablePointer<Int>(bitPattern: farewellCount), count.pointee > 0
        else { return }
        _ = systemWrite(STDOUT_FILENO, UnsafeRawPointer(bitPattern: farewell), count.pointee)
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, saved)
        count.pointee = 0
    }

    /// Stops the process as Control-Z does; returns when it is continued.
    package static func stopProcess() {
        raise(SIGTSTP)
    }

    // MARK: Pipes and files

    /// A reader that has left is reported by ``write(_:to:)`` from now on, and does not end the process.
    package static func reportBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes all of `bytes`, waiting where it must.
    ///
    /// - Returns: nil when all of it was taken; else why not.
    package static func write(_ bytes: [UInt8], to output: Files.Output) -> Files.WriteFault? {
        Files.write(bytes, to: output)
    }

    /// Makes a new file, or replaces one, that only its owner can read.
    ///
    /// - Returns: False when it could not be written.
    package static func createFile(_ path: String, _ bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let fault = Files.write(bytes, descriptor: descriptor)
        return close(descriptor) == 0 && fault == nil
    }

    // MARK: The process title

    /// Overwrites `secret` with asterisks in the arguments of the process, which other users can read. Does nothing
    /// on systems that keep them elsewhere.
    package static func hideArgument(_ secret: String) {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return }
        #if canImport(Darwin)
            for place in 0..<Int(CommandLine.argc) {
                guard let word = CommandLine.unsafeArgv[place] else { continue }
                cover(secret, UnsafeMutableRawBufferPointer(start: word, count: strlen(word)))
            }
        #else
            // proc_pid_stat(5): fields 48 and 49 are where the words begin and end; field 3 follows ")".
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
