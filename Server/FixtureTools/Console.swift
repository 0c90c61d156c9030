import SocketTransport
import Texts

/// System access for the command-line tools: standard streams, signals, exit.
package enum Console {
    package enum Stream: Sendable {
        case output
        case error
    }

    /// Writes one line immediately. If standard output fails, exits with code 1, so that no script takes incomplete
    /// output for complete.
    package static func print(_ line: String, to stream: Stream = .output) {
        write(Array((line + "\n").utf8), to: stream)
    }

    /// Writes bytes unchanged. Failures are handled as in ``print(_:to:)``.
    package static func write(_ bytes: [UInt8], to stream: Stream = .output) {
        guard stream == .output else {
            _ = Files.write(bytes, to: .standardError)
            return
        }
        guard let fault = Files.write(bytes, to: .standardOutput) else { return }
        _ = Files.write(Array("polymock: the output cannot be written: \(fault)\n".utf8), to: .standardError)
        Files.exitProcess(1)
    }

    /// Prints untrusted text. A terminal shows control characters as visible marks; a pipe or file gets the text
    /// unchanged.
    package static func show(_ text: String, to stream: Stream = .output) {
        let isTerminal = Terminal.isTerminal(stream == .output ? .standardOutput : .standardError)
        print(shown(text, isTerminal: isTerminal), to: stream)
    }

    package static func shown(_ text: String, isTerminal: Bool) -> String {
        isTerminal ? ForeignText.marked(text) : text
    }

    package static func show(_ answer: ToolAnswer) {
        if let file = answer.file {
            let text = String(decoding: file, as: UTF8.self)
            if Terminal.isTerminal(.standardOutput) {
                print(shown(text.hasSuffix("\n") ? String(text.dropLast()) : text, isTerminal: true))
            } else {
                write(file)
            }
        }
        if !answer.lines.isEmpty { show(answer.lines.joined(separator: "\n")) }
        for line in answer.talk { show(line, to: .error) }
    }

    /// Prints a line of a running server. Failed writes are ignored.
    package static func announce(_ line: String) {
        _ = Files.write(Array((line + "\n").utf8), to: .standardOutput)
    }

    /// Opens `/dev/null` for closed standard streams, so that no file opened later gets their descriptors.
    package static func prepare() { Files.holdStandardStreams() }

    /// Ignores SIGPIPE, so that a write to a closed pipe fails instead of ending the process.
    package static func outlivesItsReaders() { Terminal.reportBrokenPipes() }

    /// Overwrites `secret` in the process arguments, so that process lists do not show it.
    package static func hideArgument(_ secret: String) { Terminal.hideArgument(secret) }

    package static func returnsFreedMemory() { ProcessMemory.returnsWhatIsFreed() }

    package static func exit(_ code: Int32) -> Never { Files.exitProcess(code) }

    /// Watches the signals that end a process, then calls `body`. Returns after one signal; another ends the process.
    package static func untilInterrupted(_ body: @escaping @Sendable () -> Void) async {
        let once = InterruptOnce()
        await withCheckedContinuation { continuation in
            once.watch(onReady: body) { continuation.resume() }
        }
    }

    /// Environment variables by which ``browse(_:)`` finds a browser.
    package static var browsers: String { (["BROWSER"] + Browser.displays).joined(separator: ", ") }

    /// Opens the URLs in a browser. Returns false if that fails.
    package static func browse(_ addresses: [String]) -> Bool { Browser.show(addresses) }

    package static func isFolder(_ path: String) -> Bool { Files.isFolder(path) }
}
