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

    /// `line` without what could act on a terminal: control characters and marks that turn the direction.
    package static func printable(_ line: String) -> String {
        func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x0A, 0x09: true
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
        guard !line.unicodeScalars.allSatisfy(isHarmless) else { return line }
        return String(String.UnicodeScalarView(line.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
    }

    /// Has the process give memory back that a flood of messages took.
    package static func returnsFreedMemory() {
        ProcessMemory.returnsWhatIsFreed()
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

    /// The text of the file `word`, without blanks around it; `word` itself when there is no such file.
    package static func secret(_ word: String) throws(ServerError) -> String {
        guard let bytes = Files.read(word, atMost: ServerLimits.secretBytes) else { return word }
        let text = String(decoding: bytes, as: UTF8.self)
        let secret = text.split(whereSeparator: \.isWhitespace)
        guard secret.count == 1, bytes.count <= ServerLimits.secretBytes else {
            throw .configuration(
                "the file of the control token does not hold one word", fix: "write the token alone into it")
        }
        return String(secret[0])
    }

    /// True when `path` is a folder.
    package static func isFolder(_ path: String) -> Bool {
        Files.isFolder(path)
    }
}
