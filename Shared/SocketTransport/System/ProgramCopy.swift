#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum ProgramCopy {
    /// Number of bytes of a worker's output after which no more is read: 16 MiB.
    private static let outputBytes = 16 << 20

    /// Passes a secret to the workers in the environment, where other users cannot read it.
    package static func share(_ secret: String, as variable: String) {
        setenv(variable, secret, 1)
    }

    /// Starts a worker and waits for its end. The worker ignores Ctrl-C and the end of its terminal.
    ///
    /// - Parameters:
    ///   - words: the arguments that follow the program's name.
    ///   - variables: additional environment variables, no secrets: other users can see them for a moment.
    ///   - onStart: called once, with the process id of the worker.
    /// - Returns: the standard output of the worker; empty if it could not be started.
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

    package static func end(_ process: Int32) {
        _ = kill(process, SIGTERM)
    }

    package static func endAtOnce(_ process: Int32) {
        _ = kill(process, SIGKILL)
    }

    /// In a worker: watches the parent process, and calls `leave` within a second after that process has ended or
    /// closed the pipe.
    package static func watchStarter(_ leave: @escaping @Sendable () -> Void) {
        let starter = getppid()
        LoopQueue(label: "polymock.starter").async {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // Some systems do not report a closed pipe to its writer, so the parent id is checked too.
            while poll(&output, 1, 1_000) <= 0, getppid() == starter {}
            leave()
        }
    }

    /// Runs a script and returns its output without the first line. The script prints its process id in that line, and
    /// then runs the worker with `exec`, which keeps the id.
    private static func output(of script: String, _ onStart: (Int32) -> Void) -> [UInt8] {
        guard let pipe = popen(script, "r") else { return [] }
        defer { pclose(pipe) }
        var (text, isStarted) = ([UInt8](), false)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // `read`, because `fread` would wait for a full buffer.
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
