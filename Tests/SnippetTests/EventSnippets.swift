import Foundation
import PolyMessaging
import Testing

/// Ways apps follow events and talk to the connection below a chat.
@Suite("Snippets: events and the connection")
struct EventSnippets {
    private func follow(_ events: AsyncStream<MessagingEvent>) async -> [String] {
        var seen: [String] = []
        for await event in events {
            switch event {
            case .clientHandoffRequired(_, let p): seen.append("route \(p.route ?? "none")")
            case .sessionEnd: seen.append("end")
            case .agentMessage(let envelope, let payload): seen.append("\(envelope.id): \(payload.text)")
            default: break
            }
            if case .sessionEnd(_, _) = event { break }
        }
        return seen
    }

    @Test("Events are followed by a loop and a switch with a default")
    func events() async {
        let envelope = Envelope(id: "e", sequence: nil, timestamp: Date(timeIntervalSince1970: 0))
        let stream = AsyncStream<MessagingEvent> { continuation in
            continuation.yield(
                .clientHandoffRequired(envelope, ClientHandoffRequiredPayload(route: "sales")))
            continuation.yield(.connected)
            continuation.yield(.agentMessage(envelope, AgentMessagePayload(messageId: "m", text: "Hi")))
            continuation.yield(.sessionEnd(envelope, SessionEndPayload()))
            continuation.finish()
        }
        #expect(await follow(stream) == ["route sales", "e: Hi", "end"])
    }

    @Test("An app can put a connection of its own in the place of the real one")
    func connection() async throws {
        let raw: any Connection = Loopback()
        await raw.send(.userMessage(text: "x"))
        await raw.send(.userMessage(text: "x", metadata: ["local_id": "l"]))
        await raw.send(.userTyping(.started))
        try await raw.sendRaw(Data(#"{"type":"EVENT_TYPE_HEARTBEAT"}"#.utf8))
        await #expect(throws: PolyError.transport(.notConnected)) { try await Down().sendRaw(Data()) }
        for await frame in raw.rawFrames { #expect(frame == Data("{}".utf8)) }
        for await _ in raw.openEvents { Issue.record("it never opens") }
        for await close in raw.closeEvents { Issue.record("it never closes: \(close.code)") }
        for await batch in raw.batchEvents { Issue.record("no batch of \(batch.count)") }
        for await error in raw.errors { Issue.record("no error: \(error)") }
        for await event in raw.messages { Issue.record("no event: \(event.debugSummary)") }
        await raw.disconnect()
        #expect(await raw.status == .closed(nil))
    }

    private struct Loopback: Connection {
        var status: ConnectionStatus { get async { .closed(nil) } }
        var openEvents: AsyncStream<Void> { AsyncStream { $0.finish() } }
        var closeEvents: AsyncStream<ConnectionCloseEvent> { AsyncStream { $0.finish() } }
        var messages: AsyncStream<MessagingEvent> { AsyncStream { $0.finish() } }
        var batchEvents: AsyncStream<[MessagingEvent]> { AsyncStream { $0.finish() } }
        var errors: AsyncStream<PolyError> { AsyncStream { $0.finish() } }
        var rawFrames: AsyncStream<Data> {
            AsyncStream { continuation in
                continuation.yield(Data("{}".utf8))
                continuation.finish()
            }
        }

        func connect(url: URL) async {}
        func disconnect(code: Int, reason: String) async {
            #expect(code == 1_000 && reason.isEmpty)
        }
        func send(_ event: OutgoingEvent) async {}
        func sendRaw(_ data: Data) async {}
    }

    /// As the newer SDK has it: sending throws.
    private struct Down: Connection {
        var status: ConnectionStatus { get async { .idle } }
        let openEvents = AsyncStream<Void> { $0.finish() }
        let closeEvents = AsyncStream<ConnectionCloseEvent> { $0.finish() }
        let messages = AsyncStream<MessagingEvent> { $0.finish() }
        let batchEvents = AsyncStream<[MessagingEvent]> { $0.finish() }
        let errors = AsyncStream<PolyError> { $0.finish() }
        let rawFrames = AsyncStream<Data> { $0.finish() }

        func connect(url: URL) async {}
        func disconnect(code: Int, reason: String) async {}
        func send(_ event: OutgoingEvent) async {}
        func sendRaw(_ data: Data) async throws { throw PolyError.transport(.notConnected) }
    }
}
