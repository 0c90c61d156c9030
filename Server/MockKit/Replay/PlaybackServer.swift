package import FixtureTools
import MockServer
import SocketTransport
import Texts

/// `polymock replay FILE`: a server that plays a recording to its clients.
package struct PlaybackServer: Sendable, Equatable {
    package var file: String
    package var port: UInt16 = 8_787
    package var pace = Playback.Pace.own

    package init(file: String) { self.file = file }

    /// Serves until interrupted. With ``Playback/Pace/step``, each line of standard input sends the next message.
    package func run() async -> ToolAnswer {
        do {
            let recording = try Recording(file: file)
            var configuration = ServerConfiguration()
            configuration.port = port
            configuration.fixture = "quiet"
            configuration.watchesFixtures = false
            let server = try await MockServer.start(configuration)
            let playback = await Playback.begin(recording, pace: pace, on: server, clock: SystemClock())
            if pace == .step {
                StandardInput.follow { bytes in
                    for byte in bytes where byte == 0x0A { playback.step() }
                }
            }
            await Console.untilInterrupted { announce(recording, server) }
            playback.stop()
            await server.stop()
            return ToolAnswer()
        } catch {
            return ToolAnswer(talk: ["polymock: \(error)"], code: 2)
        }
    }

    private func announce(_ recording: Recording, _ server: MockServer) {
        Console.print("polymock listening on \(server.url)")
        let count = recording.messages.count
        var talk = "\(file): \(Counted.text(count, "message"))"
        if recording.incompleteCount > 0 { talk += ", \(recording.incompleteCount) left out as shortened" }
        switch pace {
        case .own: talk += ", at the pace of the recording   Ctrl-C stops"
        case .step: talk += "   Enter shows the next, Ctrl-C stops"
        case .once: talk += ", at once   Ctrl-C stops"
        }
        Console.show(talk, to: .error)
    }
}
