import Fixtures
import SocketTransport

/// What a command-line tool around the server needs of the system; the only place where the tool touches it.
package enum Console {
    package enum Stream: Sendable {
        case output
        case error
    }

    /// Writes one line at once, also when the stream is a pipe.
    package static func print(_ line: String, to stream: Stream = .output) {
        Files.write(Array((line + "\n").utf8), to: stream == .output ? .standardOutput : .standardError)
    }

    /// Ends the process.
    package static func exit(_ code: Int32) -> Never {
        Files.exitProcess(code)
    }

    /// Runs `body` once SIGINT and SIGTERM are being watched, and waits for one of them. A second signal ends
    /// the process at once.
    package static func untilInterrupted(_ body: @escaping @Sendable () -> Void) async {
        let once = InterruptOnce()
        await withCheckedContinuation { continuation in
            once.watch(onReady: body) { continuation.resume() }
        }
    }

    /// The name that was probably meant.
    package static func suggestion(for name: String, among names: [String]) -> String? {
        NearestName.suggestion(for: name, among: names)
    }

    /// True when `path` is a folder.
    package static func isFolder(_ path: String) -> Bool {
        Files.isFolder(path)
    }
}
