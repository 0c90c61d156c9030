import Clocks
import Expectations
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("Many threads", .timeLimit(.minutes(5)))
struct ThreadTests {
    @Test("A client used from many threads at once stays whole")
    func manyThreads() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let client = chat.client
            let texts = (0..<40).map { "message \($0)" }
            await withTaskGroup(of: Void.self) { group in
                for text in texts {
                    group.addTask {
                        try? await client.send(text)
                        try? await client.sendTyping()
                        _ = (client.snapshot(), client.events, client.connectionStatus)
                        _ = await client.getConnection().status
                    }
                }
            }
            try await stage.play("forty answers", chat) { $0.agentMessages.count == 41 }
            try await expectEqual(stage.heard(in: stage.sessionID(chat)).sorted(), texts.sorted())
            expectEqual(chat.userMessages.map(\.text).sorted(), texts.sorted())
            #expect(chat.userMessages.allSatisfy { $0.delivery == .sent })
        }
    }
}
