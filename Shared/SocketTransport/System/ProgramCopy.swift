#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Worker processes that run this program.
package enum ProgramCopy {
    /// Bytes that one copy may write: 16 MiB, where the histograms of 256 servers take 5.
    private static let outputBytes = 16 << 20

    /// Passes a secret to the copies in their environment, which other users cannot read.
    package static func share(_ secret: String, as variable: String) {
        setenv(variable, secret, 1)
    }

    /// Starts a copy that ignores Ctrl-C and the end of its terminal, and waits for its end.
    ///
    /// - Parameters:
    ///   - words: its arguments, after the program's name.
    ///   - variables: further variables of its environment; no secrets, since other users see them for a moment.
    ///   - onStart: called once with the copy's process id.
    /// - Returns: what it wrote to standard output; nothing when it could not be started.
    package static func run(
        _ words: [String], _ variables: [String: String], onStart: @escaping @Sendable (Int32) -> Void
    ) async -> [UInt8] {
        guard let program = ProcessInfoLite.program else { return [] }
        let command = ([program] + words).map(Browser.quoted).joined(separator: " ")
        let assignments = variables.map { "\($0.key)=\(Browser.quoted($0.value)) " }.joined()
        let script = "trap '' INT HUP; echo $$; \(assignments)exec \(command)"
        return await withCheckedContinuation { continuation in
            LoopQueue(label: "polymock.copy").async {
                continuation.resume(returning: output(of: script, onStart))
            }
        }
    }

    /// Asks a copy to end in good order.
    package static func end(_ process: Int32) {
        _ = kill(process, SIGTERM)
    }

    /// Ends a copy that may have no time left.
    package static func endAtOnce(_ process: Int32) {
        _ = kill(process, SIGKILL)
    }

    /// In a copy: calls `leave` once the process that started it has ended or reads no more, a second later at most.
    package static func watchStarter(_ leave: @escaping @Sendable () -> Void) {
        let starter = getppid()
        LoopQueue(label: "polymock.starter").async {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // Not every system reports the closed end of a pipe to its writer; each gives an orphan another parent.
            while poll(&output, 1, 1_000) <= 0, getppid() == starter {}
            leave()
        }
    }

    /// The first line of output is the process id, which stays the same when the program replaces the shell.
    private static func output(of script: String, _ onStart: (Int32) -> Void) -> [UInt8] {
        guard let pipe = popen(script, "r") else { return [] }
        defer { pclose(pipe) }
        var (text, isStarted) = ([UInt8](), false)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Not `fread`, which waits for the buffer to be full.
            let count = Files.systemRead(fileno(pipe), &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, text.count < outputBytes else { return text }
            text += buffer[..<count]
            guard !isStarted, let end = text.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            isStarted = true
            if let process = Int32(String(decoding: text[..<end], as: UTF8.self)) { onStart(process) }
            text.removeSubrange(...end)
        }
    }
}
