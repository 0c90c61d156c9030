import Clocks
import Foundation
import PolyMessaging
import SocketTransport
import TestSupport

/// What the SDK costs, against the built server in another process.
struct ClientBenchmark {
    let binary: String

    func run() async {
        growth()
        do {
            try await greeting()
            try await memory(clients: 100)
            try await streaming(chunks: 1_000)
        } catch {
            tell("client: \(error)")
        }
    }

    /// Processor time of a reply's chunks, put together by the core and shown after each 64 of them: ten times the chunks
    /// cost about ten times as much.
    private func growth() {
        var costs: [Double] = []
        for count in [4_000, 40_000] {
            let before = cpuMilliseconds
            var stream = StreamCore()
            var transcript = ChatTranscript(isProgressive: true, generator: SeededGenerator(seed: 1))
            let envelope = Envelope(id: "e", sequence: 1, timestamp: Date(timeIntervalSince1970: 0))
            for index in 0..<count {
                let chunk = AgentMessageChunkPayload(
                    messageId: "m", chunkIndex: index, isComplete: index == count - 1, text: "x")
                for event in stream.receive(envelope, chunk) {
                    transcript.apply(.event(event), at: Instant(secondsSince1970: 0))
                }
                if index.isMultiple(of: 64) { transcript.render() }
            }
            costs.append(cpuMilliseconds - before)
            let cost = String(format: "%.1f", costs[costs.count - 1])
            tell("a reply of \(count) chunks in the core: \(cost) ms")
        }
        tell("ten times the chunks cost \(String(format: "%.1f", costs[1] / costs[0])) times as much")
    }

    /// From `chat()` to the greeting, at the pace "instant": token, session, WebSocket, join. 20 times.
    private func greeting() async throws {
        let server = try ServerProcess(binary: binary)
        defer { server.stop() }
        let time = SystemClock()
        var times: [Double] = []
        for _ in 0..<20 {
            let begun = time.now
            let chat = await PolyMessaging.chat(configuration(server, token: "mock:webchat@pace=instant"))
            for await _ in await chat.changes where await !chat.agentMessages.isEmpty { break }
            times.append(Double((time.now - begun).nanoseconds) / 1e6)
            await chat.client.shutdown()
            PolyMessaging.clearResumableSession(connectorToken: "mock:webchat@pace=instant")
        }
        report("from chat() to the greeting (50 ms of it are the server's own delays)", times.sorted(), "ms")
    }

    private func memory(clients: Int) async throws {
        let server = try ServerProcess(binary: binary)
        defer { server.stop() }
        let before = ProcessInfoLite.residentBytes ?? 0
        var chats: [ChatSession] = []
        for number in 0..<clients {
            let token = "client-\(number)"
            let chat = await PolyMessaging.chat(configuration(server, token: token))
            for await _ in await chat.changes where await !chat.agentMessages.isEmpty { break }
            chats.append(chat)
        }
        let after = ProcessInfoLite.residentBytes ?? 0
        tell(
            "memory per connected client with its chat: \((after - before) / clients / 1_024) KB (\(clients) clients)"
        )
        for (number, chat) in chats.enumerated() {
            await chat.client.shutdown()
            PolyMessaging.clearResumableSession(connectorToken: "client-\(number)")
        }
    }

    /// CPU time of this process for one reply of many chunks, rendered progressively.
    private func streaming(chunks: Int) async throws {
        let fixture = FileManager.default.temporaryDirectory.appendingPathComponent(
            "stream-\(getpid()).json5")
        let pieces = (1...chunks).map { "\"word\($0) \"" }.joined(separator: ", ")
        let text =
            "{ fixture: 1, name: 'Stream', about: 'Streams.', pace: 'p', paces: { p: { think: '0s', "
            + "chunk: '1 word', every: '1ms' } }, greeting: [{ chunks: [\(pieces)] }] }"
        try Data(text.utf8).write(to: fixture)
        defer { try? FileManager.default.removeItem(at: fixture) }
        let server = try ServerProcess(binary: binary, arguments: ["--fixture", fixture.path])
        defer { server.stop() }
        let before = cpuMilliseconds
        let chat = await PolyMessaging.chat(
            configuration(server, token: "stream"), progressiveStreaming: true)
        for await _ in await chat.changes
        where await chat.lastAgentMessage?.text.hasSuffix("word\(chunks) ") == true { break }
        tell(
            "CPU of the client for a reply of \(chunks) chunks: \(String(format: "%.1f", cpuMilliseconds - before)) ms"
        )
        await chat.client.shutdown()
        PolyMessaging.clearResumableSession(connectorToken: "stream")
    }

    private func configuration(_ server: ServerProcess, token: String) -> Configuration {
        let base = "127.0.0.1:\(server.port)"
        guard let rest = URL(string: "http://\(base)/api/v1"), let socket = URL(string: "ws://\(base)/ws")
        else {
            preconditionFailure("a port makes no address")
        }
        return Configuration(
            connectorToken: token, environment: .custom(restBaseURL: rest, wsBaseURL: socket),
            hostIdentifier: "benchmark", logLevel: .none)
    }

    /// User and system time of this process so far.
    private var cpuMilliseconds: Double { Double(clock()) * 1e3 / Double(CLOCKS_PER_SEC) }
}
