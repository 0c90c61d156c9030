package import FixtureTools
import Fixtures
import HTTPClient
import MockServer
import SocketTransport
import Texts

/// Command `polymock compare`, which compares a recorded conversation with what a mock or a server sends to the same
/// client.
package struct TalkCheck: Sendable, Equatable {
    package var file: String
    /// Beginning of the id of the session to read; nil for the first session.
    package var session: String?
    package var isJSON = false
    /// Address of a server to compare with the recording; nil for a mock.
    package var address: String?
    /// Host, other than this machine, to which requests may be sent.
    package var ownHost: String?
    /// Connector token or contact flow for that server.
    package var token: String?

    package init(_ file: String) { self.file = file }

    private func comparison(of recording: TalkRecording) async throws -> TalkComparison {
        guard let address else {
            return try await recording.comparison(
                with: recording.fixture(name: "Recorded", source: file).text)
        }
        let (endpoint, _) = try RunRecorder.place(of: address)
        let isLoopback =
            endpoint.host == "localhost" || SocketAddress(host: endpoint.host, port: 0)?.isLoopback == true
        guard isLoopback || ownHost == endpoint.host else {
            throw MockError(
                "\(endpoint.host) is not this machine; to ask a server of yours, add --yes-i-own \(endpoint.host)"
            )
        }
        return try await recording.comparison(with: endpoint, token: token)
    }

    package func run() async throws -> ToolAnswer {
        let recording = try TalkRecording(file: file, session: session)
        let comparison = try await comparison(of: recording)
        guard comparison.count > 0 else { throw MockError("\(file): nothing can be compared") }
        let count = comparison.differences.count
        var answer = ToolAnswer(
            lines: comparison.differences.map { isJSON ? $0.json : $0.line }, code: count == 0 ? 0 : 1)
        answer.talk = TalkRecording.shown(recording.notes, of: file)
        answer.talk.append(
            "\(file): \(Counted.text(comparison.count, "event")) and answers compared, "
                + (count == 0 ? "no difference" : Counted.text(count, "difference")))
        return answer
    }
}

/// Command `polymock replay FILE`, which converts a recorded conversation to a fixture, and serves it.
package struct TalkServer: Sendable, Equatable {
    package var file: String
    package var session: String?
    package var port: UInt16 = 8_787

    package init(file: String) { self.file = file }

    /// Serves the recording until interrupted.
    package func run() async throws -> ToolAnswer {
        let recording = try TalkRecording(file: file, session: session)
        let fixture = recording.fixture(name: "Recorded", source: file)
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.fixture = "recorded"
        configuration.fixtureText = fixture.text
        configuration.watchesFixtures = false
        let server = try await MockServer.start(configuration)
        await Console.untilInterrupted {
            Console.print("polymock listening on \(server.url)")
            for note in TalkRecording.shown(recording.notes + fixture.notes, of: file) {
                Console.show(note, to: .error)
            }
            Console.show("\(file) answers what it was asked   Ctrl-C stops", to: .error)
        }
        await server.stop()
        return ToolAnswer()
    }
}
