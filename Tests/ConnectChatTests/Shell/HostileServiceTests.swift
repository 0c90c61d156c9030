import Clocks
import ConnectChat
import Expectations
import Foundation
import HTTPClient
import SocketTransport
import TestSupport
import Testing

/// What a session makes of a service that breaks every rule: a clear error or nothing, and no hang.
@MainActor
@Suite("ConnectChat: hostile services", .timeLimit(.minutes(5)))
struct HostileServiceTests {
    init() { LogGuard.install() }

    private func withChat(
        _ answer: @escaping ConnectDouble.Answer,
        _ body: @MainActor (ChatSession, ConnectDouble) async throws -> Void
    ) async throws {
        let double = try await ConnectDouble()
        double.answer(answer)
        let http = HTTPClient(label: "test.hostile", clock: SystemClock(), seed: 1, unsentBytes: 1 << 20)
        let chat = ChatSession(
            GlobalConfig(endpoint: URL(string: double.url)),
            Dependencies(clock: SystemClock(), http: http, seed: 7))
        try await body(chat, double)
        await http.close()
        await double.stop()
    }

    @Test(
        "HTML, half JSON, another shape and a body without end are unexpected answers",
        arguments: ["<html></html>", "{", "[]", "{}", #"{"Websocket":[],"ConnectionCredentials":7}"#, ""]
            as [String])
    func oddAnswers(body: String) async throws {
        try await withChat({ _ in .json(200, body) }) { chat, _ in
            let error = await #expect(throws: ConnectChatError.self) {
                try await chat.connect(chatDetails: ChatDetails(participantToken: "p"))
            }
            guard case .unexpectedAnswer? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("An answer of more than 4 MiB is not read to its end")
    func endless() async throws {
        let flood =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n".utf8)
            + [UInt8](repeating: 32, count: 5 << 20)
        try await withChat({ _ in .pieces([flood], ends: false) }) { chat, _ in
            await #expect(throws: ConnectChatError.unexpectedAnswer("The answer is too large.")) {
                try await chat.connect(chatDetails: ChatDetails(participantToken: "p"))
            }
        }
    }

    @Test("Frames of nonsense change nothing; the next good one is heard")
    func nonsense() async throws {
        try await withChat({ _ in nil }) { chat, double in
            try await chat.connect(chatDetails: ChatDetails(participantToken: "p"))
            let events = chat.events
            for text in ["", "{", "null", #"{"topic":7}"#, #"{"topic":"aws/chat","content":"{\"Id\":[]"}"#] {
                double.server.tell(text)
            }
            double.tell("good", "Hello")
            for await case .messageReceived(let row) in events {
                expectEqual(row.id, "good")
                break
            }
        }
    }
}
