import ConnectCore
import Foundation
import SocketTransport
import TestSupport

/// Memory that a chat of Amazon Connect takes in the client, connected and with its greeting in the transcript, against
/// the built server in another process.
func contactBenchmark(binary: String) async {
    do {
        let server = try ServerProcess(binary: binary)
        defer { server.stop() }
        guard let endpoint = URL(string: "http://127.0.0.1:\(server.port)") else {
            preconditionFailure("a port makes no address")
        }
        // What any first chat brings along is not what each one costs.
        var chats = try await connected(8, to: endpoint)
        for count in [100, 400] {
            let before = ProcessInfoLite.residentBytes ?? 0
            chats += try await connected(count, to: endpoint)
            let each = Double((ProcessInfoLite.residentBytes ?? 0) - before) / Double(count) / 1_024
            tell(
                "memory per connected contact with its chat: \(String(format: "%.1f", each)) KB (\(count) more, at most 20)"
            )
        }
        for chat in chats { chat.reset() }
    } catch {
        tell("contacts: \(error)")
    }
}

private func connected(_ count: Int, to endpoint: URL) async throws -> [ChatSession] {
    var chats: [ChatSession] = []
    for _ in 0..<count {
        let start = ContactStart(endpoint: endpoint, flow: "mock:webchat@pace=instant")
        let details = try await start(over: Dependencies.standard.http)
        let chat = ChatSession(config: GlobalConfig(endpoint: endpoint))
        try await chat.connect(chatDetails: details)
        for await snapshot in chat.transcripts
        where snapshot.rows.contains(where: { $0.direction == .Incoming }) { break }
        chats.append(chat)
    }
    return chats
}
