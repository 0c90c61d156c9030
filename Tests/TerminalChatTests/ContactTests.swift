import ClientSupport
import Clocks
import ConnectCore
import Expectations
import Foundation
import HTTPClient
import MockServer
import PolyMessaging
import Testing

@testable import TerminalChat

@Suite("Amazon Connect chat in the terminal", .timeLimit(.minutes(5)))
struct ContactTests {
    /// What a script prints in a talk with a server of its own, and its exit code.
    private func output(_ words: String..., flow: String = "mock:booking@pace=instant") async throws -> (
        text: String, code: Int32?
    ) {
        let clock = ConnectCore.Dependencies.standard.clock
        let started = clock.now
        let server = try await MockServer.start()
        let http = HTTPClient(label: "test.contact", clock: clock, seed: 1, unsentBytes: 1 << 20)
        let options = try ChatOptions(words + ["--connect", "--url", server.url, "--token", flow])
        var start = ContactStart(endpoint: try #require(URL(string: options.url)), flow: options.token)
        start.isStreaming = options.streams
        let service = ContactService(
            start, ConnectCore.Dependencies(clock: clock, http: http, seed: 1))
        var chat = LineChat(
            options, script: Script(options.steps), style: .text(LineRenderer()), at: started)
        let (turns, feed) = AsyncStream.makeStream(of: ChatInput?.self)
        service.start({ feed.yield($0) }, wake: { feed.yield(nil) })
        let timer = clock.makeTimer { feed.yield(.tick) }
        var (text, code) = ("", Int32?.none)
        for await turn in turns {
            let inputs = turn.map { [$0] } ?? service.takeUpdates()
            // Time begins with the greeting: on a busy machine connecting takes longer than a script waits for it.
            let outputs = chat.handle(inputs, at: text.isEmpty ? started : clock.now)
            text += outputs.text + outputs.talk.map { "! \($0)\n" }.joined()
            for case .call(let call) in outputs {
                if let error = await service.execute(call) { feed.yield(.callFailed(call, error)) }
            }
            code = outputs.exit
            if code != nil { break }
            if let deadline = chat.nextDeadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
        await service.stop()
        await http.close()
        await server.stop()
        return (text, code)
    }

    @Test(
        "What is said is sent, what comes is printed, once",
        arguments: ["--stream", "--no-stream"] as [String])
    func talk(stream: String) async throws {
        let (text, code) = try await output(
            "--say", "a table, please", "--expect", "For how many", stream)
        expectEqual(code, 0, "\(text)")
        let lines = text.split(separator: "\n")
        expectEqual(lines.count { $0 == "you: a table, please" }, 1, "\(text)")
        expectEqual(lines.count { $0.contains("For how many") }, 1, "\(text)")
    }

    @Test("Leaving with --end ends the contact")
    func ending() async throws {
        let (text, code) = try await output("--say", "a table, please", "--end")
        expectEqual(code, 0, "\(text)")
    }

    @Test("A contact that is refused is told with the service's words")
    func refusal() async throws {
        let (text, code) = try await output("--say", "hi", flow: "mock:bookign")
        #expect(code == 1 && text.contains("booking"), "\(text)")
    }

    @Test(
        "What is said before there is a connection is said when it is up",
        arguments: ["--stream", "--no-stream"] as [String])
    func early(stream: String) async throws {
        let (text, code) = try await output(
            "--no-wait", "--say", "a table, please", "--until", "reply", stream)
        expectEqual(code, 0, "\(text)")
        expectEqual(text.split(separator: "\n").count { $0 == "you: a table, please" }, 1, "\(text)")
        #expect(!text.contains("not connected"), "\(text)")
    }

    @Test("An error with a status is a refusal or an outage, and says which; one without is an outage")
    func codes() {
        func failure(_ status: Int, _ message: String = "Content is bad") -> ChatFailure {
            ChatFailure(
                ConnectChatError.service(
                    ConnectChatError.ServiceError(
                        type: "ValidationException", status: status, message: message)))
        }
        for status in [302, 400, 401, 403, 404, 410, 413] {
            #expect(failure(status).code == "refused" && !failure(status).isRetryable)
            #expect(failure(status).message.contains("Content is bad (status \(status)"))
            #expect(failure(status, "").message.contains("\(status)"))
        }
        #expect(failure(429).code == "throttled" && failure(429).isRetryable)
        for status in [500, 502, 503, 504] {
            #expect(failure(status).code == "unavailable" && failure(status).isRetryable)
        }
        let outage = ChatFailure(ConnectChatError.network("The peer is gone."))
        #expect(outage.code == "network" && outage.isRetryable)
    }

    @Test("A contact's receipts and files reach the screen; the Messaging API refuses files")
    func receiptsAndFiles() async throws {
        let server = try await MockServer.start()
        let clock = ConnectCore.Dependencies.standard.clock
        let http = HTTPClient(label: "test.contact", clock: clock, seed: 1, unsentBytes: 1 << 20)
        let start = ContactStart(
            endpoint: try #require(URL(string: server.url)), flow: "mock:concierge@pace=instant")
        let service = ContactService(start, ConnectCore.Dependencies(clock: clock, http: http, seed: 1))
        let (turns, feed) = AsyncStream.makeStream(of: Void.self)
        service.start({ _ in }, wake: { feed.yield() })
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".txt")
        try Data("Soup".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(await service.execute(.sendFile(file.path + "x")) != nil)
        var isSent = false
        var screen = ScreenChat(ScreenChat.Setup(server: "mock"), at: clock.now)
        _ = screen.handle(.resized(columns: 60, rows: 40), at: clock.now)
        for await _ in turns {
            _ = screen.handle(service.takeUpdates(), at: clock.now)
            // Refused until the contact is connected.
            if !isSent { isSent = await service.execute(.sendFile(file.path)) == nil }
            var copy = screen
            let lines = copy.makeFrame().rows.map { String($0.map(\.character)) }
            if lines.contains(where: { $0.contains("you [\(file.lastPathComponent)] ✓") }) { break }
        }
        await service.stop()
        await http.close()
        await server.stop()
    }

    @Test("A call that is never answered ends with its task")
    func silent() async throws {
        let service = ContactService(
            ContactStart(endpoint: try #require(URL(string: "http://127.0.0.1/")), flow: "mock:quiet"),
            ConnectCore.Dependencies(
                clock: ConnectCore.Dependencies.standard.clock, http: SilentWeb(), seed: 1))
        service.start({ _ in }, wake: {})
        let said = Task { await service.execute(.send("hi")) }
        said.cancel()
        #expect(await said.value != nil)
        await service.stop()
    }
}

/// A network that takes all and answers nothing but the beginning of a contact.
private struct SilentWeb: WebTransport {
    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        if request.target.hasSuffix("/contact/chat") {
            let body = Array(#"{"ContactId":"c","ParticipantToken":"p"}"#.utf8)
            report(.answered(HTTPClient.Answer(status: 200, body: body)))
        }
        return NoExchange()
    }
}
