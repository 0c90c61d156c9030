import Clocks
import Foundation
import MockServer
import PolyMessaging
import TestSupport
import Testing

/// Many clients that lose their connections all the time.
@MainActor
@Suite("A storm", .timeLimit(.minutes(5)))
struct StormTests {
    /// `POLYMOCK_STORM=full` runs all seeds at full strength; by default a few run with fewer clients.
    private nonisolated static let isFull = ProcessInfo.processInfo.environment["POLYMOCK_STORM"] == "full"
    nonisolated static let seeds: [UInt64] = Array(1...(isFull ? 20 : 3))
    private static let clients = isFull ? 200 : 20
    private static let messages = isFull ? 50 : 10

    @Test("Every message of a user arrives once, every message of an agent shows once", arguments: seeds)
    func storm(seed: UInt64) async throws {
        try await Stage.run(
            fixture: fixture("", pace: #"{ think: "50ms", chunk: "1 word", every: "20ms" }"#)
        ) {
            $0.sessions.maxReconnectAttempts = 0
            $0.connections.perSession = 100
        } _: { stage in
            let chance = Locked(SeededGenerator(seed: seed))
            let isStormy = Locked(true)
            let strikes: @Sendable (Int) -> Bool = { _ in
                isStormy.withLock { $0 } && chance.withLock { $0.next() % 16 == 0 }
            }
            stage.meddler.cutInbound(when: strikes)
            stage.meddler.cutOutbound(when: strikes)
            let clients = try (0..<Self.clients).map { number in
                try stage.client(store: MemorySessionStore()) { $0.streamingEnabled = number % 2 == 0 }
            }
            try await stage.pass(.seconds(5))
            for number in 1...Self.messages {
                for client in clients { try await client.send("message \(number)") }
                try await stage.pass(.milliseconds(chance.withLock { Int64($0.next() % 1_500) }))
            }
            isStormy.withLock { $0 = false }
            try await stage.play("the calm", within: .minutes(5)) {
                clients.allSatisfy { Self.isCalm($0.snapshot()) }
            }
            for (number, client) in clients.enumerated() {
                try await check(client, stage, "seed \(seed), client \(number)")
            }
        }
    }

    /// Everything is said, heard, and answered; the greeting comes on top.
    private static func isCalm(_ chat: ClientSnapshot) -> Bool {
        chat.connection == .open && !chat.isAgentTyping
            && chat.messages.filter(\.isAgent).count >= messages + 1
            && chat.messages.allSatisfy { $0.delivery != .pending }
    }

    private func check(_ client: PolyMessagingClient, _ stage: Stage, _ which: String) async throws {
        let chat = client.snapshot()
        let id = try #require(chat.session.sessionId, "\(which)")
        let facts = try #require(try await stage.facts(of: id), "\(which)")
        let said = (1...Self.messages).map { "message \($0)" }
        #expect(facts.heard == said, "\(which): the server heard")
        let users = chat.messages.filter(\.isUser)
        #expect(users.compactMap(\.text) == said, "\(which): the user's rows")
        #expect(users.allSatisfy { $0.delivery == .sent }, "\(which): unconfirmed rows")
        #expect(
            chat.messages.filter(\.isAgent).compactMap(\.text) == facts.told, "\(which): the agent's rows")
    }
}
